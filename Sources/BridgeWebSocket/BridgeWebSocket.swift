// BridgeWebSocket
