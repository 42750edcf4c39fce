/// Limits on what is read, all inclusive.
package struct WebSocketLimits: Sendable {
    /// Bytes of a message, all its fragments together; over it: 1009, from the frame header that says so.
    package var message: Int
    /// Fragments without payload in a row, the last of a message not counted; over it: 1008.
    package var emptyFragments: Int

    package init(message: Int = 16 << 20, emptyFragments: Int = 1024) {
        self.message = message
        self.emptyFragments = emptyFragments
    }
}

/// An end of the connection. A client masks what it sends, a server never does (RFC 6455, section 5.1).
package enum WebSocketRole: Sendable { case server, client }
