package import BridgeHTTP

/// The client's side of the opening handshake (RFC 6455, section 4.1).
package struct WebSocketClientHandshake: Sendable {
    /// Why an answer is no WebSocket.
    package struct Failure: Error, Hashable, Sendable {
        package let reason: String
    }

    private let key: String
    private let subprotocols: [String]
    /// The request to send.
    package let request: HTTPRequest

    /// - Parameters:
    ///   - target: in origin form.
    ///   - subprotocols: offered, in order of preference.
    ///   - fields: sent as well, such as `Origin`.
    package init(
        authority: String, target: String, subprotocols: [String] = [], fields: HTTPFields = HTTPFields()
    ) {
        let key = Base64.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        var all: HTTPFields = [
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
        ]
        if !subprotocols.isEmpty {
            all.append("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", "))
        }
        all.append(contentsOf: fields)
        self.key = key
        self.subprotocols = subprotocols
        request = HTTPRequest(.get, target, authority: authority, fields: all)
    }

    /// Checks the answer.
    /// - Returns: the subprotocol that the server chose, if any.
    package func check(_ response: HTTPResponseHead) throws(Failure) -> String? {
        guard response.status == 101 else { throw Failure(reason: "answered with status \(response.status)") }
        let fields = response.fields
        guard fields.elements("Upgrade").map({ $0.lowercased() }) == ["websocket"] else {
            throw Failure(reason: "Upgrade is not websocket")
        }
        guard fields.contains(token: "upgrade", in: "Connection") else {
            throw Failure(reason: "Connection does not name Upgrade")
        }
        guard fields.values("Sec-WebSocket-Accept") == [WebSocketHandshake.accept(key: key)] else {
            throw Failure(reason: "Sec-WebSocket-Accept does not match the key")
        }
        guard fields.count(of: "Sec-WebSocket-Extensions") == 0 else {
            throw Failure(reason: "an extension that was not offered")
        }
        let chosen = fields.values("Sec-WebSocket-Protocol")
        guard chosen.count <= 1, chosen.allSatisfy(subprotocols.contains) else {
            throw Failure(reason: "a subprotocol that was not offered")
        }
        return chosen.first
    }
}
