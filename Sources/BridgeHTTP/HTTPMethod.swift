/// A request method. Any token is one; whether it is served is not the parser's business (RFC 9110, section 9).
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// Case-sensitive.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let delete = HTTPMethod(rawValue: "DELETE")
    package static let options = HTTPMethod(rawValue: "OPTIONS")
    package static let connect = HTTPMethod(rawValue: "CONNECT")
    package static let trace = HTTPMethod(rawValue: "TRACE")
    package static let patch = HTTPMethod(rawValue: "PATCH")
}

/// The versions spoken.
package enum HTTPVersion: String, Sendable {
    case http10 = "HTTP/1.0"
    case http11 = "HTTP/1.1"

    /// Reads `HTTP/` DIGIT `.` DIGIT. A higher minor version is taken as the highest that is spoken (RFC 9110, section
    /// 2.5); another major version is refused with 505.
    init(parsing bytes: ArraySlice<UInt8>) throws(HTTPFailure) {
        let bytes = Array(bytes)
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), bytes[5].isDigit, bytes[6] == 0x2E,
            bytes[7].isDigit
        else { throw HTTPFailure(400, "malformed HTTP version") }
        guard bytes[5] == 0x31 else { throw HTTPFailure(505, "HTTP/1.0 and HTTP/1.1 are spoken here") }
        self = bytes[7] == 0x30 ? .http10 : .http11
    }
}
