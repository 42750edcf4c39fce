import Bridgehead

/// One session of the load, on its worker's thread: what it sends is in its ledger before it is written, what comes is
/// judged and put beside it.
final class Session {
    let plan: Plan
    let server: ServerProcess
    let wire: Wire
    let framing: Framing
    var ledger: SessionLedger
    var random: SeededRandom

    var isOpen = false
    /// The code of the server's close frame, the status of a refusal.
    var closeCode: Int?
    /// Numbers that are not answered, the oldest first, by their id's text.
    var pending: [String: [Int]] = [:]
    var outstanding = 0
    /// Who had an id last, and the ids that are free again.
    var owners: [String: Int] = [:]
    var freeIDs: [String] = []
    /// The ids of a batch's requests, in order, until its array comes.
    var batches: [[String]] = []
    /// POSTs that have no answer.
    var posts = 0
    /// By number: a text's bytes, or how many steps of progress are to come.
    var sizes: [Int: Int] = [:]
    var steps: [Int: Int] = [:]
    /// What was not yet taken back of what will be.
    var cancellable: [(id: String, number: Int)] = []
    /// Answers to the server that the page gives later.
    var deferred: [(due: ContinuousClock.Instant, text: String)] = []

    /// nil when nobody listens.
    init?(_ plan: Plan, tag: String, server: ServerProcess, random: SeededRandom) {
        let port = plan.transport == .lines ? server.linesPort : server.port
        guard let wire = Wire(port: port, cut: plan.cut, hasSmallBuffer: plan.stallsTooLong) else { return nil }
        self.plan = plan
        self.server = server
        self.wire = wire
        self.random = random
        framing = Framing(plan.transport)
        ledger = SessionLedger(tag: tag, transport: plan.transport)
    }

    /// Whether messages can still be sent.
    var isAlive: Bool { wire.end == nil && closeCode == nil }

    /// Lives through it all.
    /// - Parameter isOver: the whole soak ends: it is to settle now.
    func run(until isOver: () -> Bool) -> SessionLedger {
        wire.write(framing.greeting)
        isOpen = plan.transport != .webSocket
        wait(for: "the handshake") { isOpen }
        if plan.greets, isOpen, isAlive { greet() }
        var round = 0
        while isAlive, isOpen, round < plan.rounds, !isOver() {
            burst()
            pump(for: .milliseconds(random.number(5...60))) { false }
            round += 1
        }
        if isAlive, isOpen { meetFate() }
        conclude()
        return ledger
    }

    // MARK: Fate

    private func meetFate() {
        switch plan.fate {
        case .settle, .cut, .stay:
            settle()
            if isAlive, plan.transport == .webSocket, random.isTrue(0.5) { reload(1000, waits: true) }
        case .reload(let code, let waits): reload(code, waits: waits)
        case .halfClose:
            askAfterNotifications()
            takeBackAll()
            wait(for: "what is sent to be taken") { wire.unsent == 0 }
            ledger.hasHalfClosed = true
            wire.halfClose()
            settle()
            wait(for: "the end after a half-close") { false }
        case .stall(let tooLong):
            settle()
            if isAlive { stall(tooLong) }
            settle()
        }
    }

    private func settle() {
        askAfterNotifications()
        takeBackAll()
        wait(for: "answers") { outstanding == 0 && posts == 0 && deferred.isEmpty }
    }

    /// What is answered tells that all before it was taken; a connection that ends after a notification may lose it.
    private func askAfterNotifications() {
        guard plan.transport != .http, !ledger.hasHalfClosed, ledger.records.last?.kind.isNotification == true else {
            return
        }
        request(.unknown, name: "soak.none")
    }

    private func reload(_ code: Int, waits: Bool) {
        if ledger.greeting != nil { for _ in 0..<2 { notification(.poke, members: "\"mode\":\"never\"") } }
        ledger.goodbye = .said
        wire.write(Framing.close(code))
        if waits {
            wait(for: "the end after a close frame") { false }
        } else {
            pump(for: .milliseconds(random.number(0...3))) { wire.unsent == 0 }
        }
        if closeCode == code { ledger.goodbye = .agreed }
        if !waits { wire.finish(breaking: random.isTrue(0.5)) }
    }

    private func stall(_ tooLong: Bool) {
        wire.isStalled = true
        for _ in 0..<(tooLong ? 31 : 8) {
            request(.grow, members: "\"ms\":\(random.number(1...30))", size: tooLong ? 60_000 : 40_000)
        }
        pump(for: .milliseconds(tooLong ? random.number(500...1500) : random.number(50...600))) { false }
        wire.isStalled = false
    }

    /// Says how it ended, and is done with the connection.
    private func conclude() {
        let isSettled = outstanding == 0 && posts == 0
        // Asked first: what the server does once it drains, it does later.
        let end = wire.end
        let isDraining = server.isDraining
        ledger.wasDrained = isDraining
        ledger.end =
            switch (end, plan.fate) {
            case _ where ledger.goodbye == .agreed: isSettled ? .settled : .left
            case (.cut, .reload(_, waits: false)), (.cut, .cut): .cut
            case (nil, _) where closeCode == nil && isSettled: .settled
            case (.finished, .halfClose) where isSettled: .settled
            case _ where isDraining: .drained(wasRead: wasRead)
            case (_, .stall(tooLong: true)): .stalled
            case (nil, _) where closeCode == nil:
                .broken("left pending: \(pending.values.flatMap(\.self).sorted())")
            default: .broken("\(end.map { "\($0)" } ?? "closed"), with \(closeCode.map { "\($0)" } ?? "no code")")
            }
        wire.finish(breaking: false)
    }

    /// Whether the server's goodbye was read, and with it all that came before. Who has left, or takes too long to read, is
    /// not waited for.
    private var wasRead: Bool {
        if case .stall = plan.fate { return false }
        guard ledger.goodbye == .none else { return false }
        return plan.transport == .webSocket ? closeCode == 1001 : wire.end == .finished
    }

    // MARK: The connection

    /// For what always comes, if the connection does not end before.
    private func wait(for what: String, until isDone: () -> Bool) {
        var patience = Patience()
        while wire.end == nil, !isDone() {
            guard patience.lasts(unanswered: outstanding + posts, unsent: wire.unsent) else {
                return ledger.faults.append("waited \(Patience.seconds) s for \(what), and came no nearer")
            }
            pump(for: .seconds(1), until: isDone)
        }
    }

    /// Sends and receives until `isDone`, or for that long, or to the end of the connection.
    func pump(for time: Duration, until isDone: () -> Bool) {
        let deadline = ContinuousClock.now + time
        while wire.end == nil, !isDone() {
            let now = ContinuousClock.now
            guard now < deadline else { return }
            // Before they are sent: what is waited for may be that alone.
            let rest = min(deadline - now, deferred.isEmpty ? time : .milliseconds(5))
            sendDeferred(now)
            var reply: [UInt8] = []
            wire.pump(rest) { bytes in
                framing.read(bytes, reply: &reply) { take($0) }
            }
            if !reply.isEmpty { wire.write(reply) }
        }
    }

    private func take(_ event: Framing.Event) {
        switch event {
        case .opened: isOpen = true
        case .message(let text): receive(text)
        case .answer(let status, let body):
            posts -= 1
            if status == 200 {
                if !body.isEmpty { receive(body) }
            } else {
                closeCode = status
                if status != 503 || !server.isDraining { ledger.faults.append("answered with status \(status)") }
            }
        case .closed(let code):
            // Agreed to, as a page does, unless it was this side's.
            if ledger.goodbye == .none, let code { wire.write(Framing.close(code)) }
            closeCode = code ?? 0
        case .fault(let reason): ledger.faults.append(reason)
        }
    }
}
