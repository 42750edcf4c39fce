// BridgeTesting
