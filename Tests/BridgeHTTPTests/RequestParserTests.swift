import BridgeHTTP
import Testing

@Suite("Request parser: what is taken")
struct RequestParserTests {
    struct Accepted: CustomTestStringConvertible, Sendable {
        var name: String
        var text: String
        var line: String
        var body = ""
        var testDescription: String { name }
    }

    static let accepted: [Accepted] = [
        Accepted(name: "plain", text: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", line: "GET / HTTP/1.1"),
        Accepted(name: "one blank line first", text: "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", line: "GET / HTTP/1.1"),
        Accepted(
            name: "query", text: "GET /a%20b?x=1?2 HTTP/1.1\r\nHost: a\r\n\r\n", line: "GET /a%20b?x=1?2 HTTP/1.1"),
        Accepted(name: "unknown method", text: "BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n", line: "BREW /pot HTTP/1.1"),
        Accepted(name: "HTTP/1.0", text: "GET / HTTP/1.0\r\nHost: a\r\n\r\n", line: "GET / HTTP/1.0"),
        Accepted(
            name: "HTTP/1.0, absolute, no Host", text: "GET http://a/ HTTP/1.0\r\n\r\n", line: "GET / HTTP/1.0"),
        Accepted(
            name: "a higher minor version", text: "GET / HTTP/1.2\r\nHost: a\r\n\r\n", line: "GET / HTTP/1.1"),
        Accepted(
            name: "the highest minor version, chunked",
            text: "POST / HTTP/1.9\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            line: "POST / HTTP/1.1", body: "x"),
        Accepted(
            name: "absolute form", text: "GET http://B:80/x?y HTTP/1.1\r\nHost: a\r\n\r\n", line: "GET /x?y HTTP/1.1"),
        Accepted(name: "OPTIONS *", text: "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", line: "OPTIONS * HTTP/1.1"),
        Accepted(name: "CONNECT", text: "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", line: "CONNECT  HTTP/1.1"),
        Accepted(
            name: "counted body", text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
            line: "POST / HTTP/1.1", body: "hello"),
        Accepted(
            name: "GET with a body", text: "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi",
            line: "GET / HTTP/1.1", body: "hi"),
        Accepted(
            name: "chunked",
            text: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "5\r\nhello\r\n00a;x=\"y\"\r\n, world!!!\r\n0\r\n\r\n",
            line: "POST / HTTP/1.1", body: "hello, world!!!"),
        Accepted(
            name: "chunked, trailers dropped",
            text: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "1 ;a\r\nx\r\n0\r\nContent-Length: 7\r\nX: y\r\n\r\n",
            line: "POST / HTTP/1.1", body: "x"),
        Accepted(
            name: "chunked, empty",
            text: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", line: "POST / HTTP/1.1"),
    ]

    @Test("one request, cut in every way, alone, repeated and with more after it", arguments: accepted)
    func accepts(_ sample: Accepted) throws {
        let once = readRequests(sample.text)
        guard case .head(let description)? = once.first else {
            Issue.record("no head: \(once)")
            return
        }
        #expect(description.hasPrefix(sample.line + " |"))
        let rest: [RequestItem] = sample.body.isEmpty ? [.end] : [.body(Array(sample.body.utf8)), .end]
        #expect(Array(once.dropFirst()) == rest)
        #expect(readRequests(sample.text + sample.text + sample.text) == once + once + once)
        #expect(readRequests(sample.text + "GET / HT") == once)
    }

    @Test("every byte of a value counts, be it UTF-8, Latin-1 or nothing (http-07)")
    func obsText() throws {
        var bytes = Array("POST / HTTP/1.1\r\nHost: a\r\nX-Name: ".utf8)
        bytes += [0xC3, 0xA9, 0x20, 0xE9, 0xFF] + Array(" \t\r\nX-Empty:\r\nContent-Length: 4\r\n\r\n".utf8)
        bytes += Array("😀".utf8)
        let items = readRequests(bytes)
        #expect(items.dropFirst() == [.body(Array("😀".utf8)), .end])

        var parser = HTTPRequestParser()
        let event = bytes.withUnsafeBytes { buffer in
            var input = buffer
            return parser.next(&input)
        }
        guard case .head(let head) = event else {
            Issue.record("no head")
            return
        }
        #expect(head.fields.bytes("x-name").map { Array($0) } == [[0xC3, 0xA9, 0x20, 0xE9, 0xFF]])
        #expect(head.fields["x-EMPTY"] == "")
    }

    @Test("what follows a head is left to the caller: frames that come with a handshake (RFC 6455, 4.1)")
    func leftover() throws {
        let text =
            "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nConnection: UPGRADE\r\nUpgrade: WebSocket\r\n\r\n"
        for cut in 0..<text.utf8.count {
            var parser = HTTPRequestParser()
            let bytes = Array(text.utf8)
            bytes[..<cut].withUnsafeBytes { buffer in
                var input = buffer
                guard case .needMore = parser.next(&input), input.isEmpty else {
                    Issue.record("not waiting at \(cut)")
                    return
                }
            }
            (bytes[cut...] + [0x81, 0x80, 0, 0]).withUnsafeBytes { buffer in
                var input = buffer
                guard case .head(let head) = parser.next(&input) else {
                    Issue.record("no head at \(cut)")
                    return
                }
                #expect(head.upgrades == ["WebSocket"])
                #expect(Array(input) == [0x81, 0x80, 0, 0])
            }
        }
    }

    @Test("the stage tells an idle connection from a cut request")
    func stages() {
        var reader = RequestReader()
        #expect(reader.parser.stage == .idle)
        reader.feed(Array("\r\n".utf8))
        #expect(reader.parser.stage == .idle)
        reader.feed(Array("P".utf8))
        #expect(reader.parser.stage == .head)
        reader.feed(Array("OST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n".utf8))
        #expect(reader.parser.stage == .body)
        reader.feed(Array("ok".utf8))
        #expect(reader.parser.stage == .idle)
        reader.feed(Array("\n".utf8))
        #expect(reader.parser.stage == .failed)
    }

    @Test(
        "connections persist by version and Connection, a list of tokens over any number of lines (RFC 9112, 9.3)",
        arguments: [
            ("HTTP/1.1", [], true), ("HTTP/1.1", ["Close"], false), ("HTTP/1.1", ["x, close ,y"], false),
            ("HTTP/1.1", ["keep-alive", "close"], false), ("HTTP/1.1", ["closed"], true), ("HTTP/1.0", [], false),
            ("HTTP/1.0", ["Keep-Alive"], true), ("HTTP/1.0", ["keep-alive, close"], false), ("HTTP/1.1", [","], true),
        ] as [(String, [String], Bool)])
    func keepAlive(version: String, connection: [String], expected: Bool) throws {
        let lines = connection.map { "Connection: \($0)\r\n" }.joined()
        #expect(try head(of: "GET / \(version)\r\nHost: a\r\n\(lines)\r\n").keepsAlive == expected)
    }

    @Test("100-continue is a flag, where there is a body to wait for (http-05)")
    func expectContinue() throws {
        let start = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n"
        #expect(try head(of: start + "Content-Length: 3\r\n\r\n").expectsContinue)
        #expect(try head(of: start + "Transfer-Encoding: chunked\r\n\r\n").expectsContinue)
        #expect(try !head(of: start + "\r\n").expectsContinue)
        #expect(
            try !head(of: "POST / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
                .expectsContinue)
    }

    @Test("upgrades count when Connection names them, in HTTP/1.1")
    func upgrades() throws {
        #expect(try head(of: "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\n").upgrades == [])
        #expect(
            try head(of: "GET / HTTP/1.0\r\nHost: a\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n").upgrades == [])
        #expect(
            try head(of: "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: a, b\r\nConnection: x,upgrade\r\n\r\n").upgrades
                == ["a", "b"])
    }

    @Test("seeded garbage and mutations give the same events however cut, and never a trap")
    func garbage() {
        var random = SeededGenerator(seed: 1)
        for round in 0..<3_000 {
            let bytes: [UInt8]
            if round % 4 == 0 {
                bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                    .random(in: .min ... .max, using: &random)
                }
            } else {
                let sample = Self.accepted[round % Self.accepted.count].text
                bytes = mutated(Array((sample + sample).utf8), using: &random)
            }
            var whole = RequestReader()
            whole.feed(bytes)
            var cut = RequestReader()
            for piece in randomCut(of: bytes, using: &random) { cut.feed(piece) }
            #expect(whole.items == cut.items, "seed 1, round \(round)")
        }
    }
}
