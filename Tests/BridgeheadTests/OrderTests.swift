import BridgeJSON
import BridgeWire
import Bridgehead
import Testing

@Suite("Order, and one answer each", .timeLimit(.minutes(60)))
struct OrderTests {
    struct Number: BridgeEvent {
        static let name = "number"
        var n: Int
        typealias Reply = Int
    }

    struct Note: BridgeEvent {
        static let name = "note"
        var n: Int
    }

    @Test("Law 4, U14: 10,000 notifications arrive in order", arguments: [false, true])
    func notifications(asynchronous: Bool) async throws {
        let bridge = Bridge()
        let seen = Box<[Int]>([])
        if asynchronous {
            bridge.on(Note.self) { note, _ in
                seen.update { $0.append(note.n) }
                await Task.yield()
            }
        } else {
            bridge.on(Note.self) { note, _ in seen.update { $0.append(note.n) } }
        }
        let client = SessionClient(bridge)
        for n in 0..<10_000 { client.send(#"{"eventName":"note","n":\#(n)}"#) }
        await client.settled()
        #expect(seen.value == Array(0..<10_000))
    }

    @Test("Law 4: sync and async handlers start in one order; an async one has run to its first suspension")
    func mixed() async throws {
        let bridge = Bridge()
        let seen = Box<[String]>([])
        let gate = Gate()
        bridge.on("sync") { payload, _ in
            seen.update { $0.append("sync") }
            return payload
        }
        bridge.on("async") { payload, _ in
            seen.update { $0.append("async") }
            await gate.passed()
            seen.update { $0.append("after") }
            return payload
        }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":1,"eventName":"async"}"#)
        client.send(#"{"requestId":2,"eventName":"sync"}"#)
        // rpc-11: the one that waits does not hold up the other.
        #expect(await client.next() == #"{"requestId":2,"response":{}}"#)
        #expect(seen.value == ["async", "sync"])
        gate.open()
        #expect(await client.next() == #"{"requestId":1,"response":{}}"#)
        #expect(seen.value == ["async", "sync", "after"])
    }

    @Test("U13: 1,000 concurrent requests answered in random order each get their own answer")
    func concurrent() async throws {
        let bridge = Bridge()
        let replies = Inbox<@Sendable () -> Void>()
        bridge.on(Number.self) { event, _, reply in replies.put { reply(event.n) } }
        let client = SessionClient(bridge)
        for n in 0..<1_000 {
            let id = n % 2 == 0 ? "\(n)" : "\"\(n)\""
            client.send(#"{"requestId":\#(id),"eventName":"number","n":\#(n)}"#)
        }
        var waiting: [@Sendable () -> Void] = []
        for _ in 0..<1_000 { waiting.append(await replies.next()) }
        #expect(await client.session.pendingCount == 1_000)
        for answer in waiting.shuffled() { answer() }
        var answered: Set<Int> = []
        for _ in 0..<1_000 {
            let answer = try await client.answer()
            let n = try #require(answer["response"]?.int)
            #expect(answer["requestId"] == (n % 2 == 0 ? JSON(n) : JSON("\(n)")))
            answered.insert(n)
        }
        #expect(answered.count == 1_000)
        #expect(await client.session.pendingCount == 0)
        await client.expectNothing()
    }

    @Test("U16: 100,000 requests leave nothing pending")
    func many() async throws {
        let bridge = Bridge()
        bridge.on(Number.self) { event, _ in event.n }
        bridge.on("async") { _, _ in
            await Task.yield()
            return 1
        }
        let client = SessionClient(bridge)
        for round in 0..<100 {
            for n in 0..<1_000 {
                let name = n % 100 == 0 ? "async" : "number"
                client.send(#"{"requestId":\#(n),"eventName":"\#(name)","n":\#(round)}"#)
            }
            var answered = 0
            for _ in 0..<1_000 where try await client.answer()["response"] != nil { answered += 1 }
            #expect(answered == 1_000)
        }
        #expect(await client.session.pendingCount == 0)
        await client.expectNothing()
    }

    @Test("Law 3: an id in flight is refused, and the first request is unharmed")
    func duplicate() async throws {
        let bridge = Bridge()
        let gate = Gate()
        bridge.on("wait") { _, _ in
            await gate.passed()
            return "first"
        }
        bridge.on("echo") { payload, _ in payload }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":1,"eventName":"wait"}"#)
        // By value and kind, over both dialects.
        for text in [
            #"{"requestId":1,"eventName":"echo"}"#, #"{"requestId":1.0,"eventName":"wait"}"#,
            #"{"requestId":10e-1,"eventName":"nobody"}"#, #"{"jsonrpc":"2.0","id":1,"method":"echo"}"#,
        ] {
            let answer = try await client.ask(text)
            #expect(answer["error"]?["code"] == -32600)
            #expect(answer["error"]?["data"]?["duplicate"] == true)
        }
        let other = try await client.ask(#"{"requestId":"1","eventName":"echo"}"#)
        #expect(other["response"] == [:])
        gate.open()
        #expect(await client.next() == #"{"requestId":1,"response":"first"}"#)
        let again = try await client.ask(#"{"requestId":1,"eventName":"echo"}"#)
        #expect(again["response"] == [:])
    }

    @Test("An id of null is never in flight")
    func null() async throws {
        let bridge = Bridge()
        let gate = Gate()
        bridge.on("wait") { _, _ in
            await gate.passed()
            return 1
        }
        let client = SessionClient(bridge)
        for _ in 0..<2 { client.send(#"{"jsonrpc":"2.0","id":null,"method":"wait"}"#) }
        #expect(await client.session.pendingCount == 2)
        gate.open()
        gate.open()
        for _ in 0..<2 { #expect(await client.next() == #"{"jsonrpc":"2.0","result":1,"id":null}"#) }
    }

    @Test("In flight: limit −1, limit, limit + 1; notifications do not count")
    func inFlight() async throws {
        var limits = BridgeLimits()
        limits.inFlight = 3
        let bridge = Bridge()
        let gate = Gate()
        bridge.on("wait") { _, _ in
            await gate.passed()
            return 1
        }
        bridge.on("echo") { payload, _ in payload }
        let client = SessionClient(bridge, limits: limits)
        for _ in 0..<5 { client.send(#"{"eventName":"wait"}"#) }
        client.send(#"{"requestId":1,"eventName":"wait"}"#)
        client.send(#"{"requestId":2,"eventName":"wait"}"#)
        #expect(try await client.ask(#"{"requestId":3,"eventName":"echo"}"#)["response"] == [:])
        client.send(#"{"requestId":3,"eventName":"wait"}"#)
        let refused = try await client.ask(#"{"requestId":4,"eventName":"echo"}"#)
        #expect(refused["requestId"] == 4)
        #expect(refused["error"]?["code"] == -32008)
        // Taking one back makes room.
        client.send(#"{"eventName":"$/cancelRequest","id":2}"#)
        #expect(try await client.answer()["requestId"] == 2)
        #expect(try await client.ask(#"{"requestId":5,"eventName":"echo"}"#)["response"] == [:])
        for _ in 0..<8 { gate.open() }
    }
}
