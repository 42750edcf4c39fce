import BridgeTesting
import Bridgehead
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct Save: BridgeEvent {
    static let name = "save"
    typealias Reply = Int
    var text: String
}

private struct UpdateTitle: BridgeEvent {
    static let name = "updateTitle"
    var title: String
}

private enum AppEvent: String, CaseIterable { case save, share, print }

private func makeBridge() -> Bridge {
    let bridge = Bridge()
    bridge.on(Save.self) { event, call in
        try await call.page.send(UpdateTitle(title: "saved"))
        return event.text.count
    }
    bridge.on("log") { (_: JSON, _) in JSON.null }
    return bridge
}

@Suite struct BridgeTestingTests {
    @Test func aConversationIsAsserted() async throws {
        try await withBridge(makeBridge()) { server in
            let page = try await server.page()
            page.handle(UpdateTitle.self) { #expect($0.title == "saved") }
            #expect(try await page.request(Save(text: "note")) == 4)
            #expect(try await server.calls.next(Save.self).text == "note")
        }
    }

    @Test func callsAreHandedOutInOrderAndOnce() async throws {
        try await withBridge(makeBridge()) { server in
            let page = try await server.page()
            for number in 0..<3 { try await page.notify("log", ["n": JSON(number)]) }
            for number in 0..<3 {
                let call = try await server.calls.next("log")
                #expect(call.payload == ["n": JSON(number)])
                #expect(call.isNotification)
            }
            #expect(server.calls.all(of: "log").count == 3)
        }
    }

    private struct Tick: BridgeEvent {
        static let name = "tick"
        var number: Int
    }

    @Test func tenThousandEventsComeInOrderEitherWay() async throws {
        let seen = Mutex<[Int]>([])
        let bridge = makeBridge()
        try await withBridge(bridge) { server in
            let page = try await server.page()
            page.handle(Tick.self) { tick in seen.withLock { $0.append(tick.number) } }
            page.handle("done") { _ in true }
            for number in 0..<10_000 { try await page.notify(Tick(number: number)) }
            for number in 0..<10_000 { #expect(try await server.calls.next(Tick.self).number == number) }
            let connected = try await bridge.page()
            for number in 0..<10_000 { try connected.notify(Tick(number: number)) }
            // A request behind them: when it is answered, all have been handled.
            _ = try await connected.send(Done())
        }
        #expect(seen.withLock { $0 } == Array(0..<10_000))
    }

    private struct Done: BridgeEvent {
        static let name = "done"
        typealias Reply = Bool
    }

    @Test func aCallIsAwaited() async throws {
        try await withBridge(makeBridge()) { server in
            let page = try await server.page()
            async let call = server.calls.next("later")
            try await page.notify("later", ["a": 1])
            #expect(try await call.payload == ["a": 1])
        }
    }

    /// The failure's text says what did arrive.
    @Test func whatDoesNotComeFailsWithWhatDid() async throws {
        try await withBridge(makeBridge()) { server in
            let none = await #expect(throws: BridgeTestFailure.self) {
                try await server.calls.next("save", within: .milliseconds(1))
            }
            #expect(none?.description == "no call of save within 0.001 seconds; no call arrived at all")
            let page = try await server.page()
            try await page.request("log", ["a": 1])
            let other = await #expect(throws: BridgeTestFailure.self) {
                try await server.calls.next("save", within: .milliseconds(1))
            }
            #expect(other?.description == "no call of save within 0.001 seconds; what did arrive:\n  log {\"a\":1}")
        }
    }

    @Test func anAnswerThatDoesNotComeFails() async throws {
        let bridge = Bridge()
        bridge.on("hang") { (_: JSON, _) async throws in try await Task.sleep(for: .seconds(3600)) }
        try await withBridge(bridge) { server in
            let page = try await server.page()
            let failure = await #expect(throws: BridgeTestFailure.self) {
                try await page.request("hang", within: .milliseconds(50))
            }
            #expect(failure?.description == "no answer to hang within 0.05 seconds; what did arrive:\n  hang {}")
        }
    }

    private struct Upload: BridgeEvent {
        static let name = "upload"
        typealias Reply = String
        typealias Progress = Int
    }

    @Test func typedProgressComesBeforeTheReply() async throws {
        let bridge = Bridge()
        bridge.on(Upload.self) { _, call in
            for percent in [0, 50, 100] { call.report(percent) }
            return "done"
        }
        try await withBridge(bridge) { server in
            let page = try await server.page()
            let seen = Mutex<[Int]>([])
            let reply = try await page.request(Upload()) { percent in seen.withLock { $0.append(percent) } }
            #expect(reply == "done")
            #expect(seen.withLock { $0 } == [0, 50, 100])
        }
    }

    /// As it does in every test that fails.
    @Test func aServerEndsWithItsBodyThoughThatThrows() async throws {
        let kept = Mutex<BridgeTestServer?>(nil)
        await #expect(throws: CancellationError.self) {
            try await withBridge(makeBridge()) { server in
                kept.withLock { $0 = server }
                throw CancellationError()
            }
        }
        let server = try #require(kept.withLock { $0 })
        // The port may have gone to somebody else since: what matters is that nothing arrives here.
        _ = try? await server.page().request("late")
        #expect(server.calls.all.isEmpty)
    }

    @Test func aServerThatEndsFailsWhatIsAwaited() async throws {
        let bridge = Bridge()
        bridge.on("hang") { (_: JSON, _) async throws in try await Task.sleep(for: .seconds(3600)) }
        let server = try await BridgeTestServer(bridge)
        let page = try await server.page()
        let answer = Task { try await page.request("hang") }
        _ = try await server.calls.next("hang")
        await server.stop()
        let failure = await #expect(throws: (any Error).self) { try await answer.value }
        // What was in flight is either answered by the draining server or lost with the connection; then the text says which.
        if let failure = failure as? BridgeTestFailure {
            #expect(failure.description.hasPrefix("hang was not answered: the connection was lost"))
            #expect(failure.description.hasSuffix("what did arrive:\n  hang {}"))
        } else {
            #expect((failure as? BridgeFailure)?.code == BridgeFailure.Code.cancelled)
        }
        await page.disconnect()
        let unsent = await #expect(throws: BridgeTestFailure.self) { try await page.notify("log") }
        #expect(unsent?.description.hasPrefix("log was not sent: the connection was lost") == true)
    }

    @Test func ofManyCallsTheLastAreShown() async throws {
        try await withBridge(makeBridge()) { server in
            let page = try await server.page()
            for number in 0..<25 { try await page.request("log", ["n": JSON(number)]) }
            let failure = await #expect(throws: BridgeTestFailure.self) {
                try await server.calls.next("save", within: .milliseconds(1))
            }
            let text = try #require(failure?.description)
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.first == "no call of save within 0.001 seconds; the last 20 of 25 calls:")
            #expect(lines.dropFirst() == ArraySlice((5..<25).map { "  log {\"n\":\($0)}" }))
        }
    }

    @Test func callsInABatchAreRecorded() async throws {
        try await withBridge(makeBridge()) { server in
            var request = URLRequest(url: try #require(URL(string: server.url + "/_bridge/rpc")))
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            let calls = [1, 2].map { #"{"jsonrpc":"2.0","method":"log","params":{"n":\#($0)},"id":\#($0)}"# }
            request.httpBody = Data("[\(calls.joined(separator: ","))]".utf8)
            _ = try await URLSession.shared.data(for: request)
            #expect(server.calls.all(of: "log").map(\.payload) == [["n": 1], ["n": 2]])
        }
    }

    @Test func eventsWithoutAHandlerAreFound() async throws {
        try await withBridge(makeBridge()) { server in
            #expect(server.eventsWithoutHandler([Save.self, UpdateTitle.self]) == ["updateTitle"])
            #expect(server.eventsWithoutHandler(AppEvent.self) == ["share", "print"])
        }
    }

    @Test func failuresComeAsTheyAre() async throws {
        try await withBridge(makeBridge()) { server in
            let page = try await server.page()
            let unknown = await #expect(throws: BridgeFailure.self) { try await page.request("sav") }
            #expect(unknown?.data?["nearest"] == ["save"])
            let unhandled = await #expect(throws: BridgeFailure.self) { try await page.request(Save(text: "")) }
            #expect(unhandled?.code == BridgeFailure.Code.handlerFailed)
            #expect(unhandled?.data?["code"] == -32601, "the page has no handler for updateTitle")
        }
    }

    /// One bridge, many tests at once: each has its own port, pages and calls.
    @Test func serversDoNotMeet() async throws {
        let bridge = makeBridge()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await withBridge(bridge) { server in
                        let page = try await server.page()
                        try await page.request("log", ["n": JSON(number)])
                        #expect(server.calls.all.map(\.payload) == [["n": JSON(number)]])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: [true, false])
    func aPageThatLeavesFailsWhatIsAwaitedOfIt(_ says: Bool) async throws {
        let bridge = Bridge()
        let (codes, code) = AsyncStream.makeStream(of: Int.self)
        bridge.on("ask") { (_: JSON, call) async throws in
            do {
                try await call.page.send(UpdateTitle(title: ""))
            } catch let failure as BridgeFailure {
                code.yield(failure.code)
            }
        }
        try await withBridge(bridge) { server in
            let page = try await server.page()
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            page.handle(UpdateTitle.self) { _ in
                ask.yield()
                try await Task.sleep(for: .seconds(3600))
            }
            try await page.notify("ask")
            var iterator = asked.makeAsyncIterator()
            await iterator.next()
            if says { await page.close() } else { await page.disconnect() }
            var results = codes.makeAsyncIterator()
            let expected = says ? BridgeFailure.Code.pageNavigatedAway : BridgeFailure.Code.connectionClosed
            #expect(await results.next() == expected)
        }
    }
}
