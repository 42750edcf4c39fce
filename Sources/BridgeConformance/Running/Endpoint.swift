package import BridgeClient

/// A way to a target.
package struct Endpoint: Sendable {
    package let address: ClientEndpoint
    /// What a target asks for that others can reach.
    package let token: String?
    /// Tells the target to drain, and returns when it has begun; nil: nobody can.
    package let drain: (@Sendable () async -> Void)?

    package init(_ address: ClientEndpoint, token: String? = nil, drain: (@Sendable () async -> Void)? = nil) {
        self.address = address
        self.token = token
        self.drain = drain
    }

    /// For reports: `ws`, `http`, `lines` or `unix`.
    package var label: String {
        switch address {
        case .webSocket: "ws"
        case .http: "http"
        case .lines: "lines"
        case .unix: "unix"
        }
    }

    /// What `{{host}}` stands for.
    package var authority: String {
        switch address {
        case .webSocket(_, _, let authority, _), .http(_, _, let authority, _): authority
        case .lines(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix: "localhost"
        }
    }

    /// The same port on another loopback address; nil where there can be none.
    func at(_ address: String) -> Endpoint? {
        let authority = address.contains(":") ? "[\(address)]" : address
        switch self.address {
        case .http(let host, let port, _, let target) where Self.isLoopback(host):
            return Endpoint(
                .http(host: address, port: port, authority: "\(authority):\(port)", target: target), token: token)
        case .webSocket(let host, let port, _, let target) where Self.isLoopback(host):
            return Endpoint(
                .webSocket(host: address, port: port, authority: "\(authority):\(port)", target: target), token: token)
        default: return nil
        }
    }

    private static func isLoopback(_ host: String) -> Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }

    /// Whether the target has HTTP and WebSocket there.
    package var isWeb: Bool {
        switch address {
        case .webSocket, .http: true
        case .lines, .unix: false
        }
    }

    /// Whether one connection is one session.
    package var hasSessions: Bool {
        if case .http = address { return false }
        return true
    }
}
