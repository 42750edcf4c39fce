// BridgeCommand
