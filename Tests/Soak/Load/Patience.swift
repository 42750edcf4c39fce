/// How long something is waited for that nothing stands in the way of: on a slow machine it may take any time as a whole,
/// and only so long without coming nearer.
///
/// Seconds are counted, not read from a clock: those in which this process itself was stopped are not the server's.
package struct Patience: Sendable {
    package static let seconds = 60

    private var left = Self.seconds
    private var fewestUnanswered = Int.max
    private var fewestUnsent = Int.max

    package init() {}

    /// Asked once a second, with what is still to be answered and to be sent.
    ///
    /// What comes otherwise, such as pings, is no progress: it goes on for ever.
    package mutating func lasts(unanswered: Int, unsent: Int) -> Bool {
        if unanswered < fewestUnanswered || unsent < fewestUnsent {
            fewestUnanswered = min(fewestUnanswered, unanswered)
            fewestUnsent = min(fewestUnsent, unsent)
            left = Self.seconds
        } else {
            left -= 1
        }
        return left > 0
    }
}
