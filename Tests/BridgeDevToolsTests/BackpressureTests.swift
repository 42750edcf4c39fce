import BridgeDevTools
import BridgeJSON
import Dispatch
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct BackpressureTests {
    private let peer: Peer
    private let journal = Journal()

    init() throws { peer = try Peer() }

    /// Far more than any pipe holds, from the main actor, which is free at once; what the browser says is heard all the
    /// while, and then each command arrives whole and in its place.
    @MainActor @Test func aBrowserThatDoesNotReadHoldsNobodyUp() async throws {
        let connection = peer.connection()
        connection.listen(journal.sink("browser"))
        let large = JSON(String(repeating: "x", count: 1 << 20))
        for number in 1...40 {
            connection.post("c", ["n": JSON(number), "text": number % 2 == 0 ? large : ""])
        }
        await peer.say(#"{"method":"e","params":{"n":1}}"#)
        #expect(await journal.entries(atLeast: 1) == ["browser e 1"])
        for number in 1...40 {
            let command = try #require(await peer.next())
            #expect(command["params"]?["n"]?.int == number)
            #expect(command["params"]?["text"] == (number % 2 == 0 ? large : ""))
        }
        // And a second time, when what had waited is gone.
        for number in 41...44 { connection.post("c", ["n": JSON(number), "text": large]) }
        for number in 41...44 { #expect(await peer.next()?["params"]?["n"]?.int == number) }
    }

    /// Nor does one that ends instead of reading.
    @Test func aBrowserThatEndsBeforeItReadsFailsThemAll() async throws {
        let connection = peer.connection()
        let large = JSON(String(repeating: "x", count: 1 << 20))
        for number in 1...4 { connection.post("c", ["text": large], completion: journal.completion("\(number)")) }
        peer.close()
        #expect(
            await journal.entries(atLeast: 4) == (1...4).map { "\($0) failed: the browser has closed its pipe" })
        await connection.closed()
    }

    @Test func aLargeResultIsWhole() async throws {
        let connection = peer.connection()
        let picture = String(repeating: "iVBORw0KGgo=", count: (20 << 20) / 12)
        async let result = connection.send("Page.captureScreenshot")
        let id = try #require(await peer.next()?["id"]?.int)
        await peer.say(#"{"id":\#(id),"result":{"data":"\#(picture)"}}"#)
        #expect(try await result["data"]?.string == picture)
    }

    private final class Flood: Sendable {
        let isOver = Atomic(false)
    }

    /// A page that never stops talking keeps no command from its way, nor its result from who waits.
    @Test func aFloodOfEventsHoldsNoCommandUp() async throws {
        let connection = peer.connection()
        let flood = Flood()
        let event = Array(#"{"method":"Runtime.consoleAPICalled","params":{"n":1},"sessionId":"S"}"#.utf8) + [0]
        let piece = (0..<200).flatMap { _ in event }
        await withTaskGroup(of: Void.self) { group in
            let peer = peer
            group.addTask { while !flood.isOver.load(ordering: .relaxed) { await peer.say(piece) } }
            for _ in 0..<20 {
                async let result = connection.send("Page.stopLoading", session: "S")
                if let id = await peer.next()?["id"]?.int { await peer.say(#"{"id":\#(id),"result":{"n":3}}"#) }
                #expect(await (try? result) == ["n": 3])
            }
            // What is told on the queue without the browser has its turn too.
            let task = Task { try await connection.send("Runtime.evaluate") }
            _ = await peer.next()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            flood.isOver.store(true, ordering: .relaxed)
        }
    }
}
