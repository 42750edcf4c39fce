/// A request up to its body, checked as a whole.
package struct HTTPRequestHead: Sendable {
    package let method: HTTPMethod
    package let target: HTTPTarget
    package let version: HTTPVersion
    package let fields: HTTPFields
    /// Of an absolute target, else of `Host` (RFC 9112, section 3.3).
    package let authority: HTTPAuthority
    package let body: HTTPBodyFraming
    /// The peer waits for `100 Continue` before it sends the body.
    package let expectsContinue: Bool
    /// What the peer asks for; the connection persists when the answer agrees (RFC 9112, section 9.3).
    package let keepsAlive: Bool

    /// Checks what holds across fields: `Host`, framing, `Expect`.
    init(
        method: HTTPMethod, target: HTTPTarget, version: HTTPVersion, fields: HTTPFields
    ) throws(HTTPFailure) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
        authority = try Self.authority(target: target, version: version, fields: fields)
        body = try HTTPBodyFraming(request: fields, version: version)

        let expectations = fields.elements("Expect")
        guard expectations.allSatisfy({ $0.utf8.equalsIgnoringCase("100-continue".utf8) }) else {
            throw HTTPFailure(417, "unknown expectation")
        }
        // RFC 9110, section 10.1.1: to be ignored in HTTP/1.0.
        expectsContinue = !expectations.isEmpty && version == .http11 && body != .length(0)
        keepsAlive = HTTPConnection.persists(version: version, fields: fields)
    }

    /// The protocols the peer would switch to, as written; empty unless `Connection` names `Upgrade` too.
    package var upgrades: [String] {
        version == .http11 && fields.contains(token: "upgrade", in: "Connection") ? fields.elements("Upgrade") : []
    }

    private static func authority(
        target: HTTPTarget, version: HTTPVersion, fields: HTTPFields
    ) throws(HTTPFailure) -> HTTPAuthority {
        let hosts = fields.values("Host")
        guard hosts.count <= 1 else { throw HTTPFailure(400, "more than one Host") }
        var named: HTTPAuthority?
        if let host = hosts.first {
            named = HTTPAuthority(parsing: host)
            guard named != nil else { throw HTTPFailure(400, "malformed Host") }
        } else if version == .http11 {
            throw HTTPFailure(400, "no Host")
        }
        guard let authority = target.authority ?? named else { throw HTTPFailure(400, "no Host") }
        return authority
    }
}

enum HTTPConnection {
    /// RFC 9112, section 9.3.
    static func persists(version: HTTPVersion, fields: HTTPFields) -> Bool {
        let options = fields.elements("Connection")
        func has(_ option: String) -> Bool { options.contains { $0.utf8.equalsIgnoringCase(option.utf8) } }
        return !has("close") && (version == .http11 || has("keep-alive"))
    }
}
