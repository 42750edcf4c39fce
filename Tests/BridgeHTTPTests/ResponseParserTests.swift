import BridgeHTTP
import Testing

@Suite("Response parser")
struct ResponseParserTests {
    enum Item: Equatable {
        case head(Int)
        case body([UInt8])
        case end
        case failure
    }

    func read(_ text: String, answering method: HTTPMethod = .get, limits: HTTPLimits = HTTPLimits()) -> [Item] {
        var expected: [Item]?
        for pieces in cuts(of: Array(text.utf8)) {
            var parser = HTTPResponseParser(answering: method, limits: limits)
            var items: [Item] = []
            for piece in pieces { feed(piece, to: &parser, items: &items) }
            switch parser.finish() {
            case .end: items.append(.end)
            case .failure: if items.last != .failure { items.append(.failure) }
            default: break
            }
            if let expected { #expect(items == expected, "cut as \(pieces.map(\.count))") }
            expected = expected ?? items
        }
        return expected ?? []
    }

    func feed(_ piece: [UInt8], to parser: inout HTTPResponseParser, items: inout [Item]) {
        piece.withUnsafeBytes { buffer in
            var input = buffer
            while true {
                switch parser.next(&input) {
                case .needMore:
                    #expect(input.isEmpty)
                    return
                case .head(let head): items.append(.head(head.status))
                case .body(let part):
                    if case .body(let before) = items.last {
                        items[items.count - 1] = .body(before + part)
                    } else {
                        items.append(.body(Array(part)))
                    }
                case .end: items.append(.end)
                case .failure:
                    if items.last != .failure { items.append(.failure) }
                    return
                }
            }
        }
    }

    static let hi = Array("hi".utf8)

    @Test(
        "bodies by length, chunks and the end of the connection; interim answers passed over",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", [.head(200), .body(hi), .end]),
            ("HTTP/1.7 200 OK\r\nContent-Length: 2\r\n\r\nhi", [.head(200), .body(hi), .end]),
            ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", [.head(200), .end]),
            ("HTTP/1.0 404 Not \u{E9} Found\r\n\r\nhi", [.head(404), .body(hi), .end]),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
                [.head(200), .body(hi), .end]
            ),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", [.head(204), .end]),
            ("HTTP/1.1 304 x\r\nContent-Length: 5\r\n\r\n", [.head(304), .end]),
            (
                "HTTP/1.1 200 a\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 201 b\r\nContent-Length: 0\r\n\r\n",
                [.head(200), .body(hi), .end, .head(201), .end]
            ),
            ("", []),
        ] as [(String, [Item])])
    func taken(text: String, items: [Item]) {
        #expect(read(text) == items)
    }

    @Test(
        "faults",
        arguments: [
            "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 -20 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n",
            "HTTP/2.0 200 OK\r\n\r\n", "HTTX/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\n\n",
            "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
        ])
    func faults(text: String) {
        #expect(read(text).last == .failure)
    }

    @Test("HEAD has no body, whatever the length says; the next answer follows")
    func head() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        #expect(read(text + text, answering: .head) == [.head(200), .end, .head(200), .end])
    }

    @Test("101: what follows is left to the caller")
    func upgrade() {
        var parser = HTTPResponseParser(answering: .get)
        let text = "HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n\u{1}\u{2}"
        Array(text.utf8).withUnsafeBytes { buffer in
            var input = buffer
            guard case .head(let head) = parser.next(&input) else {
                Issue.record("no head")
                return
            }
            #expect(head.status == 101 && head.fields["upgrade"] == "websocket")
            #expect(Array(input) == [1, 2])
        }
    }

    @Test("bodies until the end are limited too", arguments: [(-1, false), (0, false), (1, true)])
    func limit(offset: Int, fails: Bool) {
        let body = String(repeating: "x", count: 10 + offset)
        let items = read("HTTP/1.1 200 OK\r\n\r\n\(body)", limits: HTTPLimits(body: 10))
        #expect((items.last == .failure) == fails)
    }
}
