// BridgeJSON
