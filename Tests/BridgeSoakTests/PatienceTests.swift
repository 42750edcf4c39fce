import BridgeSoak
import Testing

/// A slow machine is no fault, and a server from which nothing more comes is one.
@Suite struct PatienceTests {
    @Test(arguments: [0, 1]) func lastsAsLongAsMoreIsAnswered(unsent: Int) {
        var patience = Patience()
        for unanswered in (0..<10).reversed() {
            for _ in 1..<Patience.seconds { #expect(patience.lasts(unanswered: unanswered, unsent: unsent)) }
        }
    }

    @Test func lastsAsLongAsMoreIsSent() {
        var patience = Patience()
        for unsent in (0..<10).reversed() {
            for _ in 1..<Patience.seconds { #expect(patience.lasts(unanswered: 3, unsent: unsent)) }
        }
    }

    @Test func isOverWhenNothingComesNearer() {
        var patience = Patience()
        let asked = (0..<1_000).prefix { _ in patience.lasts(unanswered: 3, unsent: 0) }
        #expect(asked.count == Patience.seconds)
    }

    /// What is sent in answer to pings comes and goes for ever.
    @Test func isOverWhenOnlyPingsAreAnswered() {
        var patience = Patience()
        let asked = (0..<1_000).prefix { patience.lasts(unanswered: 3, unsent: $0.isMultiple(of: 2) ? 0 : 8) }
        #expect(asked.count == Patience.seconds)
    }
}
