import BridgeFuzz
import Testing

/// A bounded run of what `Tests/run --fuzz` does for long: the same inputs every time. `Tests/run` fuzzes the server too, in
/// a process of its own, whose descriptors can be counted.
@Suite(.timeLimit(.minutes(10)))
struct FuzzTests {
    @Test("Whatever comes in, nothing traps, and what must hold holds", arguments: FuzzTarget.codecs.map(\.name))
    func codecs(name: String) async throws {
        let target = try #require(FuzzTarget.codecs.first { $0.name == name })
        var run = FuzzRun(target)
        run.count = 3_000
        run.stackSize = 16 << 20
        let outcome = await run.run()
        #expect(outcome.fault == nil, "\(outcome)")
        #expect(outcome.count == run.count)
    }
}
