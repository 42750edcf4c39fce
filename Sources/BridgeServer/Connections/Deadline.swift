import BridgeSockets

/// A connection's one deadline, which moves with almost every request. The timer behind it is left alone when the
/// deadline moves away, and looks again when it fires.
struct Deadline {
    private var due: ContinuousClock.Instant?
    private var timer: LoopTimer?
    private var timerDue: ContinuousClock.Instant?

    /// - Parameters:
    ///   - delay: nil for no deadline.
    ///   - fire: to call ``isDue(on:_:)``.
    mutating func set(_ delay: Duration?, on loop: EventLoop, _ fire: @escaping @Sendable () -> Void) {
        guard let delay else {
            due = nil
            return
        }
        let due = ContinuousClock.now + delay
        self.due = due
        if let timerDue, timerDue <= due { return }
        timer?.cancel()
        timerDue = due
        timer = loop.after(delay, fire)
    }

    /// Called when the timer fired: whether the deadline has passed; if not, the timer is set again.
    mutating func isDue(on loop: EventLoop, _ fire: @escaping @Sendable () -> Void) -> Bool {
        timer = nil
        timerDue = nil
        guard let due else { return false }
        let rest = due - .now
        guard rest > .zero else {
            self.due = nil
            return true
        }
        timerDue = due
        timer = loop.after(rest, fire)
        return false
    }

    mutating func cancel() {
        timer?.cancel()
        self = Deadline()
    }
}
