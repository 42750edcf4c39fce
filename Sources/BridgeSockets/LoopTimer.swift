// Timers: a cancellable action, and the heap that orders thousands of them.

import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An action that an ``EventLoop`` runs once, later.
///
/// `cancel()` may be called on any thread and releases what the action captured. On the loop it is exact; from elsewhere
/// the action may be running already.
package final class LoopTimer: Sendable {
    /// When it is due: nanoseconds of the system's monotonic clock. Timers fire in the order of their deadlines, equal ones
    /// in the order in which they were added.
    package let deadline: UInt64
    private let action: Mutex<(@Sendable () -> Void)?>
    private let cancelled: CancelledTimers

    init(deadline: UInt64, cancelled: CancelledTimers, action: @escaping @Sendable () -> Void) {
        self.deadline = deadline
        self.cancelled = cancelled
        self.action = Mutex(action)
    }

    /// Does nothing when the timer has fired or was cancelled before.
    package func cancel() {
        if takeAction() != nil { cancelled.count.add(1, ordering: .relaxed) }
    }

    var isCancelled: Bool { action.withLock { $0 == nil } }

    func takeAction() -> (@Sendable () -> Void)? {
        action.withLock { action in
            defer { action = nil }
            return action
        }
    }
}

/// How many cancelled timers still lie in a loop's heap.
final class CancelledTimers: Sendable {
    let count = Atomic<Int>(0)
}

/// A binary heap by deadline, then by order of arrival. Cancelled timers stay until they are due or are the majority.
struct TimerHeap {
    let cancelled = CancelledTimers()
    private var entries: [Entry] = []
    private var sequence: UInt64 = 0

    private struct Entry {
        let deadline: UInt64
        let sequence: UInt64
        let timer: LoopTimer

        static func < (left: Entry, right: Entry) -> Bool {
            (left.deadline, left.sequence) < (right.deadline, right.sequence)
        }
    }

    var nextDeadline: UInt64? { entries.first?.deadline }

    mutating func insert(_ timer: LoopTimer) {
        let dead = cancelled.count.load(ordering: .relaxed)
        if dead > 64, dead > entries.count / 2 { removeCancelled() }
        entries.append(Entry(deadline: timer.deadline, sequence: sequence, timer: timer))
        sequence += 1
        siftUp(entries.count - 1)
    }

    /// The action of the next timer that is due, removed.
    mutating func popDue(_ now: UInt64) -> (@Sendable () -> Void)? {
        while let first = entries.first, first.deadline <= now {
            entries.swapAt(0, entries.count - 1)
            entries.removeLast()
            siftDown(0)
            if let action = first.timer.takeAction() { return action }
            cancelled.count.subtract(1, ordering: .relaxed)
        }
        return nil
    }

    mutating func removeAll() {
        entries = []
    }

    private mutating func removeCancelled() {
        let before = entries.count
        entries.removeAll { $0.timer.isCancelled }
        cancelled.count.subtract(before - entries.count, ordering: .relaxed)
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child] < entries[parent] else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count && entries[child] < entries[least]
            {
                least = child
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}

/// Nanoseconds on a clock that only goes forward.
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The moment `delay` from now; a negative delay is none, an endless one some centuries.
func deadline(after delay: Duration) -> UInt64 {
    let (seconds, attoseconds) = delay.components
    let longest: Int64 = 1 << 32
    let bounded = min(max(seconds, 0), longest)
    let fraction = seconds < 0 ? 0 : max(attoseconds, 0) / 1_000_000_000
    return monotonicNanoseconds() + UInt64(bounded) * 1_000_000_000 + UInt64(fraction)
}
