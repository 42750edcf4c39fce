import BridgeSoak
import Testing

/// A slow machine is no fault, and a server from which nothing more comes is one.
@Suite struct PatienceTests {
    /// How often it lasts, asked with what is unanswered and unsent each time.
    private func seconds(_ states: some Sequence<(unanswered: Int, unsent: Int)>) -> Int {
        var patience = Patience()
        var seconds = 0
        for state in states {
            guard patience.lasts(unanswered: state.unanswered, unsent: state.unsent) else { break }
            seconds += 1
        }
        return seconds
    }

    private let nearlyTooLong = Patience.seconds - 1

    @Test func lastsAsLongAsMoreIsAnswered() {
        #expect(seconds((0..<10 * nearlyTooLong).map { (1_000 - $0 / nearlyTooLong, 7) }) == 10 * nearlyTooLong)
    }

    @Test func lastsAsLongAsMoreIsSent() {
        #expect(seconds((0..<10 * nearlyTooLong).map { (3, 1_000 - $0 / nearlyTooLong) }) == 10 * nearlyTooLong)
    }

    @Test func isOverWhenNothingComesNearer() {
        #expect(seconds((0..<1_000).map { _ in (3, 0) }) == Patience.seconds)
    }

    /// What is sent in answer to pings comes and goes for ever.
    @Test func isOverWhenOnlyPingsAreAnswered() {
        #expect(seconds((0..<1_000).map { (3, $0.isMultiple(of: 2) ? 8 : 0) }) <= Patience.seconds + 1)
    }
}
