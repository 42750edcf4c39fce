import BridgeHTTP

/// Text of requests, and the heads that the server's own parser reads from it.
enum RequestText {
    static func head(_ line: String, host: String = "localhost:7357", _ fields: [String] = []) throws -> HTTPRequestHead
    {
        let text = "\(line) HTTP/1.1\r\nHost: \(host)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
        var parser = HTTPRequestParser()
        return try Array(text.utf8).withUnsafeBytes { bytes in
            var input = UnsafeRawBufferPointer(bytes)
            switch parser.next(&input) {
            case .head(let head): return head
            case .failure(let failure): throw failure
            case .needMore, .body, .end: throw HTTPFailure(0, "no head in \(text)")
            }
        }
    }
}
