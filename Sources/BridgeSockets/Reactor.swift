// What a loop knows: its channels, timers, shared buffers, and who has something to do at the end of the turn.

/// The state of an ``EventLoop``, confined to it.
final class Reactor {
    /// Read at once from a socket. One buffer serves all sockets of the loop, so idle ones own none.
    static let readSize = 65_536
    private static let spareCount = 16
    private static let spareCapacity = 65_536

    let identity: LoopIdentity
    let readBuffer: LoopConfined<UnsafeMutableRawBufferPointer>
    private(set) var isStopped = false
    var timers = TimerHeap()

    private let buffer: UnsafeMutableRawBufferPointer
    private var channels: [Channel] = []
    private var turnEnders: [Channel] = []
    private var spares: [[UInt8]] = []
    let watcher: any Watcher

    init(identity: LoopIdentity, watcher: any Watcher) {
        self.identity = identity
        self.watcher = watcher
        buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 64)
        readBuffer = LoopConfined(buffer, to: identity)
    }

    deinit {
        buffer.deallocate()
    }

    func addTimer(_ timer: LoopTimer) {
        guard !isStopped else { return timer.cancel() }
        timers.insert(timer)
    }

    // MARK: Channels

    func register(_ channel: Channel) {
        guard channel.slot < 0, channel.descriptor >= 0 else { return }
        channel.slot = channels.count
        channels.append(channel)
        watcher.add(channel)
        if isStopped { channel.loopStopped() }
    }

    /// The watcher calls `channel.unwatched()`, now or when it safely can.
    func unregister(_ channel: Channel) {
        let slot = channel.slot
        guard slot >= 0 else { return channel.unwatched() }
        channel.slot = -1
        let last = channels.removeLast()
        if last !== channel {
            channels[slot] = last
            last.slot = slot
        }
        watcher.remove(channel)
    }

    func stop() {
        isStopped = true
        timers.removeAll()
        for channel in channels { channel.loopStopped() }
    }

    // MARK: Turns

    /// `channel.turnEnded()` is called once when this turn ends. The channel sees to it that it asks once.
    func atTurnEnd(_ channel: Channel) {
        turnEnders.append(channel)
    }

    /// One visit of a loop that is run by its queue.
    func turn(_ body: () -> Void) {
        body()
        endTurn()
        watcher.schedule(timers.nextDeadline)
    }

    func endTurn() {
        guard !turnEnders.isEmpty else { return }
        var ending: [Channel] = []
        while !turnEnders.isEmpty {
            swap(&ending, &turnEnders)
            for channel in ending { channel.turnEnded() }
            ending.removeAll(keepingCapacity: true)
        }
        swap(&ending, &turnEnders)
    }

    func fireTimers() {
        guard timers.nextDeadline != nil else { return }
        let now = monotonicNanoseconds()
        while let action = timers.popDue(now) { action() }
    }

    // MARK: Output buffers

    /// An empty array, with capacity when one is to be had.
    func takeBuffer() -> [UInt8] {
        spares.popLast() ?? []
    }

    /// Keeps the capacity for the next socket that writes, unless it is large.
    func giveBack(_ buffer: consuming [UInt8]) {
        guard spares.count < Self.spareCount, buffer.capacity > 0, buffer.capacity <= Self.spareCapacity else { return }
        buffer.removeAll(keepingCapacity: true)
        spares.append(buffer)
    }
}
