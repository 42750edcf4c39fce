// The state of a connected socket, confined to its loop.

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads into the loop's buffer, hands over to the owner, sends what the owner wrote.
final class StreamCore: Channel {
    /// Full reads in one turn; more would starve the loop's other sockets.
    private static let readsPerTurn = 4

    private var owner: (any StreamSocketOwner)?
    private var lowWatermark = 0

    /// Unchecked, like `sentCount`: the exclusivity checks of all that is asked of them cost more than the answers. The loop
    /// protects them from other threads, and `withOutput`, the one way to run code of others, takes the array out for it.
    @exclusivity(unchecked) private var output: [UInt8] = []
    /// Bytes at the start of `output` that are sent.
    @exclusivity(unchecked) private var sentCount = 0
    /// The kernel took less than it was given; it will say when it takes more.
    private var isBlocked = false
    private var outputState = Ending.open

    private var isInputEnded = false
    private(set) var isPaused = false

    private var lingering: Lingering?
    private var closeReason: SocketCloseReason?
    private(set) var isClosed = false
    /// `turnEnded` is to come.
    private var isInTurn = false

    private enum Ending {
        case open, requested, ended
    }

    /// A `closeAfterFlush` under way.
    private struct Lingering {
        var timer: LoopTimer
        let duration: Duration
        /// How long the other side may be silent once the output has ended.
        var rest: Duration
        /// When waiting for the other side ends, silent or not; nil before the output has ended.
        var latest: UInt64?
        let loop: EventLoop
        var hasSent = false
        var hasReceived = false
    }

    func start(owner: any StreamSocketOwner, lowWatermark: Int) {
        guard self.owner == nil, !isClosed else { return }
        self.owner = owner
        self.lowWatermark = lowWatermark
        updateInterest()
        reactor.register(self)
    }

    func handOver(to owner: any StreamSocketOwner) {
        guard self.owner != nil else { return }
        self.owner = owner
    }

    var localAddress: SocketAddress? {
        SocketAddress.reading { getsockname(descriptor, $0, $1) }?.address
    }

    private func updateInterest() {
        var interest: Interest = isPaused || isInputEnded ? [] : .read
        if isBlocked { interest.insert(.write) }
        setInterest(interest)
    }

    private func joinTurn() {
        guard !isInTurn else { return }
        isInTurn = true
        reactor.atTurnEnd(self)
    }

    // MARK: Channel

    override func ready(_ readiness: Readiness) {
        guard !isClosed else { return }
        // What the owner writes now is sent below: no need to be on the list of the turn.
        let wasInTurn = isInTurn
        isInTurn = true
        if readiness.contains(.writable) { isBlocked = false }
        if interest.contains(.read) {
            if readiness != .writable { readAvailable() }
        } else if readiness.contains(.failed) {
            close(SocketCloseReason(pendingError(descriptor)))
        } else if readiness.contains(.hangup) {
            // Nobody will read what is still to be sent, which sending finds out; else it can wait.
            isBlocked = false
            if unsentBytes == 0 { reactor.watcher.mute(self) }
        }
        isInTurn = wasInTurn
        flush()
    }

    override func turnEnded() {
        isInTurn = false
        flush()
    }

    override func loopStopped() {
        close(.local)
    }

    // MARK: Input

    func setPaused(_ paused: Bool) {
        guard lingering == nil, !isClosed else { return }
        isPaused = paused
        updateInterest()
    }

    private func readAvailable() {
        for _ in 0..<Self.readsPerTurn {
            let buffer = reactor.readBuffer
            let count = recv(descriptor, buffer.value.baseAddress, Reactor.readSize, 0)
            if count > 0 {
                if lingering != nil {
                    lingering?.hasReceived = true
                } else {
                    owner?.assumeIsolated { owner in
                        owner.socketDidRead(UnsafeMutableRawBufferPointer(rebasing: buffer.value[..<count]))
                    }
                }
                if count < Reactor.readSize || isClosed || !interest.contains(.read) { return }
            } else if count == 0 {
                return inputEnded()
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                return
            } else if errno != EINTR {
                return close(SocketCloseReason(errno))
            }
        }
    }

    private func inputEnded() {
        isInputEnded = true
        updateInterest()
        if lingering == nil { owner?.assumeIsolated { $0.socketDidEndInput() } }
        if outputState == .ended { close(.finished) }
    }

    // MARK: Output

    var unsentBytes: Int { output.count - sentCount }

    func withOutput<Result, Failure: Error>(
        _ body: (inout [UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard outputState == .open, !isClosed else {
            var dropped: [UInt8] = []
            return try body(&dropped)
        }
        if output.isEmpty { output = reactor.takeBuffer() }
        joinTurn()
        // Not in place: nothing is being changed while `body` runs.
        var written: [UInt8] = []
        swap(&written, &output)
        defer {
            precondition(output.isEmpty, "The socket was used while it was written to")
            swap(&written, &output)
        }
        return try body(&written)
    }

    func write(_ bytes: [UInt8]) {
        guard outputState == .open, !isClosed, !bytes.isEmpty else { return }
        if output.isEmpty { output = bytes } else { output.append(contentsOf: bytes) }
        joinTurn()
    }

    func shutdownWrite() {
        guard outputState == .open, !isClosed else { return }
        outputState = .requested
        joinTurn()
    }

    /// Sends what it can; ends the output when that was asked for and all is sent; tells the owner.
    private func flush() {
        if !isClosed {
            let before = unsentBytes
            if before > 0, !isBlocked { send() }
            if unsentBytes == 0 {
                releaseOutput()
                if outputState == .requested { endOutput() }
            }
            if !isClosed { updateInterest() }
            if !isClosed, lingering == nil, before > lowWatermark, unsentBytes <= lowWatermark {
                owner?.assumeIsolated { $0.socketDidDrain() }
            }
        }
        if isClosed { tellClosed() }
    }

    private func send() {
        while unsentBytes > 0 {
            let wanted = unsentBytes
            let count = output.withUnsafeBytes {
                sendBytes(descriptor, UnsafeRawBufferPointer(rebasing: $0[sentCount...]))
            }
            if count >= 0 {
                sentCount += count
                lingering?.hasSent = true
                guard count < wanted else { return }
                isBlocked = true
                return dropSent()
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                isBlocked = true
                return
            } else if errno != EINTR {
                return close(SocketCloseReason(errno))
            }
        }
    }

    /// Moves what is unsent to the front once that is worth it: each byte is moved at most once, on average.
    private func dropSent() {
        guard sentCount >= Reactor.readSize, sentCount >= output.count / 2 else { return }
        output.removeFirst(sentCount)
        sentCount = 0
    }

    private func releaseOutput() {
        sentCount = 0
        guard output.capacity > 0 else { return }
        var finished: [UInt8] = []
        swap(&finished, &output)
        reactor.giveBack(finished)
    }

    private func endOutput() {
        outputState = .ended
        shutdownSending(descriptor)
        if isInputEnded { close(.finished) } else { rest() }
    }

    // MARK: Closing

    /// The owner is told at the end of the turn.
    func close(_ reason: SocketCloseReason) {
        guard !isClosed else { return }
        isClosed = true
        closeReason = lingering == nil ? reason : .local
        lingering?.timer.cancel()
        lingering = nil
        output = []
        sentCount = 0
        reactor.unregister(self)
        joinTurn()
    }

    private func tellClosed() {
        guard let reason = closeReason else { return }
        closeReason = nil
        let owner = owner
        self.owner = nil
        owner?.assumeIsolated { $0.socketDidClose(reason) }
    }

    func closeAfterFlush(lingering duration: Duration, rest: Duration, loop: EventLoop) {
        guard !isClosed else { return }
        guard lingering == nil else {
            // Once more, to wait for less.
            lingering?.rest = rest
            return self.rest()
        }
        isPaused = false
        let timer = lingeringTimer(duration, loop)
        lingering = Lingering(timer: timer, duration: duration, rest: rest, loop: loop)
        if outputState == .open { outputState = .requested }
        updateInterest()
        if outputState == .ended, isInputEnded { close(.local) } else { self.rest() }
        joinTurn()
    }

    /// All is sent: waits a while for the other side to end too. Closing while it still sends would be a reset.
    private func rest() {
        guard outputState == .ended, var lingering else { return }
        lingering.latest = lingering.latest ?? deadline(after: lingering.duration)
        lingering.hasReceived = false
        lingering.timer.cancel()
        lingering.timer = lingeringTimer(min(lingering.rest, lingering.duration), lingering.loop)
        self.lingering = lingering
    }

    private func lingeringTimer(_ delay: Duration, _ loop: EventLoop) -> LoopTimer {
        let core = LoopConfined(self, to: reactor.identity)
        return loop.after(delay) { core.value.lingeringTimerFired() }
    }

    private func lingeringTimerFired() {
        guard let lingering else { return }
        if let latest = lingering.latest {
            if lingering.hasReceived, monotonicNanoseconds() < latest { rest() } else { close(.local) }
        } else if lingering.hasSent {
            self.lingering?.hasSent = false
            self.lingering?.timer = lingeringTimer(lingering.duration, lingering.loop)
        } else {
            close(.local)
        }
    }
}

extension SocketCloseReason {
    /// From `errno`. Whether a peer that is gone shows as ECONNRESET or EPIPE depends on who ended first.
    fileprivate init(_ code: Int32) {
        switch code {
        case ECONNRESET, EPIPE, 0: self = .reset
        default: self = .failed(SocketError(call: "socket", code: code))
        }
    }
}
