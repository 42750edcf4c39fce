import BridgeHTTP

/// Where a bridge is reached, and over which transport.
package enum ClientEndpoint: Sendable, Hashable {
    case webSocket(host: String, port: UInt16, authority: String, target: String)
    case http(host: String, port: UInt16, authority: String, target: String)
    case lines(host: String, port: UInt16)
    case unix(path: String)

    /// Why a text is no endpoint.
    package struct Malformed: Error, Sendable {
        package let reason: String
    }

    /// Reads `ws://HOST[:PORT][/PATH]`, `http://…`, `lines://HOST:PORT` or `unix:PATH`. Without a path it is the
    /// bridge's own.
    package init(parsing url: String) throws(Malformed) {
        if url.hasPrefix("unix:") {
            var path = String(url.dropFirst("unix:".count))
            if path.hasPrefix("//") {
                path.removeFirst(2)
                // By the rules of URLs what stands here is a host.
                guard path.isEmpty || path.hasPrefix("/") else {
                    throw Malformed(reason: "after unix:// comes a whole path; the relative one is unix:\(path)")
                }
            }
            guard !path.isEmpty else { throw Malformed(reason: "the path is missing") }
            self = .unix(path: path)
            return
        }
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else {
            throw Malformed(reason: "it begins with none of ws://, http://, lines:// and unix:")
        }
        let scheme = url[..<colon].lowercased()
        let rest = url[url.index(colon, offsetBy: 3)...].prefix { $0 != "#" }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let authority = HTTPAuthority(parsing: rest[..<end]), !authority.host.isEmpty else {
            throw Malformed(reason: "'\(rest[..<end])' is no host")
        }
        var host = authority.host
        if host.hasPrefix("[") { host = String(host.dropFirst().dropLast()) }
        let port = authority.port ?? 80
        func target(_ own: String) throws(Malformed) -> String {
            let path = rest[end...]
            let target = path.isEmpty || path == "/" ? own : path.hasPrefix("/") ? String(path) : own + path
            do throws(HTTPFailure) {
                _ = try HTTPTarget(parsing: target.utf8, method: .get)
            } catch {
                throw Malformed(
                    reason: "a path has visible ASCII characters alone; write the others as %XX, a space as %20")
            }
            return target
        }
        switch scheme {
        case "ws":
            self = .webSocket(
                host: host, port: port, authority: String(rest[..<end]), target: try target("/_bridge/ws"))
        case "http":
            self = .http(host: host, port: port, authority: String(rest[..<end]), target: try target("/_bridge/rpc"))
        case "lines":
            guard authority.port != nil else { throw Malformed(reason: "the port is missing") }
            guard rest[end...].isEmpty || rest[end...] == "/" else {
                throw Malformed(reason: "there are no paths over lines, such as '\(rest[end...])'")
            }
            self = .lines(host: host, port: port)
        case "wss", "https":
            throw Malformed(reason: "the bridge is reached without TLS, by ws:// or http://")
        default:
            throw Malformed(reason: "'\(scheme)' is none of ws, http, lines and unix")
        }
    }
}
