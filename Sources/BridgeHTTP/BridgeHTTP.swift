// BridgeHTTP
