import BridgeDevTools
import BridgeJSON
import Dispatch
import Testing

/// Against a peer that says what a test tells it to; no browser.
@Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
    private let peer: Peer
    private let journal = Journal()

    init() throws { peer = try Peer() }

    // MARK: Commands

    @Test func aCommandHasItsResult() async throws {
        let connection = peer.connection()
        async let result = connection.send("Page.navigate", ["url": "http://127.0.0.1/\u{0}é"], session: "S")
        let command = try #require(await peer.next())
        #expect(command["method"] == "Page.navigate")
        #expect(command["params"] == ["url": "http://127.0.0.1/\u{0}é"])
        #expect(command["sessionId"] == "S")
        let id = try #require(command["id"]?.int)
        await peer.say(#"{"id":\#(id),"result":{"frameId":"F"},"sessionId":"S"}"#)
        #expect(try await result == ["frameId": "F"])
        connection.post("Browser.close")
        #expect(await peer.next()?.object?["sessionId"] == nil)
    }

    @Test func anErrorSaysTheMethodTheCodeAndTheMessage() async throws {
        let connection = peer.connection()
        for (error, message) in [
            (#"{"code":-32000,"message":"No node"}"#, "No node"),
            (#"{"code":-32000,"message":"Invalid","data":"params: no url"}"#, "Invalid: params: no url"),
        ] {
            let task = Task { try await connection.send("DOM.focus") }
            let id = try #require(await peer.next()?["id"]?.int)
            await peer.say(#"{"id":\#(id),"error":\#(error)}"#)
            let failure = await #expect(throws: DevToolsFailure.self) { try await task.value }
            #expect(failure == .refused(method: "DOM.focus", code: -32000, message: message))
        }
        #expect(connection.pendingCount == 0)
    }

    // MARK: Order

    /// Events and results, of whatever session, in pieces of whatever size.
    @Test(arguments: [1, 7, 1000]) func everythingIsToldInTheOrderInWhichItCame(_ size: Int) async throws {
        let connection = peer.connection()
        for name in [nil, "A", "B"] { connection.listen(to: name, journal.sink(name ?? "browser")) }
        var ids: [Int] = []
        for name in ["first", "second", "third"] {
            connection.post(name, completion: journal.completion(name))
            ids.append(try #require(await peer.next()?["id"]?.int))
        }
        let said = Peer.bytes([
            #"{"method":"e","params":{"n":1},"sessionId":"A"}"#, #"{"id":\#(ids[2]),"result":{"n":2}}"#,
            #"{"method":"e","params":{"n":3}}"#, #"{"method":"e","params":{"n":4},"sessionId":"B"}"#,
            #"{"method":"e","params":{"n":0},"sessionId":"nobody's"}"#,
            #"{"id":\#(ids[0]),"error":{"code":5,"message":"no"},"sessionId":"A"}"#,
            #"{"method":"e","params":{"n":6},"sessionId":"A"}"#, #"{"id":\#(ids[1]),"result":{"n":7}}"#,
            #"{"id":12345,"result":{"n":0}}"#, #"{"method":"e","params":{"n":8},"sessionId":"A"}"#,
        ])
        for start in stride(from: 0, to: said.count, by: size) {
            await peer.say(Array(said[start..<min(start + size, said.count)]))
        }
        #expect(
            await journal.entries(atLeast: 8) == [
                "A e 1", "third = 2", "browser e 3", "B e 4", "first failed: first: no (5)", "A e 6", "second = 7",
                "A e 8",
            ])
    }

    /// A page that lives on the main actor: what came ahead of a result has arrived when the result does.
    @MainActor @Test func aResultArrivesOnTheMainActorBehindTheEventsAheadOfIt() async throws {
        @MainActor final class Page {
            var seen: [Int] = []
        }
        let connection = peer.connection()
        let page = Page()
        connection.listen(to: "P") { message in
            guard case .event(_, let params) = message else { return }
            DispatchQueue.main.async { MainActor.assumeIsolated { page.seen.append(params["n"]?.int ?? 0) } }
        }
        let peer = peer
        let playing = Task.detached {
            var n = 0
            while let id = await peer.next()?["id"]?.int {
                let events = (1...20).map { #"{"method":"e","params":{"n":\#(n + $0)},"sessionId":"P"}"# }
                n += 20
                await peer.say(Peer.bytes(events + [#"{"id":\#(id),"result":{}}"#]))
            }
        }
        for round in 1...200 {
            _ = try await connection.send("Runtime.evaluate", session: "P")
            try #require(page.seen == Array(1...round * 20))
        }
        connection.end("over")
        await playing.value
    }

    /// The first event of a session may be in the same piece as the one that tells of it.
    @Test func aSinkThatASinkSetsMissesNothing() async throws {
        let connection = peer.connection()
        let journal = journal
        connection.listen { [weak connection] message in
            guard case .event(_, let params) = message, let session = params["sessionId"]?.string else { return }
            connection?.listen(to: session, journal.sink(session))
        }
        await peer.say(
            #"{"method":"Target.attachedToTarget","params":{"sessionId":"S"}}"#,
            #"{"method":"e","params":{"n":1},"sessionId":"S"}"#)
        #expect(await journal.entries(atLeast: 1) == ["S e 1"])
    }

    @Test func theLastSinkIsTheOneThatIsTold() async throws {
        let connection = peer.connection()
        let (first, second) = (Journal(), Journal())
        connection.listen(first.sink("first"))
        connection.listen(second.sink("second"))
        await peer.say(#"{"method":"e","params":{"n":1}}"#)
        #expect(await second.entries(atLeast: 1) == ["second e 1"])
        connection.listen(nil)
        connection.listen(to: "S", journal.sink("S"))
        await peer.say(#"{"method":"e"}"#, #"{"method":"e","params":{"n":2},"sessionId":"S"}"#)
        await journal.entries(atLeast: 1)
        #expect(second.entries.count == 1 && first.entries.isEmpty)
    }

    // MARK: Cancelling

    @Test func aCancelledCommandLeavesNothing() async throws {
        let connection = peer.connection()
        let task = Task { try await connection.send("Runtime.evaluate") }
        let id = try #require(await peer.next()?["id"]?.int)
        #expect(connection.pendingCount == 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(connection.pendingCount == 0)
        async let next = connection.send("Browser.getVersion")
        let other = try #require(await peer.next()?["id"]?.int)
        await peer.say(#"{"id":\#(id),"result":{"n":1}}"#, #"{"id":\#(other),"result":{"n":2}}"#)
        #expect(try await next == ["n": 2])
    }

    @Test func whatWasCancelledBeforeIsNotSent() async throws {
        let connection = peer.connection()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await connection.send("first")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        connection.post("second")
        #expect(await peer.next()?["method"] == "second")
    }

    /// At any moment, and against a result that comes at the same time.
    @Test func cancellingAtAnyMomentEndsTheWaiting() async throws {
        let connection = peer.connection()
        let peer = peer
        let playing = Task.detached {
            while let id = await peer.next()?["id"]?.int { await peer.say(#"{"id":\#(id),"result":{}}"#) }
        }
        for round in 0..<300 {
            let task = Task { try await connection.send("Runtime.evaluate") }
            for _ in 0..<round % 7 { await Task.yield() }
            task.cancel()
            switch await task.result {
            case .success(let value): #expect(value == [:])
            case .failure(let error): #expect(error is CancellationError)
            }
        }
        #expect(connection.pendingCount == 0)
        connection.end("over")
        await playing.value
    }
}
