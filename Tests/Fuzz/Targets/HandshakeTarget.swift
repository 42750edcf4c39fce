import BridgeHTTP
import BridgeWebSocket

extension FuzzTarget {
    /// Both opening handshakes: what this server accepts this client recognises, and neither takes what is no handshake.
    static let handshake = FuzzTarget(name: "handshake", generate: upgrade) { bytes throws(FuzzFault) in
        guard
            let head: HTTPRequestHead = bytes.withUnsafeBytes({ buffer in
                var parser = HTTPRequestParser()
                var input = buffer
                guard case .head(let head) = parser.next(&input) else { return nil }
                return head
            })
        else { return }
        guard case .accept(let response, let chosen) = WebSocketHandshake.answer(head, subprotocols: spoken) else {
            return
        }
        try require(head.method == .get && head.version == .http11, "accepted, though it is no GET of HTTP/1.1")
        try require(head.fields["Sec-WebSocket-Key"]?.utf8.count == 24, "accepted with a key that is none")
        try require(head.fields.values("Sec-WebSocket-Version") == ["13"], "accepted with another version")
        try require(chosen.map(head.fields.elements("Sec-WebSocket-Protocol").contains) ?? true, "chosen, not offered")
        var output: [UInt8] = []
        response.append(to: &output, answering: head, keepAlive: true)
        let client = WebSocketClientHandshake(authority: "a", target: "/")
        let answer = try answer(output)
        try require(answer.status == 101, "accepted with \(answer.status)")
        // The client's key is its own, so it must refuse this one; its own it must take.
        try require((try? client.check(answer)) == nil, "an answer to another key is taken")
        try requireOwnIsTaken(offering: head.fields.elements("Sec-WebSocket-Protocol").filter(spoken.contains))
    }

    private static let spoken = ["bridgehead.1", "b"]

    private static func requireOwnIsTaken(offering protocols: [String]) throws(FuzzFault) {
        let client = WebSocketClientHandshake(authority: "a", target: "/", subprotocols: protocols)
        var request: [UInt8] = []
        do throws(HTTPFailure) { try client.request.append(to: &request) } catch { throw FuzzFault(error.reason) }
        var parser = HTTPRequestParser()
        let accepted: [UInt8]? = request.withUnsafeBytes { buffer in
            var input = buffer
            guard case .head(let head) = parser.next(&input),
                case .accept(let response, _) = WebSocketHandshake.answer(head, subprotocols: spoken)
            else { return nil }
            var output: [UInt8] = []
            response.append(to: &output, answering: head, keepAlive: true)
            return output
        }
        guard let accepted else { throw FuzzFault("the client's own handshake is refused") }
        let answer = try answer(accepted)
        let chosen: String?
        do throws(WebSocketClientHandshake.Failure) {
            chosen = try client.check(answer)
        } catch {
            throw FuzzFault("the server's own answer is refused: \(error.reason)")
        }
        try require(chosen == spoken.first(where: protocols.contains), "another subprotocol is chosen")
    }

    private static func answer(_ bytes: [UInt8]) throws(FuzzFault) -> HTTPResponseHead {
        var parser = HTTPResponseParser(answering: .get)
        let head: HTTPResponseHead? = bytes.withUnsafeBytes { buffer in
            var input = buffer
            guard case .head(let head) = parser.next(&input) else { return nil }
            return head
        }
        guard let head else { throw FuzzFault("the answer to a handshake cannot be read") }
        return head
    }

    static let upgrade: @Sendable (inout FuzzRandom) -> [UInt8] = { random in
        var bytes = Array("\(random.once(in: 20) ? "POST" : "GET") /_bridge/ws HTTP/1.1\r\nHost: localhost\r\n".utf8)
        func field(_ name: String, _ usual: String, _ others: [String]) {
            guard random.below(30) > 0 else { return }
            for _ in 0...(random.once(in: 30) ? 1 : 0) {
                bytes += "\(name): \(random.once(in: 8) ? random.pick(others) : usual)\r\n"
            }
        }
        field("Upgrade", "websocket", ["WebSocket", "h2c, websocket", "h2c", ""])
        field("Connection", "Upgrade", ["keep-alive, upgrade", "close", ", ,"])
        field("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==", ["dGhlIHNhbXBsZSBub25jZQ", "AAAA", "====", "é==="])
        field("Sec-WebSocket-Version", "13", ["8", "13, 8", "013"])
        if random.once(in: 3) {
            field("Sec-WebSocket-Protocol", "bridgehead.1", ["b, bridgehead.1", "c", ",", "\"b\""])
            field("Sec-WebSocket-Extensions", "permessage-deflate; x=\"", ["", ";;"])
        }
        bytes += "\r\n"
        if random.once(in: 3) { random.mutate(&bytes, tokens: HTTPText.tokens) }
        return bytes
    }
}
