/// How long a body is (RFC 9112, section 6.3).
package enum HTTPBodyFraming: Sendable, Hashable {
    /// That many bytes; 0 when there is no body.
    case length(Int)
    case chunked
    /// Responses alone: all there is until the connection ends.
    case untilClose

    /// Refuses whatever two readers could understand differently.
    init(request fields: HTTPFields, version: HTTPVersion) throws(HTTPFailure) {
        self = try Self.declared(fields, version: version) ?? .length(0)
    }

    /// - Parameter method: of the request that is answered.
    init(
        response fields: HTTPFields, status: Int, version: HTTPVersion, answering method: HTTPMethod
    ) throws(HTTPFailure) {
        if method == .head || status / 100 == 1 || status == 204 || status == 304 {
            self = .length(0)
        } else {
            self = try Self.declared(fields, version: version) ?? .untilClose
        }
    }

    private static func declared(
        _ fields: HTTPFields, version: HTTPVersion
    ) throws(HTTPFailure) -> HTTPBodyFraming? {
        let lengths = fields.bytes("Content-Length")
        if fields.count(of: "Transfer-Encoding") > 0 {
            let codings = fields.elements("Transfer-Encoding").map { $0.lowercased() }
            guard version == .http11 else { throw HTTPFailure(400, "Transfer-Encoding in HTTP/1.0") }
            guard lengths.isEmpty else { throw HTTPFailure(400, "Transfer-Encoding with Content-Length") }
            guard codings != ["chunked"] else { return .chunked }
            guard !codings.isEmpty, !codings.dropLast().contains("chunked") else {
                throw HTTPFailure(400, "malformed Transfer-Encoding")
            }
            throw HTTPFailure(501, "no transfer coding but chunked is understood")
        }
        guard let digits = lengths.first else { return nil }
        guard lengths.count == 1 else { throw HTTPFailure(400, "more than one Content-Length") }
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else {
            throw HTTPFailure(400, "malformed Content-Length")
        }
        guard let length = Int(String(decoding: digits, as: UTF8.self)) else {
            throw HTTPFailure(413, "Content-Length beyond all limits")
        }
        return .length(length)
    }
}
