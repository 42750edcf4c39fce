package import BridgeHTTP

/// What a request's path leads to.
package enum Route: Hashable, Sendable {
    case webSocket
    case rpc
    case health
    case echo
    /// A file of the client, by its name below `/_bridge/`; whether there is one is seen later.
    case clientFile(String)
    /// What is mounted there, by its name below `/_bridge/NAME/`; whether there is anything is seen later.
    case site(MountedSite.Name, String)
    /// Everything else.
    case page
    /// `OPTIONS *`
    case server

    package init(_ target: HTTPTarget) {
        switch target.path {
        case "/_bridge/ws": self = .webSocket
        case "/_bridge/rpc": self = .rpc
        case "/_bridge/health": self = .health
        case "/_bridge/echo": self = .echo
        case "*": self = .server
        // Without a slash at its end, as people type it.
        case "/_bridge/shell": self = .site(.shell, "")
        case let path where path.hasPrefix("/_bridge/"): self = Self.below(path.dropFirst("/_bridge/".count))
        default: self = .page
        }
    }

    private static func below(_ path: Substring) -> Route {
        guard let slash = path.firstIndex(of: "/"), let site = MountedSite.Name(rawValue: String(path[..<slash])) else {
            return .clientFile(String(path))
        }
        return .site(site, String(path[path.index(after: slash)...]))
    }

    /// What is served there, for `Allow` and for preflights. ``echo`` takes any but CONNECT and TRACE; these are the
    /// ones to name.
    package var methods: [HTTPMethod] {
        switch self {
        case .webSocket: [.get]
        case .rpc: [.post, .options]
        case .health, .clientFile: [.get, .head, .options]
        case .echo: [.get, .head, .post, .put, .patch, .delete, .options]
        case .page: [.get, .head]
        case .site(_, MountedSite.result): [.post]
        case .site(_, "rpc"): [.post, .options]
        case .site(_, "ws"): [.get]
        case .site: [.get, .head]
        case .server: [.options]
        }
    }

    /// Whether the request wants to become a WebSocket, as far as it can be one here.
    func isUpgrade(_ head: HTTPRequestHead) -> Bool {
        switch self {
        case .webSocket, .site(_, "ws"): true
        case .echo: head.method == .get && head.fields.count(of: "Upgrade") > 0
        case .rpc, .health, .clientFile, .site, .page, .server: false
        }
    }

    package func serves(_ method: HTTPMethod) -> Bool {
        self == .echo ? method != .connect && method != .trace : methods.contains(method)
    }
}
