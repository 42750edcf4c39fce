// BridgeServer
