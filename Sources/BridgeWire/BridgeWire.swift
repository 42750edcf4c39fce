// BridgeWire
