import BridgeHTTP

/// An answer as it came, whole.
struct HTTPReply: Sendable {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]
    let keepsAlive: Bool

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(field: String) -> String? { fields[field] }
}

extension RawClient {
    /// Reads one answer.
    func reply(to method: HTTPMethod = .get) async throws -> HTTPReply {
        let head = try await text(through: "\r\n\r\n")
        var parser = HTTPResponseParser(answering: method, limits: HTTPLimits(body: .max))
        let parsed: HTTPResponseHead = try Array(head.utf8).withUnsafeBytes { bytes in
            var input = UnsafeRawBufferPointer(bytes)
            guard case .head(let head) = parser.next(&input) else { throw Closed(received: head) }
            return head
        }
        var body: [UInt8] = []
        switch parsed.body {
        case .length(let count): body = try await bytes(count)
        case .untilClose: body = Array(await rest().utf8)
        case .chunked: throw Closed(received: head)
        }
        return HTTPReply(status: parsed.status, fields: parsed.fields, body: body, keepsAlive: parsed.keepsAlive)
    }

    /// Sends a request and reads its answer.
    func request(
        _ line: String, _ fields: [String] = [], host: String = "localhost", body: String? = nil
    ) async throws -> HTTPReply {
        send(RequestText.text(line, fields, host: host, body: body))
        let method = HTTPMethod(rawValue: String(line.prefix { $0 != " " }))
        return try await reply(to: method)
    }

    func call(_ json: String, _ fields: [String] = ["Content-Type: application/json"]) async throws -> HTTPReply {
        try await request("POST /_bridge/rpc", fields, body: json)
    }
}
