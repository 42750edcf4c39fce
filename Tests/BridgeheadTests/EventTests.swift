import Bridgehead
import Testing

@Suite struct EventTests {
    private struct Plain: BridgeEvent { static let name = "plain" }

    @Test("An event reports nothing unless it says what: a stray report does not compile")
    func defaults() {
        #expect(Plain.Progress.self == Never.self)
        #expect(Plain.Reply.self == Void.self)
    }
}
