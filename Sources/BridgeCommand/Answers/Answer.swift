import Bridgehead

/// What the answers file says about one call of an event.
struct Answer: Sendable {
    enum Outcome: Sendable {
        case response(JSON)
        case failure(BridgeFailure)
    }

    var outcome: Outcome
    var delay: Duration = .zero
    /// Reported in order before the outcome, spread evenly over `delay`.
    var progress: [JSON] = []
}

/// A place in the answers file, and what is wrong there.
package struct AnswersError: Error, Sendable, Hashable {
    package let line: Int
    package let column: Int
    package let reason: String
}
