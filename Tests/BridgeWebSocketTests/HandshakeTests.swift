import BridgeHTTP
import BridgeWebSocket
import Testing

@Suite("Opening handshake, the server's side")
struct ServerHandshakeTests {
    static let start = "GET /chat HTTP/1.1\r\nHost: server.example.com\r\n"
    static let upgrade = "Upgrade: websocket\r\n"
    static let connection = "Connection: Upgrade\r\n"
    static let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    static let version = "Sec-WebSocket-Version: 13\r\n"

    /// Status, fields and subprotocol of the answer.
    func answer(
        _ text: String, _ subprotocols: [String] = ["bridgehead.1"]
    ) throws -> (status: Int, fields: HTTPFields, subprotocol: String?) {
        switch WebSocketHandshake.answer(try requestHead(text + "\r\n"), subprotocols: subprotocols) {
        case .accept(let response, let subprotocol):
            #expect(response.status == 101 && response.body.isEmpty)
            return (response.status, response.fields, subprotocol)
        case .refuse(let response):
            #expect(response.status != 101 && !response.body.isEmpty)
            return (response.status, response.fields, nil)
        }
    }

    @Test("the example of RFC 6455, section 1.3")
    func example() throws {
        let text =
            Self.start + Self.upgrade + Self.connection + Self.key + "Origin: http://example.com\r\n"
            + "Sec-WebSocket-Protocol: chat, superchat\r\n" + Self.version
        let answer = try answer(text, ["chat"])
        #expect(answer.status == 101)
        #expect(answer.fields["Upgrade"] == "websocket")
        #expect(answer.fields["Connection"] == "Upgrade")
        #expect(answer.fields["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(answer.fields["Sec-WebSocket-Protocol"] == "chat")
        #expect(answer.subprotocol == "chat")
    }

    @Test(
        "handshakes that are taken (ws-hs-01, ws-hs-03, ws-pmd-01, ws-pmd-03)",
        arguments: [
            "Upgrade: WebSocket\r\n" + connection, "Upgrade: h2c, WEBSOCKET\r\n" + connection,
            "Upgrade: h2c\r\nUpgrade: websocket\r\n" + connection, upgrade + "Connection: keep-alive, Upgrade\r\n",
            upgrade + "Connection: keep-alive\r\nConnection: upgrade\r\n",
            upgrade + connection + "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n",
            upgrade + connection + "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=10\r\n",
            upgrade + connection
                + "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=9, permessage-deflate\r\n",
            upgrade + connection + "Sec-WebSocket-Extensions: permessage-deflate; foo=1\r\n",
            upgrade + connection + "Sec-WebSocket-Extensions: ;;=,\"\r\nSec-WebSocket-Extensions:\r\n",
            upgrade + connection + "Content-Length: 0\r\n",
        ])
    func taken(lines: String) throws {
        let answer = try answer(Self.start + lines + Self.key + Self.version)
        #expect(answer.status == 101)
        #expect(answer.fields.count(of: "Sec-WebSocket-Extensions") == 0)
        #expect(answer.subprotocol == nil && answer.fields.count(of: "Sec-WebSocket-Protocol") == 0)
    }

    @Test(
        "a subprotocol is chosen when it is offered, in its own case",
        arguments: [
            ("bridgehead.1", "bridgehead.1"), ("x, bridgehead.1", "bridgehead.1"),
            ("x\r\nSec-WebSocket-Protocol: bridgehead.1", "bridgehead.1"), ("Bridgehead.1", nil),
            ("bridgehead.10", nil), (",,", nil),
        ] as [(String, String?)])
    func subprotocol(offer: String, chosen: String?) throws {
        let lines = Self.upgrade + Self.connection + Self.key + Self.version
        let answer = try answer(Self.start + lines + "Sec-WebSocket-Protocol: \(offer)\r\n")
        #expect(answer.status == 101)
        #expect(answer.subprotocol == chosen)
        #expect(answer.fields["Sec-WebSocket-Protocol"] == chosen)
    }

    struct Refusal: Sendable {
        var status: Int
        var text: String

        init(_ status: Int, _ lines: String...) {
            self.status = status
            text = lines.joined()
        }
    }

    static let refusals: [Refusal] = [
        Refusal(400, start, "Upgrade: h2c\r\n", connection, key, version),
        Refusal(400, start, upgrade, key, version),
        Refusal(400, start, upgrade, "Connection: keep-alive\r\n", key, version),
        Refusal(400, start, upgrade, connection, version),
        Refusal(400, start, upgrade, connection, version, "Sec-WebSocket-Key: !!!!!!!!!!!!!!!!!!!!!!==\r\n"),
        Refusal(400, start, upgrade, connection, version, "Sec-WebSocket-Key: AAAA\r\n"),
        Refusal(400, start, upgrade, connection, version, "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAAA=\r\n"),
        Refusal(400, start, upgrade, connection, version, "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAAAA\r\n"),
        Refusal(400, start, upgrade, connection, version, "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA\r\n"),
        Refusal(400, start, upgrade, connection, version, "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAA===\r\n"),
        Refusal(400, start, upgrade, connection, version, "Sec-WebSocket-Key:\r\n"),
        Refusal(400, start, upgrade, connection, version, key, key),
        Refusal(400, start, upgrade, connection, key, version, "Content-Length: 1\r\n"),
        Refusal(400, "GET / HTTP/1.0\r\nHost: a\r\n", upgrade, connection, key, version),
        Refusal(400, start, "Upgrade: h2c\r\n", connection, "Sec-WebSocket-Version: 8\r\n"),
        Refusal(405, "POST / HTTP/1.1\r\nHost: a\r\n", upgrade, connection, key, version),
        Refusal(426, start),
        Refusal(426, start, connection),
        Refusal(426, start, upgrade, connection, key),
        Refusal(426, start, upgrade, connection, key, "Sec-WebSocket-Version: 8\r\n"),
        Refusal(426, start, upgrade, connection, key, "Sec-WebSocket-Version: 013\r\n"),
        Refusal(426, start, upgrade, connection, key, "Sec-WebSocket-Version: 13, 8\r\n"),
        Refusal(426, start, upgrade, connection, key, version, version),
    ]

    @Test("handshakes that are refused (ws-hs-05, ws-hs-07)", arguments: refusals)
    func refused(_ sample: Refusal) throws {
        let answer = try answer(sample.text)
        #expect(answer.status == sample.status)
        if sample.status == 426 {
            #expect(answer.fields["Upgrade"] == "websocket")
            #expect(answer.fields["Sec-WebSocket-Version"] == "13")
        }
        if sample.status == 405 { #expect(answer.fields["Allow"] == "GET") }
    }
}

@Suite("Opening handshake, the client's side")
struct ClientHandshakeTests {
    @Test("client and server agree, and frames that follow the 101 at once are left over")
    func agree() throws {
        let client = WebSocketClientHandshake(
            authority: "localhost:7357", target: "/_bridge/ws", subprotocols: ["x", "bridgehead.1"],
            fields: ["Origin": "http://localhost"])
        var request: [UInt8] = []
        try client.request.append(to: &request)
        let head = try requestHead(String(decoding: request, as: UTF8.self))
        #expect(head.fields["origin"] == "http://localhost" && head.target.path == "/_bridge/ws")
        guard
            case .accept(let response, "bridgehead.1") = WebSocketHandshake.answer(head, subprotocols: ["bridgehead.1"])
        else {
            Issue.record("refused")
            return
        }
        var bytes: [UInt8] = []
        response.append(to: &bytes, answering: head, keepAlive: true)
        bytes += [0x81, 0x00]
        let (answer, rest) = try responseHead(bytes)
        #expect(try client.check(answer) == "bridgehead.1")
        #expect(rest == [0x81, 0x00])
    }

    @Test("keys are fresh")
    func keys() {
        let keys = (0..<8).map { _ in
            WebSocketClientHandshake(authority: "a", target: "/").request.fields["Sec-WebSocket-Key"]
        }
        #expect(Set(keys).count == 8)
        #expect(keys.allSatisfy { $0?.utf8.count == 24 })
    }

    @Test(
        "answers that are no WebSocket",
        arguments: [
            ("status", "HTTP/1.1 200 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"),
            ("upgrade", "HTTP/1.1 101 x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n"),
            ("no upgrade", "HTTP/1.1 101 x\r\nConnection: Upgrade\r\n"),
            ("connection", "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: close\r\n"),
            ("accept", "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n"),
            (
                "extension",
                "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Extensions: x\r\n"
            ),
            (
                "protocol",
                "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: y\r\n"
            ),
        ])
    func refused(name: String, lines: String) throws {
        let client = WebSocketClientHandshake(authority: "a", target: "/", subprotocols: ["x"])
        var request: [UInt8] = []
        try client.request.append(to: &request)
        guard
            case .accept(let response, _) = WebSocketHandshake.answer(
                try requestHead(String(decoding: request, as: UTF8.self)))
        else {
            Issue.record("refused")
            return
        }
        let accept = "Sec-WebSocket-Accept: \(response.fields["Sec-WebSocket-Accept"] ?? "")\r\n"
        let (head, _) = try responseHead(Array((lines + accept + "\r\n").utf8))
        #expect(throws: WebSocketClientHandshake.Failure.self) { try client.check(head) }
        // Without the fault it is one.
        let good = "HTTP/1.1 101 x\r\nUpgrade: WebSocket\r\nConnection: a, upgrade\r\n"
        #expect(try client.check(responseHead(Array((good + accept + "\r\n").utf8)).head) == nil)
    }
}

struct NoHead: Error { var event: String }

func requestHead(_ text: String) throws -> HTTPRequestHead {
    var parser = HTTPRequestParser()
    let event = Array(text.utf8).withUnsafeBytes { buffer in
        var input = buffer
        return parser.next(&input)
    }
    guard case .head(let head) = event else { throw NoHead(event: "\(event)") }
    return head
}

func responseHead(_ bytes: [UInt8]) throws -> (head: HTTPResponseHead, rest: [UInt8]) {
    var parser = HTTPResponseParser(answering: .get)
    let (event, rest) = bytes.withUnsafeBytes { buffer in
        var input = buffer
        let event = parser.next(&input)
        return (event, Array(input))
    }
    guard case .head(let head) = event else { throw NoHead(event: "\(event)") }
    return (head, rest)
}
