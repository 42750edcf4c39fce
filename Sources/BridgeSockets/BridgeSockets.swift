// BridgeSockets
