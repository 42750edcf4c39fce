/// What a target can claim to speak; each vector belongs to one.
package enum Profile: String, CaseIterable, Sendable {
    /// Event name, id, reply, failure, order: what any bridge has.
    case core
    /// JSON-RPC 2.0.
    case rpc
    /// Hello, progress, cancel, calls to the page.
    case session
    /// Message handlers and their codec.
    case surface
    /// HTTP, WebSocket, lines, limits, access.
    case transport
}

/// Which end a vector tests. The runner is the other one.
package enum Role: String, CaseIterable, Sendable {
    case native, page
}

/// What a vector's steps are made of.
package enum Medium: String, CaseIterable, Sendable {
    /// JSON values, over whatever transport the target has.
    case messages
    /// Bytes of that transport.
    case http, websocket, lines
}
