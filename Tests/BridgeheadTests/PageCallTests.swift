import BridgeJSON
import BridgeWire
import Bridgehead
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Native to page", .timeLimit(.minutes(10)))
struct PageCallTests {
    struct UpdateTitle: BridgeEvent {
        static let name = "updateTitle"
        var title: String
        typealias Reply = Bool
        typealias Progress = Int
    }

    struct Ping: BridgeEvent { static let name = "ping" }

    struct Dictionary: BridgeEvent {
        static let name = "dictionary"
        var requestId: String
        typealias Reply = JSON
    }

    private func connect(
        _ bridge: Bridge, _ dialect: Dialect = .event, limits: BridgeLimits = BridgeLimits()
    ) async throws -> (SessionClient, BridgePage) {
        let client = SessionClient(bridge, limits: limits)
        _ = try await client.greet(dialect)
        return (client, try #require(bridge.pages.last))
    }

    @Test("A typed call, in the dialect of the greeting", arguments: [Dialect.event, .jsonRPC])
    func typed(dialect: Dialect) async throws {
        let (client, page) = try await connect(Bridge(), dialect)
        let progress = Inbox<Int>()
        let answer = Task { try await page.send(UpdateTitle(title: "a'b\n\u{2028}")) { progress.put($0) } }
        let sent = await client.next()
        switch dialect {
        case .event:
            #expect(sent == #"{"requestId":1,"eventName":"updateTitle","title":"a'b\n\u2028"}"#)
            client.send(#"{"requestId":1,"progress":7}"#)
            client.send(#"{"requestId":1,"response":true}"#)
        case .jsonRPC:
            #expect(sent == #"{"jsonrpc":"2.0","method":"updateTitle","params":{"title":"a'b\n\u2028"},"id":1}"#)
            client.send(#"{"jsonrpc":"2.0","method":"$/progress","params":{"id":1,"value":7}}"#)
            client.send(#"{"jsonrpc":"2.0","result":true,"id":1}"#)
        }
        #expect(try await answer.value)
        #expect(await progress.next() == 7)
        #expect(await client.session.pendingCallCount == 0)
    }

    @Test("A payload with a reserved member travels in JSON-RPC")
    func reserved() async throws {
        let (client, page) = try await connect(Bridge())
        let answer = Task { try await page.send(Dictionary(requestId: "x")) }
        #expect(
            await client.next()
                == #"{"jsonrpc":"2.0","method":"dictionary","params":{"requestId":"x"},"id":1}"#)
        client.send(#"{"jsonrpc":"2.0","result":{"a":1},"id":1}"#)
        #expect(try await answer.value == ["a": 1])
    }

    @Test("Events without a reply, as request and as notification")
    func silent() async throws {
        let (client, page) = try await connect(Bridge())
        try page.notify(Ping())
        #expect(await client.next() == #"{"eventName":"ping"}"#)
        let handled = Task { try await page.send(Ping()) }
        #expect(await client.next() == #"{"requestId":1,"eventName":"ping"}"#)
        client.send(#"{"requestId":1,"response":{"any":"thing"}}"#)
        try await handled.value
    }

    @Test("The page's failure reaches the caller; an answer that does not decode says where")
    func failures() async throws {
        let (client, page) = try await connect(Bridge())
        let failing = Task { try await page.send(UpdateTitle(title: "a")) }
        _ = await client.next()
        client.send(#"{"requestId":1,"error":{"code":4001,"message":"no","data":[1]}}"#)
        await #expect(throws: BridgeFailure(4001, "no", data: [1])) { try await failing.value }
        let undecodable = Task { try await page.send(UpdateTitle(title: "a")) }
        _ = await client.next()
        client.send(#"{"requestId":2,"response":1}"#)
        let failure = await #expect(throws: BridgeFailure.self) { try await undecodable.value }
        #expect(failure?.code == -32011)
        #expect(failure?.data?["path"] == "$")
        #expect(failure?.description.contains("updateTitle") == true)
    }

    @Test("An answer of the wrong type is not laid at the door of whoever asked the handler")
    func failuresOfOthers() async throws {
        let bridge = Bridge()
        bridge.on("ask") { _, call in JSON.bool(try await call.page.send(UpdateTitle(title: "a"))) }
        let (client, _) = try await connect(bridge)
        client.send(#"{"requestId":"q","eventName":"ask"}"#)
        _ = await client.next()
        let answer = try await client.ask(#"{"requestId":1,"response":"no boolean"}"#)
        #expect(answer["requestId"] == "q")
        #expect(answer["error"]?["code"] == -32000)
        #expect(answer["error"]?["data"]?["code"] == -32011)
    }

    @Test("An event over the message limit is not sent: a request fails, a notification is logged")
    func size() async throws {
        var limits = BridgeLimits()
        limits.message = 1_000
        let (client, page) = try await connect(Bridge(), limits: limits)
        let long = UpdateTitle(title: String(repeating: "x", count: 1_000))
        let failure = await #expect(throws: BridgeFailure.self) { try await page.send(long) }
        #expect(failure?.code == -32603)
        try page.notify(long)
        await client.expectNothing()
        #expect(client.logged.value.contains { $0.hasPrefix("warning") && $0.contains("event=updateTitle") })
    }

    @Test("An event that nests too deeply for any peer is not sent", arguments: [Dialect.event, .jsonRPC])
    func nesting(dialect: Dialect) async throws {
        let (client, page) = try await connect(Bridge(), dialect)
        let deep = (0..<1_100).reduce(JSON.null) { value, _ in .array([value]) }
        let failure = await #expect(throws: BridgeFailure.self) { try await page.callFunction("f", deep) }
        #expect(failure?.code == -32603)
        await client.expectNothing()
    }

    @Test("Functions, evaluation and navigation go by the protocol's names")
    func requests() async throws {
        let (client, page) = try await connect(Bridge())
        let called = Task { try await page.callFunction("app.update", "it's", 1, JSON.null, ["a": [1]]) }
        #expect(
            await client.next()
                == #"{"requestId":1,"eventName":"$/page.callFunction","name":"app.update","#
                + #""arguments":["it's",1,null,{"a":[1]}]}"#)
        client.send(#"{"requestId":1,"response":{"x":null}}"#)
        #expect(try await called.value == ["x": nil])

        let evaluated = Task { try await page.evaluate("1 + 1") }
        #expect(await client.next() == #"{"requestId":2,"eventName":"$/page.evaluate","script":"1 + 1"}"#)
        client.send(#"{"requestId":2,"response":{"a":{"$undefined":true},"b":{"$number":"-0"}}}"#)
        #expect(try await evaluated.value.text == #"{"b":-0}"#)

        let bodied = Task { try await page.evaluate("return a", arguments: ["b": 1, "a": JSON.object(["$x": 1])]) }
        #expect(
            await client.next()
                == #"{"requestId":3,"eventName":"$/page.call","body":"return a","#
                + #""arguments":{"a":{"$object":{"$x":1}},"b":1}}"#)
        client.send(#"{"requestId":3,"response":{"$number":"NaN"}}"#)
        let failure = await #expect(throws: BridgeFailure.self) { try await bodied.value }
        #expect(failure?.code == -32011)

        for (number, expected) in [
            (4, #""$/page.load","url":"http://localhost/x""#), (5, #""$/page.reload""#), (6, #""$/page.stop""#),
            (7, #""$/page.go","delta":-1"#),
        ] {
            let done = Task { try await navigate(page, number) }
            #expect(await client.next() == #"{"requestId":\#(number),"eventName":\#(expected)}"#)
            client.send(#"{"requestId":\#(number),"response":null}"#)
            try await done.value
        }
    }

    private func navigate(_ page: BridgePage, _ number: Int) async throws {
        switch number {
        case 4: try await page.load(try #require(URL(string: "http://localhost/x")))
        case 5: try await page.reload()
        case 6: try await page.stop()
        default: try await page.go(-1)
        }
    }

    @Test(
        "Law 6: calls fail with the code that says why",
        arguments: [
            (BridgeSession.EndReason.documentGone, -32005), (.connectionLost, -32004), (.clientWentAway, -32004),
        ])
    func ended(reason: BridgeSession.EndReason, code: Int) async throws {
        let (client, page) = try await connect(Bridge())
        let first = Task { try await page.send(UpdateTitle(title: "a")) }
        let second = Task { try await page.callFunction("f") }
        _ = await client.next()
        _ = await client.next()
        await client.end(reason)
        for failure in [
            await #expect(throws: BridgeFailure.self) { try await first.value },
            await #expect(throws: BridgeFailure.self) { try await second.value },
            await #expect(throws: BridgeFailure.self) { try await page.send(UpdateTitle(title: "b")) },
        ] {
            #expect(failure?.code == code)
        }
        #expect(await client.session.pendingCallCount == 0)
    }

    @Test("End of input fails calls, before and after it")
    func inputEnded() async throws {
        let (client, page) = try await connect(Bridge())
        let call = Task { try await page.send(UpdateTitle(title: "a")) }
        _ = await client.next()
        await client.perform { $0.inputEnded() }
        #expect(await #expect(throws: BridgeFailure.self) { try await call.value }?.code == -32004)
        #expect(await #expect(throws: BridgeFailure.self) { try await page.reload() }?.code == -32004)
    }

    @Test("Law 7, U12: stale, foreign and malformed replies settle nothing and are reported")
    func stale() async throws {
        let bridge = Bridge()
        let (client, page) = try await connect(bridge)
        let (other, _) = try await connect(bridge)
        let call = Task { try await page.send(UpdateTitle(title: "a")) }
        _ = await client.next()
        other.send(#"{"requestId":1,"response":false}"#)
        for text in [
            #"{"requestId":2,"response":false}"#, #"{"requestId":"1","response":false}"#, #"{"response":false}"#,
            #"{"requestId":null,"response":false}"#, #"{"requestId":-1,"response":false}"#,
            #"{"requestId":18446744073709551617,"progress":1}"#,
        ] {
            client.send(text)
        }
        await other.expectNothing()
        await client.expectNothing()
        #expect(other.logged.value.filter { $0.contains("stale") }.count == 1)
        #expect(client.logged.value.filter { $0.contains("stale") }.count == 6)
        client.send(#"{"requestId":1,"response":true}"#)
        #expect(try await call.value)
        client.send(#"{"requestId":1,"response":false}"#)
        await client.expectNothing()
        #expect(client.logged.value.filter { $0.contains("stale") }.count == 7)
    }

    @Test("Cancelling the task takes the call back", arguments: [Dialect.event, .jsonRPC])
    func cancel(dialect: Dialect) async throws {
        let (client, page) = try await connect(Bridge(), dialect)
        let task = Task { try await page.send(UpdateTitle(title: "a")) }
        _ = await client.next()
        task.cancel()
        #expect(
            await client.next()
                == (dialect == .event
                    ? #"{"eventName":"$/cancelRequest","id":1}"#
                    : #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#))
        await #expect(throws: CancellationError.self) { try await task.value }
        client.send(#"{"requestId":1,"error":{"code":-32800,"message":"Cancelled"}}"#)
        await client.expectNothing()
        #expect(!client.logged.value.contains { $0.hasPrefix("warning") && $0.contains("stale") })
        #expect(await client.session.pendingCallCount == 0)
    }

    @Test("A task cancelled before it calls sends nothing")
    func cancelledBefore() async throws {
        let (client, page) = try await connect(Bridge())
        let gate = Gate()
        let task = Task {
            await gate.passed()
            return try await page.send(UpdateTitle(title: "a"))
        }
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        await client.expectNothing()
    }

    @Test("A caller's timeout is −32001 and takes the call back")
    func timeout() async throws {
        let (client, page) = try await connect(Bridge())
        let call = Task { try await page.send(UpdateTitle(title: "a"), timeout: .milliseconds(1)) }
        _ = await client.next()
        #expect(await client.next() == #"{"eventName":"$/cancelRequest","id":1}"#)
        #expect(await #expect(throws: BridgeFailure.self) { try await call.value }?.code == -32001)
    }

    @Test("A call over the message limit is refused and not sent")
    func tooLarge() async throws {
        var limits = BridgeLimits()
        limits.message = 2_000
        let (client, page) = try await connect(Bridge(), limits: limits)
        let title = String(repeating: "x", count: 2_000)
        let failure = await #expect(throws: BridgeFailure.self) { try await page.send(UpdateTitle(title: title)) }
        #expect(failure?.code == -32603)
        await client.expectNothing()
    }

    @Test("A client that said no hello is sent nothing but answers; its page is not there")
    func withoutHello() async throws {
        let bridge = Bridge()
        bridge.on("callback") { _, call in
            try call.page.notify(Ping())
            _ = try await call.page.send(UpdateTitle(title: "a"))
            return true
        }
        let client = SessionClient(bridge)
        let answer = try await client.ask(#"{"requestId":1,"eventName":"callback"}"#)
        #expect(answer["error"]?["data"]?["code"] == -32006)
        await client.expectNothing()
        #expect(bridge.pages.isEmpty)
    }

    @Test("call.page is the page that asked")
    func callback() async throws {
        let bridge = Bridge()
        bridge.on("callback") { _, call in try await call.page.send(UpdateTitle(title: call.page.id)) }
        let (first, _) = try await connect(bridge)
        let (second, _) = try await connect(bridge)
        for client in [second, first] {
            client.send(#"{"requestId":"r","eventName":"callback"}"#)
            let sent = try await client.answer()
            #expect(sent["eventName"] == "updateTitle")
            #expect(sent["title"]?.string == client.session.label)
            client.send(#"{"requestId":1,"response":true}"#)
            #expect(await client.next() == #"{"requestId":"r","response":true}"#)
        }
    }

    @Test("U22: every page is a session of its own")
    func pages() async throws {
        let bridge = Bridge()
        let (first, firstPage) = try await connect(bridge)
        let (second, secondPage) = try await connect(bridge)
        #expect(bridge.pages.map(\.id) == [firstPage.id, secondPage.id])
        let toFirst = Task { try await firstPage.send(UpdateTitle(title: "first")) }
        let toSecond = Task { try await secondPage.send(UpdateTitle(title: "second")) }
        #expect(try await first.answer()["title"] == "first")
        #expect(try await second.answer()["title"] == "second")
        second.send(#"{"requestId":1,"response":false}"#)
        first.send(#"{"requestId":1,"response":true}"#)
        #expect(try await toFirst.value)
        #expect(try await !toSecond.value)
        await second.end(.documentGone)
        #expect(bridge.pages.map(\.id) == [firstPage.id])
    }

    @Test("U2: a call made before there is a page waits for it and runs once")
    func waiting() async throws {
        let bridge = Bridge()
        #expect(
            await #expect(throws: BridgeFailure.self) { try await bridge.page(waitForPage: false) }?.code == -32006)
        let calls = (0..<3).map { number in
            Task { try await bridge.page().send(UpdateTitle(title: "\(number)")) }
        }
        let cancelled = Task { try await bridge.page() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let (client, page) = try await connect(bridge)
        for _ in calls {
            let sent = try await client.answer()
            client.send(#"{"requestId":\#(sent["requestId"]?.text ?? ""),"response":true}"#)
        }
        for call in calls { #expect(try await call.value) }
        await client.expectNothing()
        #expect(try await bridge.page(waitForPage: false).id == page.id)
    }
}
