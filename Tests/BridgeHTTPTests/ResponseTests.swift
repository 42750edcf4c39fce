import BridgeHTTP
import Testing

@Suite("Responses written")
struct ResponseTests {
    func written(_ response: HTTPResponse, to request: String?, keepAlive: Bool = true) throws -> String {
        var output: [UInt8] = []
        response.append(to: &output, answering: try request.map { try head(of: $0) }, keepAlive: keepAlive)
        return String(decoding: output, as: UTF8.self)
    }

    let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    let answer = HTTPResponse(200, ["X": "y"], body: Array("hello".utf8))

    @Test("a body with its length")
    func plain() throws {
        #expect(try written(answer, to: get) == "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 5\r\n\r\nhello")
        #expect(try written(HTTPResponse(200), to: get) == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(try written(HTTPResponse(299), to: get).hasPrefix("HTTP/1.1 299 \r\n"))
    }

    @Test("HEAD: the length, no body")
    func headRequest() throws {
        let request = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(try written(answer, to: request) == "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 5\r\n\r\n")
    }

    @Test("204, 304 and 101: neither", arguments: [204, 304, 101])
    func bodiless(status: Int) throws {
        let text = try written(HTTPResponse(status, body: [1]), to: get)
        #expect(text == "HTTP/1.1 \(status) \(HTTPStatus.reason(status))\r\n\r\n")
    }

    @Test("Connection says how it goes on")
    func connection() throws {
        let close = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let empty = HTTPResponse(200)
        #expect(try written(empty, to: get, keepAlive: false) == close)
        #expect(try written(empty, to: nil) == close)
        #expect(try written(empty, to: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") == close)
        #expect(try written(empty, to: "GET / HTTP/1.0\r\nHost: a\r\n\r\n") == close)
        #expect(
            try written(empty, to: "GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n")
                == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n")
    }

    @Test("100 Continue is bare (http-05)")
    func interim() {
        var output: [UInt8] = []
        HTTPResponse.appendContinue(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
    }
}

@Suite("Requests written")
struct RequestWritingTests {
    @Test("what is written is read as meant")
    func roundTrip() throws {
        var output: [UInt8] = []
        try HTTPRequest(
            .post, "/_bridge/rpc?x=1", authority: "localhost:7357", fields: ["Content-Type": "application/json"],
            body: Array("{}".utf8)
        ).append(to: &output)
        let items = readRequests(output)
        #expect(
            items == [
                .head(
                    "POST /_bridge/rpc?x=1 HTTP/1.1 | authority=localhost:7357 body=length(2) keepsAlive=true"
                        + " | Host: localhost:7357 | Content-Type: application/json | Content-Length: 2"),
                .body(Array("{}".utf8)), .end,
            ])
    }

    @Test("nothing is written that would be read otherwise")
    func refused() {
        for request in [
            HTTPRequest(.get, "/a b", authority: "a"), HTTPRequest(.get, "/\r\nX: y", authority: "a"),
            HTTPRequest(.get, "/", authority: "a\r\nX: y"),
            HTTPRequest(HTTPMethod(rawValue: "G T"), "/", authority: "a"),
            HTTPRequest(.get, "", authority: "a"),
        ] {
            var output: [UInt8] = []
            #expect(throws: HTTPFailure.self) { try request.append(to: &output) }
            #expect(output.isEmpty)
        }
    }
}
