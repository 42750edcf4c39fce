internal import BridgeJSON
package import BridgeWire
internal import Synchronization

/// One session: the messages of one connection, for one document or one exchange over HTTP.
///
/// Isolated to the executor it is given, so that the connection on the same executor calls it with `assumeIsolated`.
/// What is sent is handed to `output` there, one JSON text at a time, as bytes that are valid during the call. Handlers
/// are called while no access to the session's state is in progress: they may call back into it.
package actor BridgeSession {
    package enum Kind: Sendable {
        /// Messages both ways for as long as the connection lasts.
        case stream
        /// One message in, all its answers out at once: no page, no progress.
        case exchange
    }

    package enum EndReason: Sendable {
        /// The document is gone (close 1000 or 1001).
        case documentGone
        /// The connection was lost in any other way.
        case connectionLost
        /// A client over HTTP did not wait for its answer.
        case clientWentAway

        var failure: BridgeFailure { self == .documentGone ? .pageNavigatedAway : .connectionClosed }
    }

    /// A JSON text that was read and not yet taken.
    package struct Message: Sendable {
        fileprivate var json: JSON
        /// Why the text is no JSON; nil when it is.
        fileprivate let fault: String?
    }

    package nonisolated let bridge: Bridge
    package nonisolated let kind: Kind
    package nonisolated let limits: BridgeLimits
    /// Names the session in logs; grants nothing.
    package nonisolated let label: String
    nonisolated let executor: any BridgeExecutor
    nonisolated let log: BridgeLog
    nonisolated let observations = PageObservations()
    nonisolated let lastCall = Atomic<UInt64>(0)
    private let output: @Sendable (UnsafeRawBufferPointer) -> Void

    /// Unchecked, because the exclusivity checks cost more than most of what is asked of it. The actor protects it from
    /// other threads, and a table that calls nothing of its session, or of anyone's, from this one.
    @exclusivity(unchecked) var requests = RequestTable()
    var calls = CallTable()
    var batches: BatchTable
    /// The dialect of the greeting; nil before it.
    var greeting: Dialect?
    /// Greetings whose answers wait in a batch.
    var greetings: [UInt64: Dialect] = [:]
    var handlers: HandlerSnapshot
    var announced: [String] = []
    /// The message handlers that the page was told.
    var announcedHandlers = JSONObject()
    /// Who goes with the page.
    var follower: (any PageFollower)?
    var lastSerial: UInt64 = 0
    /// The call whose synchronous handler runs.
    var running: UInt64 = 0
    private var isDraining = false
    private var hasEnded = false
    private var inputHasEnded = false
    private var idleNotices: [@Sendable () -> Void] = []
    private var scratch = JSONWriter()
    private var lastSize = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter output: called on the executor with each message to send.
    package init(
        bridge: Bridge, executor: any BridgeExecutor, kind: Kind, limits: BridgeLimits = BridgeLimits(),
        log: BridgeLog = .none, output: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
        self.bridge = bridge
        self.executor = executor
        self.kind = kind
        self.limits = limits
        self.log = log
        self.output = output
        label = "s\(sessionCount.add(1, ordering: .relaxed).newValue)"
        batches = BatchTable(limit: limits.message, waitingLimit: limits.unreadOutput)
        handlers = bridge.snapshot
    }

    /// How many requests of the other side are not answered yet.
    package var pendingCount: Int { requests.count }

    /// How many calls to the page are not answered yet.
    package var pendingCallCount: Int { calls.count }

    /// Takes one JSON text. Never throws: every fault is answered, and the session goes on.
    package func receive(_ bytes: UnsafeRawBufferPointer) {
        var message = read(bytes)
        take(&message)
    }

    /// The first half of ``receive(_:)``: the text as a value, or why it is none. It changes nothing.
    ///
    /// Where several texts are there at once, reading them all before the first is taken is quicker than turn and turn
    /// about: the code of both halves is more than a processor's instruction cache holds, that of either is not.
    package nonisolated func read(_ bytes: UnsafeRawBufferPointer) -> Message {
        log.traffic?(label, .received, bytes)
        do throws(JSONError) {
            return Message(json: try JSON(parsing: bytes, maximumDepth: limits.nesting), fault: nil)
        } catch {
            return Message(json: .null, fault: "\(error)")
        }
    }

    /// As many texts as are read before the first of them is taken; more would gain nothing.
    package static let longestRun = 16

    /// The second half of ``receive(_:)``, for one message after the other while `goesOn` says so; returns how many.
    ///
    /// For all of a run at once, as entering an actor costs a good part of what a message does.
    package func take(_ messages: inout [Message], while goesOn: () -> Bool) -> Int {
        var taken = 0
        while taken < messages.count, goesOn() {
            take(&messages[taken])
            taken += 1
        }
        return taken
    }

    /// It leaves nothing in the message: an object that is held once is not copied.
    private func take(_ message: inout Message) {
        guard !hasEnded else { return }
        if let fault = message.fault {
            log(.warning, "a message is not JSON", [("session", label), ("error", fault)])
            fail(.parseError(fault), to: .unknown, in: nil)
        } else if let object = message.json.takeObject() {
            take(Inbound(object), in: nil)
        } else if case .array(let elements) = message.json {
            message.json = .null
            take(batch: elements)
        } else {
            fail(.invalidRequest("a message is an object, or a batch of them"), to: .unknown, in: nil)
        }
    }

    private func take(batch elements: [JSON]) {
        guard !elements.isEmpty, elements.count <= limits.batch else {
            let help = elements.isEmpty ? "the batch is empty" : "a batch has at most \(limits.batch) elements (batch)"
            fail(.invalidRequest(help), to: .unknown, in: nil)
            return
        }
        let batch = batches.begin()
        for element in elements where !hasEnded {
            if case .object(let object) = element {
                take(Inbound(object, inBatch: true), in: batch)
            } else {
                fail(.invalidRequest("an element of a batch is an object"), to: .unknown, in: reserve(.unknown, batch))
            }
        }
        flush(batches.end(batch))
    }

    func reserve(_ address: ReplyAddress, _ batch: UInt64?) -> BatchTable.Slot? {
        batch.map { batches.reserve(in: $0, for: address) }
    }

    // MARK: Answers

    /// Sends an answer, or puts it where its batch keeps it.
    func answer(_ writer: borrowing JSONWriter, to address: ReplyAddress, in slot: BatchTable.Slot?) {
        if writer.count > limits.message {
            log(
                .error, "an answer is over the message limit", [("session", label), ("bytes", "\(writer.count)")])
            let help = "the answer has \(writer.count) bytes, over the limit named message"
            fail(.internalError(help), to: address, in: slot)
        } else if let slot {
            flush(batches.store(writer.bytes, in: slot))
        } else {
            writer.withBytes { send($0) }
        }
    }

    func fail(_ failure: BridgeFailure, to address: ReplyAddress, in slot: BatchTable.Slot?) {
        var writer = JSONWriter()
        writer.writeFailure(failure, to: address)
        if writer.count > limits.message {
            writer.removeAll()
            writer.writeFailure(BridgeFailure(BridgeFailure.Code.internalError, "Internal error"), to: address)
        }
        if let slot {
            flush(batches.store(writer.bytes, in: slot))
        } else {
            writer.withBytes { send($0) }
        }
    }

    private func flush(_ finished: BatchTable.Finished?) {
        guard let finished else { return }
        requests.release(finished.ids)
        if !finished.text.isEmpty { send(finished.text) }
        if let dialect = greetings.removeValue(forKey: finished.batch) { open(dialect) }
        noticeIdle()
    }

    func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { send($0) }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) {
        guard !hasEnded else { return }
        log.traffic?(label, .sent, bytes)
        output(bytes)
    }

    /// A writer to use and give back; handlers may run in between.
    func takeScratch() -> JSONWriter {
        guard scratch.capacity > 0 else { return JSONWriter(reservingCapacity: lastSize) }
        var writer = JSONWriter()
        swap(&writer, &scratch)
        return writer
    }

    func giveBack(_ writer: consuming JSONWriter) {
        // Idle sessions are many: they keep no more than a small answer needs.
        lastSize = min(writer.count, 1 << 16)
        guard writer.capacity <= 1_024 else { return }
        writer.removeAll()
        scratch = writer
    }

    // MARK: Life

    /// Why new requests are not taken; nil if they are.
    var refusal: BridgeFailure? { isDraining ? .draining : nil }

    /// Whether a call to the page can be made, or why not.
    func checkPage() throws(BridgeFailure) -> Dialect {
        if kind == .exchange { throw .pageNotConnected("a request over HTTP has no page to call") }
        if let ended { throw ended.failure }
        if inputHasEnded { throw .connectionClosed }
        guard let greeting else { throw .pageNotConnected("the client has not said $/hello") }
        return greeting
    }

    private var ended: EndReason?

    /// New requests are refused from now on; what is in flight is answered.
    package func drain() {
        isDraining = true
    }

    /// Nothing more comes in (half-close). What is pending is still answered; calls to the page cannot be.
    package func inputEnded() {
        inputHasEnded = true
        leave()
        failCalls(.connectionClosed)
    }

    /// The time for draining is over: settles what is pending with −32800.
    package func cancelAll() {
        for serial in requests.pending { settle(serial, .cancelledByDraining) }
    }

    /// The other side is gone: nothing is sent any more, handlers are cancelled, calls to the page fail.
    package func end(_ reason: EndReason) {
        guard !hasEnded else { return }
        hasEnded = true
        ended = reason
        leave()
        for serial in requests.pending { requests.settle(serial)?.stop() }
        failCalls(reason.failure)
        observations.end()
        follower?.pageDidEnd(reason)
        follower = nil
        idleNotices = []
    }

    /// Calls `notice` on the executor, once, when every request is answered; at once if that is so.
    package func whenIdle(_ notice: @escaping @Sendable () -> Void) {
        if requests.count == 0, batches.isEmpty { notice() } else { idleNotices.append(notice) }
    }

    func noticeIdle() {
        guard !idleNotices.isEmpty, requests.count == 0, batches.isEmpty else { return }
        let notices = idleNotices
        idleNotices = []
        for notice in notices { notice() }
    }

    private func leave() {
        if greeting != nil { bridge.disconnected(self) }
    }

    private func failCalls(_ failure: BridgeFailure) {
        for call in calls.settleAll() {
            call.timer?.cancel()
            call.finish(.failure(failure))
        }
    }

    /// Runs `body` on the session: at once if the caller is there already, else in the order given.
    nonisolated func perform(_ body: @escaping @Sendable (isolated BridgeSession) -> Void) {
        if executor.isCurrent {
            assumeIsolated(body)
        } else {
            executor.execute { self.assumeIsolated(body) }
        }
    }
}

private let sessionCount = Atomic(0)
