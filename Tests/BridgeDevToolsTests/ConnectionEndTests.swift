import BridgeDevTools
import BridgeJSON
import Synchronization
import Testing

/// However a connection ends, nobody waits for ever.
@Suite(.timeLimit(.minutes(10))) struct ConnectionEndTests {
    private let peer: Peer
    private let journal = Journal()

    init() throws { peer = try Peer() }

    /// Three commands, on the way, and two sinks.
    private func prepare(_ connection: DevToolsConnection) async {
        connection.listen(to: nil, journal.sink("browser"))
        connection.listen(to: "S", journal.sink("S"))
        for number in 1...3 {
            connection.post("command", session: number == 2 ? "S" : nil, completion: journal.completion("\(number)"))
            _ = await peer.next()
        }
    }

    private func everybodyIsTold(_ reason: String, _ connection: DevToolsConnection) async throws {
        await connection.closed()
        let told = await journal.entries(atLeast: 5)
        let (failed, ended) = (["1", "2", "3"].map { "\($0) failed: " }, ["S", "browser"].map { "\($0) ended: " })
        #expect(told == (failed + ended).map { $0 + reason })
        let failure = await #expect(throws: DevToolsFailure.self) { try await connection.send("later") }
        #expect(failure == .ended(reason: reason))
        connection.post("later", completion: journal.completion("later"))
        connection.listen(to: "new", journal.sink("new"))
        #expect(
            await journal.entries(atLeast: 7).suffix(2) == ["later failed: \(reason)", "new ended: \(reason)"])
        #expect(connection.pendingCount == 0)
    }

    @Test func theBrowserClosesItsPipe() async throws {
        let connection = peer.connection()
        await prepare(connection)
        peer.close()
        try await everybodyIsTold("the browser has closed its pipe", connection)
    }

    @Test(arguments: ["no JSON", "[1]", "7", "{}", #"{"id":"1"}"#, #"{"result":{}}"#, ""])
    func theBrowserSaysWhatIsNoMessage(_ text: String) async throws {
        let connection = peer.connection()
        await prepare(connection)
        await peer.say(text)
        try await everybodyIsTold("the browser sent what is no message of the protocol", connection)
        #expect(await !peer.isLeft())
    }

    @Test func theBrowserSaysTooMuchAtOnce() async throws {
        let connection = peer.connection(longestMessage: 1000)
        await prepare(connection)
        await peer.say(String(repeating: " ", count: 1001))
        try await everybodyIsTold("the browser sent a message of more than 1000 bytes", connection)
        #expect(await !peer.isLeft())
    }

    /// Who knows better why is asked, once, and may take its time.
    @Test func whoWatchesTheBrowserSaysWhy() async throws {
        let asked = Journal()
        let connection = peer.connection { asked.note("why?") }
        await prepare(connection)
        peer.close()
        await asked.entries(atLeast: 1)
        // Neither read nor written any more, and not failed yet.
        connection.post("in between", completion: { _ in })
        #expect(connection.pendingCount == 4)
        #expect(journal.entries.isEmpty)
        connection.end("it was the gardener")
        connection.end("it was the butler")
        try await everybodyIsTold("it was the gardener", connection)
        #expect(asked.entries.count == 1)
    }

    /// A browser whose end is known before its last words were read.
    @Test func whatWasSaidBeforeTheEndIsHeard() async throws {
        let connection = peer.connection {}
        connection.listen(journal.sink("browser"))
        for round in 1...50 {
            let peer = try Peer()
            let (connection, journal) = (peer.connection {}, Journal())
            connection.listen(journal.sink("browser"))
            connection.post("Browser.close", completion: journal.completion("close"))
            let id = try #require(await peer.next()?["id"]?.int)
            await peer.say(#"{"method":"e","params":{"n":\#(round)}}"#, #"{"id":\#(id),"result":{"n":\#(round)}}"#)
            connection.end("gone")
            #expect(
                await journal.entries(atLeast: 3) == ["browser e \(round)", "close = \(round)", "browser ended: gone"])
        }
    }

    @Test func whoIsDroppedTellsEverybody() async throws {
        var connection: DevToolsConnection? = peer.connection()
        connection?.listen(journal.sink("browser"))
        connection?.post("command", completion: journal.completion("command"))
        connection = nil
        let reason = "nobody has the connection any more"
        #expect(await journal.entries(atLeast: 2) == ["command failed: \(reason)", "browser ended: \(reason)"])
        #expect(await !peer.isLeft())
    }

    /// Chromium leaves the commands of a session that ends without an answer, and tells nothing of those below it.
    @Test func aSessionThatEndsFailsWhatIsItsOwn() async throws {
        let connection = peer.connection()
        for name in [nil, "page", "frame", "other"] { connection.listen(to: name, journal.sink(name ?? "browser")) }
        await peer.say(
            #"{"method":"Target.attachedToTarget","params":{"sessionId":"page","n":1}}"#,
            #"{"method":"Target.attachedToTarget","params":{"sessionId":"frame","n":2},"sessionId":"page"}"#,
            #"{"method":"Target.attachedToTarget","params":{"sessionId":"other","n":3}}"#)
        await journal.entries(atLeast: 3)
        var ids: [String: Int] = [:]
        for name in ["page", "frame", "other"] {
            connection.post("command", session: name, completion: journal.completion(name))
            ids[name] = await peer.next()?["id"]?.int
        }
        let other = try #require(ids["other"])
        await peer.say(
            #"{"method":"Target.detachedFromTarget","params":{"sessionId":"page","n":4}}"#,
            #"{"method":"e","params":{"n":5},"sessionId":"page"}"#, #"{"id":\#(other),"result":{"n":6}}"#)
        #expect(
            await journal.entries(atLeast: 9).dropFirst(3) == [
                "browser Target.detachedFromTarget 4", "frame failed: the page was closed",
                "frame ended: the page was closed", "page failed: the page was closed",
                "page ended: the page was closed", "other = 6",
            ])
        #expect(connection.pendingCount == 0)
    }

    /// It has a session still.
    @Test func aPageThatCrashesFailsWhatIsUnderWay() async throws {
        let connection = peer.connection()
        for name in ["page", "other"] { connection.listen(to: name, journal.sink(name)) }
        var ids: [String: Int] = [:]
        for name in ["page", "other"] {
            connection.post("command", session: name, completion: journal.completion(name))
            ids[name] = await peer.next()?["id"]?.int
        }
        let (page, other) = (try #require(ids["page"]), try #require(ids["other"]))
        await peer.say(
            #"{"method":"Inspector.targetCrashed","params":{"n":1},"sessionId":"page"}"#,
            #"{"id":\#(page),"error":{"code":-32000,"message":"Target crashed"},"sessionId":"page"}"#,
            #"{"method":"e","params":{"n":2},"sessionId":"page"}"#, #"{"id":\#(other),"result":{"n":3}}"#)
        #expect(
            await journal.entries(atLeast: 4) == [
                "page Inspector.targetCrashed 1", "page failed: the page has crashed", "page e 2", "other = 3",
            ])
    }
}
