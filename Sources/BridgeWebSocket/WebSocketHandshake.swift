package import BridgeHTTP

/// The server's side of the opening handshake (RFC 6455, section 4.2).
package enum WebSocketHandshake {
    package enum Answer: Sendable {
        /// Send the response; after it, and after what followed the request's head, the connection is a WebSocket.
        case accept(HTTPResponse, subprotocol: String?)
        /// Send the response; no WebSocket.
        case refuse(HTTPResponse)
    }

    /// Checks an upgrade request.
    ///
    /// Extensions are declined by silence, so an offer of them, however malformed, is no reason to refuse.
    /// - Parameter subprotocols: those spoken here; the first that is offered is chosen, in this order.
    package static func answer(_ request: HTTPRequestHead, subprotocols: [String] = []) -> Answer {
        guard request.method == .get else {
            return refuse(405, "a WebSocket begins with GET", ["Allow": "GET"])
        }
        guard request.fields.count(of: "Upgrade") > 0 else {
            return refuse(426, "this is a WebSocket", upgradeRequired)
        }
        guard request.fields.contains(token: "websocket", in: "Upgrade") else {
            return refuse(400, "the only upgrade here is to websocket")
        }
        guard request.version == .http11 else { return refuse(400, "a WebSocket wants HTTP/1.1") }
        guard request.fields.contains(token: "upgrade", in: "Connection") else {
            return refuse(400, "Connection does not name Upgrade")
        }
        guard request.body == .length(0) else { return refuse(400, "an upgrade has no body") }
        guard request.fields.values("Sec-WebSocket-Version") == ["13"] else {
            return refuse(426, "the only Sec-WebSocket-Version here is 13", upgradeRequired)
        }
        let keys = request.fields.values("Sec-WebSocket-Key")
        guard keys.count == 1, let key = keys.first, Base64.decodedCount(key.utf8) == 16 else {
            return refuse(400, "Sec-WebSocket-Key is not 16 bytes in base64, once")
        }
        let offered = request.fields.elements("Sec-WebSocket-Protocol")
        let chosen = subprotocols.first { offered.contains($0) }
        var fields: HTTPFields = [
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Accept": accept(key: key),
        ]
        if let chosen { fields.append("Sec-WebSocket-Protocol", chosen) }
        return .accept(HTTPResponse(101, fields), subprotocol: chosen)
    }

    /// `Sec-WebSocket-Accept` for a key.
    static func accept(key: String) -> String {
        Base64.encode(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }

    /// RFC 9110, section 15.5.22: 426 says what to upgrade to.
    private static let upgradeRequired: HTTPFields = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
    ]

    private static func refuse(_ status: Int, _ reason: String, _ fields: HTTPFields = HTTPFields()) -> Answer {
        var fields = fields
        fields.append("Content-Type", "text/plain; charset=utf-8")
        return .refuse(HTTPResponse(status, fields, body: Array((reason + "\n").utf8)))
    }
}
