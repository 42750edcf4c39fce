internal import BridgeWire
internal import Synchronization

/// The sessions that have a page, in the order in which they connected, and who waits for one. Under the bridge's lock.
struct PageTable {
    var sessions: [BridgeSession] = []
    var waiting: [UInt64: CheckedContinuation<BridgePage, any Error>] = [:]
    /// Who wants to hear of each that connects.
    var following: [UInt64: @Sendable (BridgePage) -> (any PageFollower)?] = [:]
    private var lastTicket: UInt64 = 0

    mutating func ticket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }
}

extension Bridge {
    /// The pages that are connected now, the newest last.
    public var pages: [BridgePage] {
        pageTable.withLock { $0.sessions.map(BridgePage.init) }
    }

    /// The page that connected last; while there is none, waits for the first.
    ///
    /// - Parameter waitForPage: if false, throws −32006 instead of waiting.
    public func page(waitForPage: Bool = true) async throws -> BridgePage {
        if let page = pages.last { return page }
        guard waitForPage else { throw BridgeFailure.pageNotConnected("no page is connected") }
        let ticket = pageTable.withLock { $0.ticket() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let known: Result<BridgePage, any Error>? = pageTable.withLock { table in
                    if let session = table.sessions.last { return .success(BridgePage(session)) }
                    // The handler below may have run already, and found nothing.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    table.waiting[ticket] = continuation
                    return nil
                }
                if let known { continuation.resume(with: known) }
            }
        } onCancel: {
            pageTable.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(throwing: CancellationError())
        }
    }

    /// A session has answered its page's greeting.
    ///
    /// - Returns: who goes with that page.
    func connected(_ session: BridgeSession) -> (any PageFollower)? {
        let (waiting, following) = pageTable.withLock { table in
            table.sessions.append(session)
            defer { table.waiting = [:] }
            return (
                table.waiting.sorted { $0.key < $1.key }.map(\.value),
                table.following.sorted { $0.key < $1.key }.map(\.value)
            )
        }
        let page = BridgePage(session)
        for continuation in waiting { continuation.resume(returning: page) }
        for follow in following { if let follower = follow(page) { return follower } }
        return nil
    }

    func disconnected(_ session: BridgeSession) {
        pageTable.withLock { $0.sessions.removeAll { $0 === session } }
    }
}
