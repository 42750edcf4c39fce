/// A connection as its server sees it, whatever it speaks. Isolated to the server's loop.
protocol ServedConnection: Actor {
    /// Where it has its place among the server's connections.
    nonisolated var ticket: ConnectionTicket { get }

    func handle(_ notice: ServerNotice)
}

extension ServedConnection {
    /// For the server, on the loop that both are isolated to.
    nonisolated func notify(_ notice: ServerNotice) { assumeIsolated { $0.handle(notice) } }
}

/// What a server tells its connections.
enum ServerNotice: Sendable {
    /// The interval of pings has passed.
    case pingIsDue
    /// Take no new requests; say ``ServerCore/hasDrained(_:)`` when those in flight are answered.
    case drain
    /// The time for draining is over: settle what is in flight.
    case cancelRequests
    /// Say goodbye and close.
    case leave
}

/// A place in the server's table of connections.
struct ConnectionTicket: Hashable, Sendable {
    let slot: Int
    let number: UInt64
}
