import BridgeHTTP

/// Text of requests, and the heads that the server's own parser reads from it.
enum RequestText {
    static func text(
        _ line: String, _ fields: [String] = [], host: String = "localhost", body: String? = nil
    ) -> String {
        var fields = ["Host: \(host)"] + fields
        if let body { fields.append("Content-Length: \(body.utf8.count)") }
        return "\(line) HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + (body ?? "")
    }

    static func call(_ json: String) -> String {
        text("POST /_bridge/rpc", ["Content-Type: application/json"], body: json)
    }

    static let upgrade = [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]

    static func head(
        _ line: String, host: String = "localhost:7357", _ fields: [String] = []
    ) throws -> HTTPRequestHead {
        var parser = HTTPRequestParser()
        return try Array(text(line, fields, host: host).utf8).withUnsafeBytes { bytes in
            var input = UnsafeRawBufferPointer(bytes)
            switch parser.next(&input) {
            case .head(let head): return head
            case .failure(let failure): throw failure
            case .needMore, .body, .end: throw HTTPFailure(0, "no head in \(line)")
            }
        }
    }
}
