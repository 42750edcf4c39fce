/// What a request asks for, in the four forms of RFC 9112, section 3.2.
package struct HTTPTarget: Sendable, Hashable {
    package enum Form: Sendable, Hashable {
        case origin
        case absolute(scheme: String)
        case authority
        case asterisk
    }

    package let form: Form
    /// As sent, percent-encoded; begins with `/` in the origin and absolute forms, `*` or empty in the others.
    package let path: String
    /// What follows the first `?`, as sent; nil without one.
    package let query: String?
    /// Of the absolute and authority forms.
    package let authority: HTTPAuthority?

    /// Reads a target as `method` may have it. Only visible ASCII, and no fragment.
    package init(parsing text: some Collection<UInt8>, method: HTTPMethod) throws(HTTPFailure) {
        guard !text.isEmpty, text.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }) else {
            throw HTTPFailure(400, "malformed request target")
        }
        let text = String(decoding: text, as: UTF8.self)
        if method == .connect {
            guard let authority = HTTPAuthority(parsing: text), !authority.host.isEmpty, authority.port != nil
            else {
                throw HTTPFailure(400, "CONNECT wants host:port as its target")
            }
            self.init(form: .authority, path: "", query: nil, authority: authority)
        } else if text.utf8.first == 0x2F {
            let (path, query) = Self.split(text[...])
            self.init(form: .origin, path: path, query: query, authority: nil)
        } else if text == "*" {
            guard method == .options else { throw HTTPFailure(400, "only OPTIONS may have * as its target") }
            self.init(form: .asterisk, path: "*", query: nil, authority: nil)
        } else {
            try self.init(absolute: text)
        }
    }

    private init(form: Form, path: String, query: String?, authority: HTTPAuthority?) {
        self.form = form
        self.path = path
        self.query = query
        self.authority = authority
    }

    private init(absolute text: String) throws(HTTPFailure) {
        let malformed = HTTPFailure(400, "malformed request target")
        guard let colon = text.utf8.firstIndex(of: 0x3A), text[colon...].hasPrefix("://") else { throw malformed }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" || scheme == "ws" || scheme == "wss" else { throw malformed }
        let rest = text[colon...].dropFirst(3)
        let end = rest.utf8.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
        guard let authority = HTTPAuthority(parsing: rest[..<end]), !authority.host.isEmpty else { throw malformed }
        let (path, query) = Self.split(rest[end...])
        self.init(
            form: .absolute(scheme: scheme), path: path.isEmpty ? "/" : path, query: query, authority: authority)
    }

    private static func split(_ text: Substring) -> (path: String, query: String?) {
        guard let mark = text.utf8.firstIndex(of: 0x3F) else { return (String(text), nil) }
        return (String(text[..<mark]), String(text[text.utf8.index(after: mark)...]))
    }

    /// The first value of a name in the query, read as a form (`+` is a space); nil when missing or badly escaped.
    package func queryValue(_ name: String) -> String? {
        for item in (query ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { Self.percentDecoded(String($0.map { $0 == "+" ? " " : $0 })) }
            guard let found = texts.first, found == name else { continue }
            return texts.count == 2 ? texts[1] : ""
        }
        return nil
    }

    /// Decodes percent escapes, strictly: nil for a bad escape, for what is no UTF-8 then, and for NUL.
    /// Decode each segment of a path by itself, or `%2F` passes for a separator.
    package static func percentDecoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var iterator = text.utf8.makeIterator()
        while let byte = iterator.next() {
            if byte == 0x25 {
                guard let high = iterator.next()?.hexadecimalValue, let low = iterator.next()?.hexadecimalValue else {
                    return nil
                }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte)
            }
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}
