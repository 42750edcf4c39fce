/// What the load side knows of one session: a connection, and the document it stands for.
package struct SessionLedger: Sendable {
    package enum Transport: String, Sendable, CaseIterable {
        case webSocket = "ws"
        case lines
        case http
    }

    /// How the session ended.
    package enum End: Sendable, Hashable {
        /// The load had every answer and left.
        case settled
        /// The page reloaded or went away, with answers outstanding.
        case left
        /// The load cut the connection.
        case cut
        /// The load did not read for so long that the server gave it up.
        case stalled
        /// The server said goodbye, having been told to drain; `wasRead` to the end, it left nothing out.
        case drained(wasRead: Bool)
        /// What must not happen.
        case broken(String)
    }

    /// A call of the server that reached the page.
    package struct PageCall: Sendable {
        package enum Reply: Sendable { case result, failure }

        /// How often it came.
        package var count = 0
        package var reply: Reply?
        /// How it ended by the answer of the handler that made it.
        package var told: String?

        package init() {}
    }

    /// Whether the page closed with 1000 or 1001.
    package enum Goodbye: Sendable {
        case none
        /// Nobody can know whether it arrived.
        case said
        case agreed
    }

    package let tag: String
    package let transport: Transport
    /// Whether the server it was connected to was drained while it lasted.
    package var wasDrained = false
    package var goodbye = Goodbye.none
    /// Whether the page has ended its output, or is just about to.
    package var hasHalfClosed = false
    package var end = End.broken("it has not ended")
    /// By number.
    package var records: [Record] = []
    /// By the number of the message whose handler called.
    package var calls: [Int: PageCall] = [:]
    /// When it greeted, by number; nil: never.
    package var greeting: Int?
    /// What was wrong on the spot.
    package var faults: [String] = []

    package init(tag: String, transport: Transport) {
        self.tag = tag
        self.transport = transport
    }
}
