internal import BridgeHTTP

/// What a page's head says of being shown in a frame (CSP3, `frame-ancestors`; RFC 7034).
struct FrameRules {
    /// As a browser writes one: `http://localhost:7357`.
    struct Origin: Hashable {
        let scheme: String
        let host: String
        let port: Int?

        init?(_ text: some StringProtocol) {
            let parts = text.lowercased().split(separator: "://", maxSplits: 1)
            guard parts.count == 2, let authority = HTTPAuthority(parsing: parts[1].prefix { $0 != "/" && $0 != "?" })
            else { return nil }
            scheme = String(parts[0])
            host = authority.host
            port = authority.port.map(Int.init) ?? Self.defaultPort(scheme)
        }

        static func defaultPort(_ scheme: String) -> Int? { ["http": 80, "https": 443][scheme] }
    }

    let fields: HTTPFields
    let page: Origin

    /// The field that keeps the page out of that shell's frame; nil where none does.
    func refusal(of shell: Origin) -> String? {
        // Of several policies each has to allow it. Where there is one, the older field does not count.
        let lists = ancestors
        if !lists.isEmpty {
            let refusing = lists.first { list in !list.contains { allows(String($0), shell) } }
            return refusing.map { "Content-Security-Policy: frame-ancestors \($0.joined(separator: " "))" }
        }
        let options = Set(fields.elements("X-Frame-Options").map { $0.lowercased() })
        if options.contains("deny") || options.contains("sameorigin") && page != shell {
            return "X-Frame-Options: \(options.sorted().joined(separator: ", "))"
        }
        return nil
    }

    private var ancestors: [[Substring]] {
        fields.values("Content-Security-Policy").flatMap { $0.split(separator: ",") }.compactMap { policy in
            for directive in policy.split(separator: ";") {
                let words = directive.split { $0 == " " || $0 == "\t" }
                if words.first?.lowercased() == "frame-ancestors" { return Array(words.dropFirst()) }
            }
            return nil
        }
    }

    private func allows(_ source: String, _ shell: Origin) -> Bool {
        let source = source.lowercased()
        switch source {
        case "*": return true
        case "'self'": return page == shell
        case "http:": return true
        case "https:": return shell.scheme == "https"
        default: break
        }
        let parts = source.split(separator: "://", maxSplits: 1)
        let scheme = parts.count == 2 ? String(parts[0]) : page.scheme
        let rest = (parts.last ?? "").prefix { $0 != "/" }
        guard scheme == shell.scheme || scheme == "http" && shell.scheme == "https" else { return false }
        let colon = rest.lastIndex(of: ":").flatMap { rest[$0...].contains("]") ? nil : $0 }
        let host = rest[..<(colon ?? rest.endIndex)]
        let port = colon.map { String(rest[rest.index(after: $0)...]) }
        let hasPort =
            port.map { $0 == "*" || Int($0) == shell.port } ?? (shell.port == Origin.defaultPort(shell.scheme))
        guard hasPort else { return false }
        return host.hasPrefix("*.") ? shell.host.hasSuffix(host.dropFirst()) : host == "*" || host == shell.host
    }
}
