// A descriptor as a loop sees it.

import Dispatch

/// What a descriptor is watched for.
struct Interest: OptionSet {
    let rawValue: UInt8
    static let read = Interest(rawValue: 1)
    static let write = Interest(rawValue: 2)
}

/// What a descriptor is ready for.
struct Readiness: OptionSet {
    let rawValue: UInt8
    static let readable = Readiness(rawValue: 1)
    static let writable = Readiness(rawValue: 2)
    /// Both directions are over; what was received before may still be there to read.
    static let hangup = Readiness(rawValue: 4)
    static let failed = Readiness(rawValue: 8)
}

/// A descriptor with its owner's reaction to readiness. Confined to the loop of `reactor`.
///
/// The watcher's own bookkeeping lives here too, so that readiness costs no look-up.
class Channel {
    let reactor: Reactor
    /// −1 once it is closed or handed to another channel.
    private(set) var descriptor: Int32
    final var interest: Interest = []

    /// Place among the reactor's channels; −1 while unregistered.
    final var slot = -1
    /// Place in the poll set; −1 while outside of it.
    final var pollIndex = -1
    /// The turn in which it was last ready.
    final var lastReady: UInt = 0
    /// What waits in its place while it is parked (``Poller``).
    final var parking: (any DispatchSourceRead)?
    /// What watches it (``SourceWatcher``).
    final var sources: SourcePair?

    init(descriptor: Int32, reactor: Reactor) {
        self.descriptor = descriptor
        self.reactor = reactor
    }

    deinit {
        if descriptor >= 0 { closeDescriptor(descriptor) }
    }

    /// Called when the descriptor is ready for something it is watched for, or has failed.
    func ready(_ readiness: Readiness) {}

    /// Called once at the end of a turn in which the channel asked for it (`Reactor.atTurnEnd`).
    func turnEnded() {}

    /// Called when the loop stops.
    func loopStopped() {}

    /// Called when nothing watches the descriptor any more.
    func unwatched() {
        closeDescriptor(takeDescriptor())
    }

    final func takeDescriptor() -> Int32 {
        defer { descriptor = -1 }
        return descriptor
    }

    final func setInterest(_ new: Interest) {
        guard new != interest else { return }
        interest = new
        if slot >= 0 { reactor.watcher.update(self) }
    }
}

/// How a loop learns that descriptors are ready.
protocol Watcher: AnyObject {
    func add(_ channel: Channel)

    /// The channel's interest has changed.
    func update(_ channel: Channel)

    /// Stops reporting at once, and calls `channel.unwatched()` when the descriptor may be closed.
    func remove(_ channel: Channel)

    /// Stops reporting until the next `update`: for a descriptor that is ready for what nobody asked.
    func mute(_ channel: Channel)

    /// When the loop's timers are to be looked at next, in nanoseconds of the monotonic clock.
    func schedule(_ deadline: UInt64?)
}
