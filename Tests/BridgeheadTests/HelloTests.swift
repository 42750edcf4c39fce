import BridgeJSON
import BridgeWire
import Bridgehead
import Testing

@Suite("The greeting, and what it opens", .timeLimit(.minutes(10)))
struct HelloTests {
    @Test("The answer says what is here", arguments: [Dialect.event, .jsonRPC])
    func answer(dialect: Dialect) async throws {
        let bridge = Bridge()
        bridge.on("b") { payload, _ in payload }
        bridge.on("a") { payload, _ in payload }
        bridge.on("$/hello") { payload, _ in payload }
        bridge.onMessage("tracker") { (_: JSON, _) in }
        bridge.onMessage("asker") { (body: JSON, _) in body }
        bridge.setMessageHandler("declared", mode: .plain)
        bridge.setMessageHandler("asker", mode: .plain)
        let client = SessionClient(bridge)
        let answer = try await client.greet(dialect)
        let result = try #require(answer[dialect == .event ? "response" : "result"])
        #expect(result["protocol"] == 1)
        #expect(result["server"]?["name"] == "bridgehead")
        #expect(result["server"]?["version"]?.string == BridgeProtocol.release)
        #expect(result["session"]?.string == client.session.label)
        #expect(result["events"] == ["a", "b"])
        #expect(
            result["messageHandlers"]
                == ["asker": "plain", "bridge": "reply", "declared": "plain", "tracker": "plain"])
        #expect(result["limits"] == BridgeLimits().json)
    }

    @Test("In a batch the greeting opens the session when the array has gone out")
    func inBatch() async throws {
        let bridge = Bridge()
        let gate = Gate()
        bridge.on("wait") { _, _ in
            await gate.passed()
            return 1
        }
        let client = SessionClient(bridge)
        client.send(
            #"[{"jsonrpc":"2.0","method":"$/hello","params":{"protocol":1},"id":1},"#
                + #"{"jsonrpc":"2.0","method":"wait","id":2}]"#)
        await client.settled()
        bridge.on("new") { payload, _ in payload }
        await client.expectNothing()
        #expect(bridge.pages.isEmpty)
        gate.open()
        #expect(try await client.answer()[0]?["result"]?["events"] == ["wait"])
        #expect(
            await client.next()
                == #"{"jsonrpc":"2.0","method":"$/eventsChanged","params":{"events":["new","wait"]}}"#)
        #expect(bridge.pages.count == 1)
    }

    @Test(
        "A version that is not spoken is −32600 with those that are",
        arguments: ["2", "0", #""1""#, "null", "1.5"])
    func version(version: String) async throws {
        let bridge = Bridge()
        let client = SessionClient(bridge)
        let answer = try await client.ask(#"{"requestId":1,"eventName":"$/hello","protocol":\#(version)}"#)
        #expect(answer["error"]?["code"] == -32600)
        #expect(answer["error"]?["data"]?["supported"] == [1])
        #expect(bridge.pages.isEmpty)
        #expect(try await client.ask(#"{"requestId":1,"eventName":"$/hello"}"#)["error"]?["code"] == -32600)
        #expect(try await client.greet()["response"] != nil)
    }

    @Test("Later registrations are announced, in the dialect of the greeting, to those who greeted")
    func eventsChanged() async throws {
        let bridge = Bridge()
        bridge.on("a") { payload, _ in payload }
        let events = SessionClient(bridge)
        let rpc = SessionClient(bridge)
        let silent = SessionClient(bridge)
        _ = try await events.greet(.event)
        _ = try await rpc.greet(.jsonRPC)
        bridge.on("b") { payload, _ in payload }
        #expect(await events.next() == #"{"eventName":"$/eventsChanged","events":["a","b"]}"#)
        #expect(await rpc.next() == #"{"jsonrpc":"2.0","method":"$/eventsChanged","params":{"events":["a","b"]}}"#)
        bridge.on("b") { payload, _ in ["again"] as JSON }
        bridge.remove("a")
        #expect(await events.next() == #"{"eventName":"$/eventsChanged","events":["b"]}"#)
        await silent.expectNothing()
        #expect(try await silent.ask(#"{"requestId":1,"eventName":"a"}"#)["error"]?["code"] == -32601)
        #expect(try await silent.ask(#"{"requestId":1,"eventName":"b"}"#)["response"] == ["again"])
    }

    @Test("A handler registered by a handler is there for the next message")
    func registeredInHandler() async throws {
        let bridge = Bridge()
        bridge.on("register") { [weak bridge] _, _ in
            bridge?.on("new") { payload, _ in payload }
            return JSON.null
        }
        let client = SessionClient(bridge)
        client.send(
            #"[{"jsonrpc":"2.0","method":"register","id":1},{"jsonrpc":"2.0","method":"new","id":2}]"#)
        #expect(
            await client.next() == #"[{"jsonrpc":"2.0","result":null,"id":1},{"jsonrpc":"2.0","result":{},"id":2}]"#)
    }

    @Test("What a page says about itself is kept, and every change is seen in order")
    func observations() async throws {
        let bridge = Bridge()
        let client = SessionClient(bridge)
        _ = try await client.greet(page: #"{"url":"http://localhost/","title":"one"}"#)
        let page = try #require(bridge.pages.first)
        #expect(page.info == ["url": "http://localhost/", "title": "one"])
        let changes = page.changes
        for number in 1...100 {
            client.send(#"{"eventName":"$/page.url","url":"http://localhost/\#(number)","sequence":\#(number)}"#)
        }
        client.send(#"{"jsonrpc":"2.0","method":"$/page.state","params":{"title":"two","isLoading":false}}"#)
        var numbers: [Int?] = []
        for await change in changes {
            if change.name == "$/page.state" { break }
            numbers.append(change.payload["sequence"]?.int)
        }
        #expect(numbers == Array(1...100))
        #expect(page.info == ["url": "http://localhost/100", "title": "two", "isLoading": false])
        await client.end(.documentGone)
        for await _ in page.changes { Issue.record("nothing changes after the end") }
        #expect(bridge.pages.isEmpty)
    }
}
