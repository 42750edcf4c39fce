// poll(2) over the descriptors that are active; the quiet ones wait in DispatchSources.

import Dispatch

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Watches active descriptors with poll(2), whose cost grows with their number, and parks the others.
///
/// A descriptor that was not ready in `quietTurns` turns is parked: by then, having it polled has cost about what handing
/// it over and back costs. A DispatchSource hands it back when it stirs, and it is polled again.
final class Poller: Watcher {
    private static let quietTurns: UInt = 512
    /// Every so many turns, so many descriptors are looked at: parking a crowd does not hold up the others.
    private static let sweepInterval: UInt = 32
    private static let sweepCount = 64

    private let wakePipe: WakePipe
    private let parkingQueue = DispatchQueue(label: "bridgehead.parked")
    private let inbox: Inbox
    /// `entries[0]` is the pipe; `channels[i]` belongs to `entries[i + 1]`.
    private var entries: [pollfd]
    private var channels: [Channel] = []
    private var turn: UInt = 0
    private var sweepIndex = 0

    private var nextDeadline: UInt64?
    /// Descriptors that wait in a DispatchSource, or are on their way back from one.
    private(set) var parkedCount = 0

    init(wakePipe: WakePipe, inbox: Inbox) {
        self.wakePipe = wakePipe
        self.inbox = inbox
        entries = [pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0)]
    }

    /// Lets every channel that is ready react. When it `mayBlock`, it waits until one is, the pipe is written to or a timer
    /// is due.
    func wait(mayBlock: Bool) {
        let timeout = mayBlock ? milliseconds(until: nextDeadline) : 0
        let ready = entries.withUnsafeMutableBufferPointer { poll($0.baseAddress, nfds_t($0.count), timeout) }
        guard ready >= 0 else {
            // EINTR aside, this is a descriptor limit lowered below what is watched, or no memory: rest, do not spin.
            if errno != EINTR { usleep(10_000) }
            return
        }
        turn &+= 1
        if ready > 0 { dispatch(ready) }
        if turn % Self.sweepInterval == 0 { sweep() }
    }

    /// Rounded up, so that a timer is due when poll(2) returns; −1, without end, when there is none.
    private func milliseconds(until deadline: UInt64?) -> Int32 {
        guard let deadline else { return -1 }
        let now = monotonicNanoseconds()
        return deadline <= now ? 0 : Int32(clamping: (deadline - now + 999_999) / 1_000_000)
    }

    /// From the end, so that a removal, which moves the last entry, moves one that was handled already.
    private func dispatch(_ ready: Int32) {
        var remaining = ready
        if entries[0].revents != 0 {
            entries[0].revents = 0
            remaining -= 1
            wakePipe.drain()
        }
        var index = channels.count - 1
        while index >= 0, remaining > 0 {
            let events = entries[index + 1].revents
            if events != 0 {
                entries[index + 1].revents = 0
                remaining -= 1
                let channel = channels[index]
                channel.lastReady = turn
                channel.ready(Readiness(pollEvents: Int32(events)))
            }
            index = min(index, channels.count) - 1
        }
    }

    // MARK: Watcher

    func add(_ channel: Channel) {
        channel.pollIndex = channels.count
        channel.lastReady = turn
        channels.append(channel)
        entries.append(pollfd(fd: channel.descriptor, events: channel.interest.pollEvents, revents: 0))
    }

    func update(_ channel: Channel) {
        if channel.pollIndex >= 0 {
            entries[channel.pollIndex + 1].fd = channel.descriptor
            entries[channel.pollIndex + 1].events = channel.interest.pollEvents
        } else if channel.interest != .read {
            channel.parking?.cancel()
        }
    }

    func remove(_ channel: Channel) {
        if channel.pollIndex >= 0 {
            removeEntry(channel)
            channel.unwatched()
        } else {
            channel.parking?.cancel()
        }
    }

    /// poll(2) passes over negative descriptors.
    func mute(_ channel: Channel) {
        guard channel.pollIndex >= 0 else { return }
        entries[channel.pollIndex + 1].fd = -1
    }

    func schedule(_ deadline: UInt64?) {
        nextDeadline = deadline
    }

    private func removeEntry(_ channel: Channel) {
        let index = channel.pollIndex
        channel.pollIndex = -1
        let last = channels.removeLast()
        let lastEntry = entries.removeLast()
        guard last !== channel else { return }
        channels[index] = last
        entries[index + 1] = lastEntry
        last.pollIndex = index
    }

    // MARK: Parking

    private func sweep() {
        for _ in 0..<min(Self.sweepCount, channels.count) {
            if sweepIndex >= channels.count { sweepIndex = 0 }
            let channel = channels[sweepIndex]
            if turn &- channel.lastReady > Self.quietTurns, channel.interest == .read {
                park(channel)  // Another channel has its place now.
            } else {
                sweepIndex += 1
            }
        }
    }

    /// The source is cancelled when the descriptor stirs, and the descriptor comes back when the cancelling is done:
    /// libdispatch must have forgotten a descriptor before it is closed or polled.
    private func park(_ channel: Channel) {
        removeEntry(channel)
        parkedCount += 1
        let source = DispatchSource.makeReadSource(fileDescriptor: channel.descriptor, queue: parkingQueue)
        let identity = channel.reactor.identity
        let parked = LoopConfined((self, channel), to: identity)
        source.setEventHandler { source.cancel() }
        source.setCancelHandler { [inbox, wakePipe] in
            let returning = Inbox.Job.closure {
                let (poller, channel) = parked.value
                poller.unpark(channel)
            }
            if inbox.add(returning) != nil { wakePipe.wake() }
        }
        channel.parking = source
        source.resume()
    }

    private func unpark(_ channel: Channel) {
        parkedCount -= 1
        channel.parking = nil
        if channel.slot >= 0 { add(channel) } else { channel.unwatched() }
    }
}

/// Whether `descriptor` is ready at this moment.
func isReady(_ descriptor: Int32, for interest: Interest) -> Bool {
    var entry = pollfd(fd: descriptor, events: interest.pollEvents, revents: 0)
    return poll(&entry, 1, 0) == 1
}

extension Interest {
    fileprivate var pollEvents: Int16 {
        (contains(.read) ? Int16(POLLIN) : 0) | (contains(.write) ? Int16(POLLOUT) : 0)
    }
}

extension Readiness {
    fileprivate init(pollEvents events: Int32) {
        self = []
        if events & Int32(POLLIN) != 0 { insert(.readable) }
        if events & Int32(POLLOUT) != 0 { insert(.writable) }
        if events & Int32(POLLHUP) != 0 { insert(.hangup) }
        if events & Int32(POLLERR | POLLNVAL) != 0 { insert(.failed) }
    }
}
