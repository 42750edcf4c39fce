internal import Synchronization

/// Holds log lines back where there are more than anybody reads: most of them say what peers did, and peers must not be
/// able to fill a terminal or a disk.
package final class LogGate: Sendable {
    private static let burst = 1_000.0
    private static let perSecond = 50.0

    private struct State {
        var left = burst
        var last: ContinuousClock.Instant?
        var heldBack = 0
    }

    private let isOpen: Bool
    private let state = Mutex(State())

    /// - Parameter isOpen: whether everything passes, for who asked for everything.
    package init(isOpen: Bool = false) {
        self.isOpen = isOpen
    }

    /// Whether a line may be written.
    ///
    /// - Parameter tell: called before the first line after some that were held back, with what to say of them. There is a
    ///   second without lines before it, so that this is not said with every line.
    package func passes(at now: ContinuousClock.Instant = .now, telling tell: (String) -> Void) -> Bool {
        guard !isOpen else { return true }
        let heldBack: Int? = state.withLock { state in
            let elapsed = state.last.map { $0.duration(to: now) / .seconds(1) } ?? 0
            state.last = now
            state.left = min(Self.burst, state.left + elapsed * Self.perSecond)
            guard state.left >= (state.heldBack > 0 ? Self.perSecond : 1) else {
                state.heldBack += 1
                return nil
            }
            state.left -= 1
            defer { state.heldBack = 0 }
            return state.heldBack
        }
        guard let heldBack else { return false }
        if heldBack > 0 { tell("\(heldBack) lines were left out: there were too many at once") }
        return true
    }
}
