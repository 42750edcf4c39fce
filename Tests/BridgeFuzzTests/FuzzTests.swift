import BridgeFuzz
import Testing

/// A bounded run of what `Tests/run --fuzz` does for long: the same inputs every time.
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

    @Test("Whatever is sent to a server, it goes on, and nothing is left behind")
    func server() async throws {
        let server = try await ServerUnderFuzz()
        var run = FuzzRun(.server(server))
        run.count = 600
        run.stackSize = 16 << 20
        let outcome = await run.run()
        #expect(outcome.fault == nil, "\(outcome)")
        #expect(outcome.count == run.count)
        try server.checkHealth()
        await server.stop()
    }
}
