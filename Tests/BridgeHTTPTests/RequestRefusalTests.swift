import BridgeHTTP
import Testing

@Suite("Request parser: what is refused, and how")
struct RequestRefusalTests {
    struct Refused: CustomTestStringConvertible, Sendable {
        var status: Int
        var text: String
        var testDescription: String { "\(status) \(text.debugDescription)" }

        init(_ status: Int, _ text: String) {
            self.status = status
            self.text = text
        }

        /// A request with these field lines besides `Host`.
        static func fields(_ status: Int, _ lines: String, version: String = "HTTP/1.1") -> Refused {
            Refused(status, "POST / \(version)\r\nHost: a\r\n\(lines)\r\n\r\n")
        }

        /// A chunked body.
        static func chunks(_ status: Int, _ body: String) -> Refused {
            fields(status, "Transfer-Encoding: chunked\r\n\r\n\(body)")
        }
    }

    static let lines: [Refused] = [
        Refused(400, "\n"), Refused(400, "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"), Refused(400, "\rX"),
        Refused(400, " GET / HTTP/1.1\r\n"), Refused(400, "GET / HTTP/1.1\nHost: a\n\n"),
        Refused(400, "GET / HTTP/1.1\rHost: a\r\r"), Refused(400, "GET  / HTTP/1.1\r\n"),
        Refused(400, "GET / HTTP/1.1 \r\n"), Refused(400, "GET /\r\n"), Refused(400, "GET / \r\n"),
        Refused(400, "G(T / HTTP/1.1\r\n"), Refused(400, "GET /a b HTTP/1.1\r\n"), Refused(400, "GET\t/ HTTP/1.1\r\n"),
        Refused(400, "GET /é HTTP/1.1\r\n"), Refused(400, "GET /\0 HTTP/1.1\r\n"), Refused(400, "GET /#x HTTP/1.1\r\n"),
        Refused(400, "\u{16}\u{3}\u{1}\u{2}\0"), Refused(400, "GET x HTTP/1.1\r\n"), Refused(400, "GET * HTTP/1.1\r\n"),
        Refused(400, "CONNECT / HTTP/1.1\r\n"), Refused(400, "CONNECT a HTTP/1.1\r\n"),
        Refused(400, "CONNECT :1 HTTP/1.1\r\n"), Refused(400, "GET ftp://a/ HTTP/1.1\r\n"),
        Refused(400, "GET http:///x HTTP/1.1\r\n"), Refused(400, "GET http://u@a/ HTTP/1.1\r\n"),
        Refused(400, "GET / http/1.1\r\n"), Refused(400, "GET / HTTP/1.10\r\n"), Refused(400, "GET / HTTP/1,1\r\n"),
        Refused(505, "GET / HTTP/2.1\r\n"), Refused(505, "GET / HTTP/0.9\r\n"),
        Refused(505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ]

    static let fields: [Refused] = [
        .fields(400, "X: a\r\n b"), .fields(400, "X: a\r\n\tb"), Refused(400, "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
        .fields(400, "X : a"), .fields(400, ": a"), .fields(400, "X"), .fields(400, "X\u{E9}: a"),
        .fields(400, "X: a\nY: b"),
        .fields(400, "X: a\rY: b"), .fields(400, "X: a\0b"), .fields(400, "X: a\u{7F}"), .fields(400, "X: a\u{8}"),
        .fields(400, "X: a\r\r"), Refused(400, "GET / HTTP/1.1\r\nHost: a\r\n\rX"),
        // Host (RFC 9112, section 3.2)
        Refused(400, "GET / HTTP/1.1\r\n\r\n"), Refused(400, "GET / HTTP/1.0\r\n\r\n"),
        Refused(400, "GET http://a/ HTTP/1.1\r\n\r\n"), .fields(400, "host: a"), .fields(400, "HOST: b"),
        Refused(400, "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"), Refused(400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Refused(400, "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"), Refused(400, "GET / HTTP/1.1\r\nHost: a:x\r\n\r\n"),
        // Expect
        .fields(417, "Expect: 200-ok"), .fields(417, "Expect: 100-continue, other"),
        .fields(417, "Expect: 100-continue=1"),
    ]

    static let framing: [Refused] = [
        // http-01: the inner request is never seen
        .fields(400, "Content-Length: 36\r\nContent-Length: 0\r\n\r\nGET /x HTTP/1.1\r\nHost: a"),
        .fields(400, "Content-Length: 3\r\nContent-Length: 1"), .fields(400, "Content-Length: 3\r\nContent-Length: 3"),
        .fields(400, "Content-Length: 3, 3"), .fields(400, "Content-Length: +3"), .fields(400, "Content-Length: -3"),
        .fields(400, "Content-Length:"), .fields(400, "Content-Length: 0x3"), .fields(400, "Content-Length: 3 3"),
        .fields(400, "Content-Length: ٣"), .fields(413, "Content-Length: 9223372036854775808"),
        .fields(413, "Content-Length: 99999999999999999999999999999999"),
        .fields(413, "Content-Length: 9223372036854775807"),
        .fields(400, "Content-Length: 3\r\nTransfer-Encoding: chunked"),
        .fields(400, "Transfer-Encoding: chunked\r\nContent-Length: 3"),
        .fields(400, "Transfer-Encoding: chunked", version: "HTTP/1.0"),
        .fields(501, "Transfer-Encoding: gzip"), .fields(501, "Transfer-Encoding: gzip, chunked"),
        .fields(501, "Transfer-Encoding: identity"), .fields(501, "Transfer-Encoding: xchunked"),
        .fields(501, "Transfer-Encoding: chunked;q=1"), .fields(400, "Transfer-Encoding: chunked, chunked"),
        .fields(400, "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        .fields(400, "Transfer-Encoding: chunked, gzip"), .fields(400, "Transfer-Encoding:"),
        .fields(400, "Transfer-Encoding : chunked"), .fields(400, "Transfer-Encoding: \u{B}chunked"),
        // http-03
        .chunks(400, "3\r\nabcXX0\r\n\r\n"), .chunks(400, "3\r\nabc\n0\r\n\r\n"),
        .chunks(400, "3\r\nabcX\n0\r\n\r\n"), .chunks(400, "3\r\nabc\rX0\r\n\r\n"), .chunks(400, "3\r\nabcd\r\n"),
        .chunks(400, "\r\n"), .chunks(400, "+3\r\nabc"), .chunks(400, "-3\r\nabc"), .chunks(400, "0x3\r\nabc"),
        .chunks(400, " 3\r\nabc"), .chunks(400, "3 \r\nabc"), .chunks(400, "3 x\r\nabc"), .chunks(400, "3\nabc"),
        .chunks(400, "3\rabc"), .chunks(400, "3;a\nabc"), .chunks(400, "3;a\0\r\nabc"), .chunks(400, ";a\r\n"),
        .chunks(400, "g\r\n"), .chunks(413, "FFFFFFFFFFFFFFFF\r\n"), .chunks(413, "10000000000000000\r\n"),
        .chunks(413, "7FFFFFFFFFFFFFFF\r\n"), .chunks(400, "0\r\nX : y\r\n\r\n"), .chunks(400, "0\r\n folded\r\n\r\n"),
        .chunks(400, "0\r\n\n"), .chunks(400, "0\r\nX: y\nZ: z\r\n"),
    ]

    @Test("one fault, one status, at whatever byte the input is cut", arguments: lines + fields + framing)
    func refuses(_ sample: Refused) {
        let items = readRequests(sample.text)
        #expect(items.last == .failure(sample.status), "\(items)")
        #expect(items.count { if case .head = $0 { true } else { false } } <= 1)
        #expect(!items.contains(.end))
    }

    @Test("a fault is told before the line is whole: TLS to a plain port, a folded line")
    func early() {
        #expect(readRequests([0x16]) == [.failure(400)])
        #expect(readRequests("GET / HTTP/1.1\r\n ") == [.failure(400)])
        #expect(readRequests("GET / HTTP/3.0\r\n") == [.failure(505)])
    }
}

@Suite("Request parser: limits, inclusive, at -1, 0, +1")
struct RequestLimitTests {
    let limits = HTTPLimits(requestLine: 40, fieldBlock: 60, fields: 4, body: 20)

    @Test("request line: 414 at the byte that passes it", arguments: [(-1, nil), (0, nil), (1, 414)] as [(Int, Int?)])
    func requestLine(offset: Int, status: Int?) {
        let filler = String(repeating: "a", count: 40 + offset - "GET / HTTP/1.1".count)
        let items = readRequests("GET /\(filler) HTTP/1.1\r\nHost: a\r\n\r\n", limits: limits)
        #expect(items.last == status.map { .failure($0) } ?? .end)
        let endless = readRequests(String(repeating: "a", count: 40 + offset), limits: limits)
        #expect(endless == (status.map { [.failure($0)] } ?? []))
    }

    @Test("field block: 431 at the byte that passes it", arguments: [(-1, nil), (0, nil), (1, 431)] as [(Int, Int?)])
    func fieldBlock(offset: Int, status: Int?) {
        let filler = String(repeating: "a", count: 60 + offset - "Host: a\r\nX: \r\n".utf8.count)
        let items = readRequests("GET / HTTP/1.1\r\nHost: a\r\nX: \(filler)\r\n\r\n", limits: limits)
        #expect(items.last == status.map { .failure($0) } ?? .end)
        let spaces = String(repeating: " ", count: 60 + offset - "Host:".count)
        #expect(
            readRequests("GET / HTTP/1.1\r\nHost:\(spaces)", limits: limits) == (status.map { [.failure($0)] } ?? []))
    }

    @Test("number of fields: 431", arguments: [(-1, nil), (0, nil), (1, 431)] as [(Int, Int?)])
    func fields(offset: Int, status: Int?) {
        let more = String(repeating: "X:\r\n", count: 3 + offset)
        let items = readRequests("GET / HTTP/1.1\r\nHost: a\r\n\(more)\r\n", limits: limits)
        #expect(items.last == status.map { .failure($0) } ?? .end)
    }

    @Test("trailers: the same limits", arguments: [(-1, nil), (0, nil), (1, 431)] as [(Int, Int?)])
    func trailers(offset: Int, status: Int?) {
        let start = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        let many = String(repeating: "X:\r\n", count: 4 + offset)
        #expect(readRequests("\(start)\(many)\r\n", limits: limits).last == status.map { .failure($0) } ?? .end)
        let long = String(repeating: "a", count: 60 + offset - "X: \r\n".utf8.count)
        #expect(readRequests("\(start)X: \(long)\r\n\r\n", limits: limits).last == status.map { .failure($0) } ?? .end)
    }

    @Test("body: 413 from the length alone, before its first byte", arguments: [-1, 0, 1])
    func countedBody(offset: Int) {
        let start = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(20 + offset)\r\n\r\n"
        let items = readRequests(start, limits: limits)
        #expect(items.last == .failure(413) ? offset > 0 : offset <= 0)
        #expect(items.count == (offset > 0 ? 2 : 1))
    }

    @Test("chunked body: 413 at the size that passes it", arguments: [-1, 0, 1])
    func chunkedBody(offset: Int) {
        let start = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let body = String(repeating: "x", count: 16)
        let items = readRequests("\(start)10\r\n\(body)\r\n\(4 + offset)", limits: limits)
        #expect((items.last == .failure(413)) == (offset > 0))
        #expect(items.dropFirst().first == .body(Array(body.utf8)))
    }

    @Test("the caller sets another limit for a request, up or down")
    func perRequest() {
        let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 21\r\n\r\n" + String(repeating: "x", count: 21)
        #expect(readRequests(request + request, limits: limits, bodyLimit: 21).count { $0 == .end } == 2)
        #expect(readRequests(request, bodyLimit: 20).last == .failure(413))
    }

    @Test("chunk extensions are bounded")
    func extensions() {
        let start = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        func chunk(_ count: Int) -> String { "\(start)1;\(String(repeating: "e", count: count))\r\nx\r\n0\r\n\r\n" }
        #expect(readRequests(chunk(200)).last == .end)
        #expect(readRequests(chunk(300)).last == .failure(400))
        let zeros = "\(start)\(String(repeating: "0", count: 300))1\r\nx\r\n0\r\n\r\n"
        #expect(readRequests(zeros).last == .failure(400))
    }

    @Test("the default limits are those of the wire contract")
    func defaults() {
        let limits = HTTPLimits()
        #expect(limits.requestLine == 8_192)
        #expect(limits.fieldBlock == 32_768)
        #expect(limits.fields == 100)
        #expect(limits.body == 16_777_216)
    }
}
