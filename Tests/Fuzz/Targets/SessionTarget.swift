import BridgeWire
import Bridgehead
import Synchronization

extension FuzzTarget {
    /// A session, with lines for messages: each request is answered exactly once, and nothing else is said.
    ///
    /// The first byte chooses: 1 an exchange of one message. A line `!x` is something that happens instead.
    static let session = FuzzTarget(
        name: "session",
        generate: { random in
            var bytes: [UInt8] = [random.once(in: 6) ? 1 : 0]
            for _ in 0...random.below(8) {
                bytes += random.once(in: 6) ? Array(random.pick(happenings).utf8) : MessageText.make(&random, count: 1)
                bytes += "\n"
            }
            if random.once(in: 2) {
                random.mutate(&bytes, tokens: MessageText.tokens + happenings.map { Array($0.utf8) })
            }
            return bytes
        }
    ) { bytes throws(FuzzFault) in
        guard let choice = bytes.first else { return }
        let isStream = choice & 1 == 0
        var limits = BridgeLimits()
        (limits.message, limits.nesting, limits.batch, limits.inFlight) = (4_096, 32, 8, 4)
        let ledger = SessionLedger(limits: limits, isStream: isStream)
        let executor = FuzzExecutor()
        defer { executor.close() }
        let handlers = FuzzBridge()
        let session = BridgeSession(
            bridge: handlers.bridge, executor: executor, kind: isStream ? .stream : .exchange, limits: limits
        ) { ledger.answered(Array($0)) }
        var hasEnded = false
        for line in bytes.dropFirst().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = Array(line)
            if happenings.contains(where: { Array($0.utf8) == line }) {
                try happen(line[1], session, handlers, executor)
                if line[1] == UInt8(ascii: "x") { hasEnded = true }
            } else {
                if !hasEnded { ledger.asked(line) }
                session.assumeIsolated { session in line.withUnsafeBytes { session.receive($0) } }
            }
            executor.runJobs()
            if hasEnded || !isStream { break }
        }
        if hasEnded { ledger.close() } else { try finish(session, handlers, executor, ledger) }
        handlers.forgetAll()
        executor.runJobs()
        try require(session.assumeIsolated { $0.pendingCallCount } == 0, "calls to the page are pending after the end")
    }

    private static let happenings = ["!r", "!2", "!d", "!t", "!e", "!c", "!n", "!x", "!o"]

    private static func happen(
        _ what: UInt8, _ session: BridgeSession, _ handlers: FuzzBridge, _ executor: FuzzExecutor
    ) throws(FuzzFault) {
        switch what {
        case UInt8(ascii: "r"): _ = handlers.releaseOne()
        case UInt8(ascii: "2"): _ = handlers.releaseOne(twice: true)
        case UInt8(ascii: "d"): handlers.forgetAll()
        case UInt8(ascii: "t"): executor.letTimePass()
        case UInt8(ascii: "e"): session.assumeIsolated { $0.inputEnded() }
        case UInt8(ascii: "c"): session.assumeIsolated { $0.cancelAll() }
        case UInt8(ascii: "n"): session.assumeIsolated { $0.drain() }
        case UInt8(ascii: "x"): session.assumeIsolated { $0.end(.connectionLost) }
        default: handlers.bridge.on("more") { payload, _ in payload }
        }
    }

    /// What is pending is answered in one way or another, and then the session ends.
    private static func finish(
        _ session: BridgeSession, _ handlers: FuzzBridge, _ executor: FuzzExecutor, _ ledger: SessionLedger
    ) throws(FuzzFault) {
        while handlers.releaseOne() {}
        executor.letTimePass()
        session.assumeIsolated {
            $0.inputEnded()
            $0.cancelAll()
        }
        let isIdle = Mutex(false)
        session.assumeIsolated { $0.whenIdle { isIdle.withLock { $0 = true } } }
        try executor.run { isIdle.withLock { $0 } }
        try ledger.settle()
        try require(session.assumeIsolated { $0.pendingCount } == 0, "requests are pending after the end")
        ledger.close()
        session.assumeIsolated { $0.end(.connectionLost) }
        executor.runJobs()
        try ledger.settle()
    }
}
