import BridgeJSON
import BridgeWire
import Bridgehead
import Testing

@Suite("Around handlers, and in their place", .timeLimit(.minutes(10)))
struct MiddlewareTests {
    struct Later: BridgeEvent {
        static let name = "later"
        typealias Reply = Int
    }

    private func bridge() -> Bridge {
        let bridge = Bridge()
        bridge.on("echo") { payload, _ in payload }
        bridge.on("async") { payload, _ in
            await Task.yield()
            return payload
        }
        bridge.on("fail") { _, _ -> JSON in throw BridgeFailure(7, "seven") }
        bridge.on(Later.self) { _, _, reply in reply(5) }
        bridge.onMessage("poster") { (body: JSON, _) in body }
        return bridge
    }

    @Test("It sees name and payload of every kind of handler, in the order added, and passes on")
    func passingOn() async throws {
        let bridge = bridge()
        let seen = Box<[String]>([])
        bridge.use { name, payload, _, next in
            seen.update { $0.append("outer \(name) \(payload.text)") }
            return try await next(payload)
        }
        bridge.use { name, payload, _, next in
            seen.update { $0.append("inner \(name)") }
            return try await next(payload)
        }
        let client = SessionClient(bridge)
        for (name, expected) in [
            ("echo", #""response":{"a":1}"#), ("async", #""response":{"a":1}"#), ("later", #""response":5"#),
            ("fail", #""error":{"code":7,"message":"seven"}"#),
        ] {
            client.send(#"{"requestId":1,"eventName":"\#(name)","a":1}"#)
            #expect(await client.next() == #"{"requestId":1,\#(expected)}"#)
            #expect(seen.value == [#"outer \#(name) {"a":1}"#, "inner \(name)"])
            seen.update { $0 = [] }
        }
        client.send(#"{"eventName":"echo"}"#)
        await client.expectNothing()
        #expect(seen.value == ["outer echo {}", "inner echo"])
    }

    @Test("It sees what is posted and no handler gets, too, and the page is refused all the same")
    func postedForNobody() async throws {
        let bridge = bridge()
        let plain = SessionClient(bridge)
        let posts = [
            #""handler":"bridge","body":"junk""#, #""handler":"nobody","body":null"#,
            #""handler":"bridge","body":{"eventName":"echo","n":{"$number":"NaN"}}"#,
            #""handler":"bridge","body":{"eventName":"nope","n":{"$undefined":true}}"#,
        ]
        var refusals: [String] = []
        for post in posts {
            plain.send(#"{"requestId":1,"eventName":"$/postMessage",\#(post)}"#)
            refusals.append(await plain.next())
        }
        let seen = Box<[String]>([])
        bridge.use { name, payload, _, next in
            seen.update { $0.append("\(name) \(payload.text)") }
            return try await next(payload)
        }
        let client = SessionClient(bridge)
        for (post, refusal) in zip(posts, refusals) {
            client.send(#"{"requestId":1,"eventName":"$/postMessage",\#(post)}"#)
            #expect(refusal.contains(#""error":{"code":-326"#))
            #expect(await client.next() == refusal)
        }
        #expect(seen.value == posts.dropLast().map { "$/postMessage {\($0)}" } + [#"nope {}"#])
        seen.update { $0 = [] }
        client.send(#"{"eventName":"$/postMessage","handler":"bridge","body":1}"#)
        await client.expectNothing()
        #expect(seen.value == [#"$/postMessage {"handler":"bridge","body":1}"#])
    }

    @Test("It may answer, throw, and change what goes in")
    func changing() async throws {
        let bridge = bridge()
        bridge.use { name, payload, call, next in
            switch name {
            case "answered": return ["by": "middleware"]
            case "refused": throw BridgeFailure(BridgeFailure.Code.timedOut, "as it is")
            case "reported":
                call.report("half")
                return .null
            case "$/postMessage": return try await next(["handler": "poster", "body": "changed"])
            default: return try await next(["changed": true])
            }
        }
        let client = SessionClient(bridge)
        for (name, expected) in [
            ("answered", #""response":{"by":"middleware"}"#),
            ("refused", #""error":{"code":-32001,"message":"as it is"}"#),
            ("echo", #""response":{"changed":true}"#),
        ] {
            client.send(#"{"requestId":1,"eventName":"\#(name)"}"#)
            #expect(await client.next() == #"{"requestId":1,\#(expected)}"#)
        }
        client.send(#"{"requestId":1,"eventName":"reported"}"#)
        #expect(await client.next() == #"{"requestId":1,"progress":"half"}"#)
        #expect(await client.next() == #"{"requestId":1,"response":null}"#)
        client.send(#"{"requestId":1,"eventName":"$/postMessage","handler":"poster","body":1}"#)
        #expect(await client.next() == #"{"requestId":1,"response":"changed"}"#)
        let unknown = try await client.ask(#"{"requestId":1,"eventName":"unknown"}"#)
        #expect(unknown["error"]?["code"] == -32601)
        #expect(unknown["error"]?["data"]?["eventName"] == "unknown")
    }

    @Test(
        "A reply-later handler that throws after letting go fails once, with middleware too", arguments: [false, true])
    func throwingLater(middleware: Bool) async throws {
        let bridge = Bridge()
        if middleware { bridge.use { _, payload, _, next in try await next(payload) } }
        bridge.on(Later.self) { _, _, _ in throw BridgeFailure(9, "nine") }
        let client = SessionClient(bridge)
        let answer = try await client.ask(#"{"requestId":1,"eventName":"later"}"#)
        #expect(answer["error"]?["code"] == 9 || answer["error"]?["code"] == -32003)
        await client.expectNothing()
    }

    @Test("What is set in place of handlers goes first, and what it throws goes out as it is")
    func overrides() async throws {
        let bridge = bridge()
        bridge.setOverrides([
            "echo": { payload, call in
                call.report(1)
                await Task.yield()
                return ["override": payload]
            },
            "new": { _, _ in throw BridgeFailure(-32601, "as written", data: [1]) },
        ])
        let client = SessionClient(bridge)
        client.send(#"{"requestId":1,"eventName":"echo","a":1}"#)
        #expect(await client.next() == #"{"requestId":1,"progress":1}"#)
        #expect(await client.next() == #"{"requestId":1,"response":{"override":{"a":1}}}"#)
        client.send(#"{"requestId":1,"eventName":"new"}"#)
        #expect(await client.next() == #"{"requestId":1,"error":{"code":-32601,"message":"as written","data":[1]}}"#)
        #expect(bridge.events.contains("new"))
        bridge.setOverrides([:])
        client.send(#"{"requestId":1,"eventName":"echo","a":1}"#)
        #expect(await client.next() == #"{"requestId":1,"response":{"a":1}}"#)
        #expect(!bridge.events.contains("new"))
    }
}
