import BridgeJSON
import BridgeWire
import Bridgehead
import Foundation
import Testing

@Suite("What handlers do, and what the page gets", .timeLimit(.minutes(10)))
struct HandlerTests {
    struct Title: BridgeEvent {
        static let name = "title"
        typealias Reply = String
    }

    struct Order: BridgeEvent {
        static let name = "order"
        var id: Int64
        var items: [Item]
        var note: String?

        struct Item: Codable, Sendable { var price: Double }
        struct Reply: Codable, Sendable { var total: Double }
        struct Progress: Codable, Sendable { var done: Int }
    }

    struct Silent: BridgeEvent { static let name = "silent" }

    struct Explains: Error, CustomStringConvertible { var description: String }

    private func run(_ bridge: Bridge, _ text: String) async throws -> JSON {
        try await SessionClient(bridge).ask(text)
    }

    @Test("A typed handler, in place and as a task, in both dialects", arguments: [false, true])
    func typed(asynchronous: Bool) async throws {
        let bridge = Bridge()
        if asynchronous {
            bridge.on(Title.self) { _, _ in
                await Task.yield()
                return "It's \"1\"\n\u{2028}"
            }
        } else {
            bridge.on(Title.self) { _, _ in "It's \"1\"\n\u{2028}" }
        }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":"r1","eventName":"title"}"#)
        #expect(await client.next() == #"{"requestId":"r1","response":"It's \"1\"\n\u2028"}"#)
        client.send(#"{"jsonrpc":"2.0","method":"title","id":1}"#)
        #expect(await client.next() == #"{"jsonrpc":"2.0","result":"It's \"1\"\n\u2028","id":1}"#)
    }

    @Test("An event without a reply is answered null, and not at all as a notification", arguments: [false, true])
    func silent(asynchronous: Bool) async throws {
        let bridge = Bridge()
        let count = Box(0)
        if asynchronous {
            bridge.on(Silent.self) { _, _ in
                count.update { $0 += 1 }
                await Task.yield()
            }
        } else {
            bridge.on(Silent.self) { _, _ in count.update { $0 += 1 } }
        }
        let client = SessionClient(bridge)
        client.send(#"{"eventName":"silent"}"#)
        client.send(#"{"requestId":1,"eventName":"silent"}"#)
        #expect(await client.next() == #"{"requestId":1,"response":null}"#)
        await client.expectNothing()
        #expect(count.value == 2)
    }

    @Test(
        "U18: a payload that does not decode says where and what was expected",
        arguments: [
            (#""id":1,"items":[{"price":1},{"price":"x"}]"#, "$.items[1].price"),
            (#""id":1.5,"items":[]"#, "$.id"),
            (#""id":true,"items":[]"#, "$.id"),
            (#""id":9223372036854775808,"items":[]"#, "$.id"),
            (#""items":[]"#, "$.id"),
            (#""id":1,"items":null"#, "$.items"),
            (#""id":1,"items":[],"note":5"#, "$.note"),
        ])
    func undecodable(members: String, path: String) async throws {
        let bridge = Bridge()
        bridge.on(Order.self) { _, _ in Order.Reply(total: 0) }
        let answer = try await run(bridge, #"{"requestId":"r","eventName":"order",\#(members)}"#)
        #expect(answer["requestId"] == "r")
        #expect(answer["error"]?["code"] == -32602)
        #expect(answer["error"]?["message"] == "Invalid params")
        #expect(answer["error"]?["data"]?["path"]?.string == path)
        let expected = try #require(answer["error"]?["data"]?["expected"]?.string)
        let help = try #require(answer["error"]?["data"]?["help"]?.string)
        #expect(help.hasPrefix("\(path): expected \(expected), found "))
        #expect(help.contains("missing") == (members == #""items":[]"#))
    }

    @Test("U18: a payload by position where names are wanted does not decode")
    func positional() async throws {
        let bridge = Bridge()
        bridge.on(Order.self) { _, _ in Order.Reply(total: 0) }
        let answer = try await run(bridge, #"{"jsonrpc":"2.0","id":1,"method":"order","params":[1]}"#)
        #expect(answer["error"]?["code"] == -32602)
        #expect(answer["error"]?["data"]?["path"] == "$")
    }

    @Test("An untyped handler's payload that does not decode is the page's fault too", arguments: [false, true])
    func untyped(asynchronous: Bool) async throws {
        let bridge = Bridge()
        if asynchronous {
            bridge.on("order") { payload, _ in
                await Task.yield()
                return try JSON.decode(Order.Item.self, from: payload).price
            }
        } else {
            bridge.on("order") { payload, _ in try JSON.decode(Order.Item.self, from: payload).price }
        }
        let answer = try await run(bridge, #"{"requestId":1,"eventName":"order","price":"x"}"#)
        #expect(answer["error"]?["code"] == -32602)
        #expect(answer["error"]?["data"]?["path"] == "$.price")
    }

    static let thrown: [(any Error & Sendable, String)] = [
        (BridgeFailure(4001, "Not signed in"), #"{"code":4001,"message":"Not signed in"}"#),
        (BridgeFailure(-1, "x", data: [1, nil]), #"{"code":-1,"message":"x","data":[1,null]}"#),
        (BridgeFailure(0, "'\"\\\n\u{2029}"), #"{"code":0,"message":"'\"\\\n\u2029"}"#),
        (BridgeFailure(-31999, "x"), #"{"code":-31999,"message":"x"}"#),
        (BridgeFailure(-32769, "x"), #"{"code":-32769,"message":"x"}"#),
        (BridgeFailure(2_147_483_647, "x"), #"{"code":2147483647,"message":"x"}"#),
        (BridgeFailure(-2_147_483_648, "x"), #"{"code":-2147483648,"message":"x"}"#),
        (BridgeFailure(2_147_483_648, "x"), #"{"code":-32000,"message":"x","data":{"code":2147483648}}"#),
        (BridgeFailure(-32000, "x"), #"{"code":-32000,"message":"x","data":{"code":-32000}}"#),
        (BridgeFailure(-32768, "x"), #"{"code":-32000,"message":"x","data":{"code":-32768}}"#),
        (BridgeFailure(-32601, "x", data: ["a": 1]), #"{"code":-32000,"message":"x","data":{"a":1,"code":-32601}}"#),
        (BridgeFailure(-32800, "x", data: [1]), #"{"code":-32000,"message":"x","data":{"data":[1],"code":-32800}}"#),
        (Explains(description: "disk full"), #"{"code":-32000,"message":"disk full"}"#),
        (Localized(errorDescription: "voll"), #"{"code":-32000,"message":"voll"}"#),
        (
            NSError(
                domain: "D", code: 3, userInfo: [NSLocalizedDescriptionKey: "no disk", NSFilePathErrorKey: "/secret"]),
            #"{"code":-32000,"message":"no disk"}"#
        ),
    ]

    struct Localized: LocalizedError { var errorDescription: String? }

    enum Style: CaseIterable { case inPlace, asTask, withReply }

    @Test("U18: what a handler throws is the failure the page gets", arguments: thrown.indices, Style.allCases)
    func throwing(index: Int, style: Style) async throws {
        let (error, expected) = Self.thrown[index]
        let bridge = Bridge()
        switch style {
        case .inPlace: bridge.on(Title.self) { _, _ in throw error }
        case .asTask:
            bridge.on(Title.self) { _, _ in
                await Task.yield()
                throw error
            }
        case .withReply: bridge.on(Title.self) { _, _, _ in throw error }
        }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":"r","eventName":"title"}"#)
        #expect(await client.next() == #"{"requestId":"r","error":\#(expected)}"#)
    }

    @Test("An error of Cocoa's tells its text, not the path that is in it")
    func cocoa() async throws {
        let bridge = Bridge()
        bridge.on(Title.self) { _, _ in
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "/home/ada/secret"])
        }
        let message = try await run(bridge, #"{"requestId":"r","eventName":"title"}"#)["error"]?["message"]?.string
        #expect(message?.isEmpty == false)
        #expect(message?.contains("secret") == false)
        #expect(message?.contains("Domain=") == false)
    }

    struct Nested: BridgeEvent {
        static let name = "nested"
        var levels: Int
        struct Reply: Codable, Sendable { var list: [JSON] }

        var reply: Reply {
            // The reply and its list are two of the levels.
            Reply(list: [(2..<levels).reduce(JSON.null) { value, _ in .array([value]) }])
        }
    }

    @Test(
        "A result that nests too deeply for any peer is −32603, one at the limit is sent",
        arguments: Style.allCases)
    func nesting(style: Style) async throws {
        let bridge = Bridge()
        switch style {
        case .inPlace: bridge.on(Nested.self) { event, _ in event.reply }
        case .asTask:
            bridge.on(Nested.self) { event, _ in
                await Task.yield()
                return event.reply
            }
        case .withReply: bridge.on(Nested.self) { event, _, reply in reply(event.reply) }
        }
        let client = SessionClient(bridge)
        for (levels, isSent) in [(512, true), (1_023, true), (1_024, false), (5_000, false), (3, true)] {
            let answer = try await client.ask(#"{"requestId":1,"eventName":"nested","levels":\#(levels)}"#)
            #expect((answer["response"] != nil) == isSent, "\(levels)")
            #expect(answer["error"]?["code"]?.int == (isSent ? nil : -32603), "\(levels)")
        }
    }

    @Test("Progress that nests too deeply is logged and left out")
    func nestedProgress() async throws {
        let bridge = Bridge()
        bridge.on("p") { payload, call in
            // With the envelope's two levels in JSON-RPC one more than a peer reads, and just as many.
            call.report((0..<1_023).reduce(JSON.null) { value, _ in .array([value]) })
            call.report((0..<1_022).reduce(JSON.null) { value, _ in .array([value]) })
            call.report("next")
            return JSON.null
        }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":1,"eventName":"p"}"#)
        #expect(await client.next().hasPrefix(#"{"requestId":1,"progress":[["#))
        #expect(await client.next() == #"{"requestId":1,"progress":"next"}"#)
        #expect(client.logged.value.contains { $0.hasPrefix("error") && $0.contains("progress") })
    }

    struct Tagged: BridgeEvent {
        static let name = "tagged"
        var id: UUID
    }

    @Test("What Foundation's own types say of their text is not dressed up as an expectation")
    func foundationsWords() async throws {
        let bridge = Bridge()
        bridge.on(Tagged.self) { _, _ in }
        let error = try await run(bridge, #"{"requestId":1,"eventName":"tagged","id":"x"}"#)["error"]
        #expect(error?["code"] == -32602)
        #expect(error?["data"]?["path"] == "$.id")
        #expect(error?["data"]?["help"]?.string?.hasPrefix("$.id: ") == true)
        #expect(error?["data"]?["help"]?.string?.contains("expected") == false)
    }

    struct Numbers: BridgeEvent {
        static let name = "numbers"
        struct Reply: Codable, Sendable { var bad: [Double] }
    }

    @Test("Law 9, U9: a result JSON cannot say names its place, and the session goes on", arguments: [false, true])
    func unencodable(asynchronous: Bool) async throws {
        let bridge = Bridge()
        if asynchronous {
            bridge.on(Numbers.self) { _, _ in
                await Task.yield()
                return .init(bad: [1, .nan])
            }
        } else {
            bridge.on(Numbers.self) { _, _ in .init(bad: [1, -.infinity]) }
        }
        let client = SessionClient(bridge)
        let answer = try await client.ask(#"{"requestId":1,"eventName":"numbers"}"#)
        #expect(answer["error"]?["code"] == -32603)
        #expect(answer["error"]?["message"] == "Internal error")
        #expect(answer["error"]?["data"]?["path"] == "$.bad[1]")
        #expect(try await client.ask(#"{"requestId":2,"eventName":"numbers"}"#)["requestId"] == 2)
    }

    @Test("An answer over the message limit is −32603; one at the limit is sent", arguments: [-1, 0, 1])
    func size(difference: Int) async throws {
        var limits = BridgeLimits()
        limits.message = 1_000
        let bridge = Bridge()
        let frame = #"{"requestId":1,"response":""}"#.utf8.count
        bridge.on("long") { _, _ in String(repeating: "x", count: 1_000 - frame + difference) }
        let client = SessionClient(bridge, limits: limits)
        let answer = try await client.ask(#"{"requestId":1,"eventName":"long"}"#)
        #expect(answer["error"]?["code"]?.int == (difference > 0 ? -32603 : nil))
        #expect((answer["response"] == nil) == (difference > 0))
    }

    @Test("U4: an event nobody handles is answered at once, with what was meant and a handler to paste")
    func unknown() async throws {
        let bridge = Bridge()
        for name in ["getTitle", "getTitles", "setTitle", "getTiles", "unrelated"] {
            bridge.on(name) { $1.page.id + "" }
        }
        let client = SessionClient(bridge)
        let answer = try await client.ask(#"{"requestId":1,"eventName":"gettitle"}"#)
        let error = try #require(answer["error"])
        #expect(error["code"] == -32601)
        #expect(error["message"] == "Method not found")
        #expect(error["data"]?["eventName"] == "gettitle")
        #expect(error["data"]?["nearest"]?.array?.count == 3)
        #expect(error["data"]?["nearest"]?[0] == "getTitle")
        let help = try #require(error["data"]?["help"]?.string)
        #expect(help.contains("upper and lower case"))
        #expect(help.contains(#"bridge.on("gettitle")"#))
        #expect(client.logged.value.contains { $0.contains("event=gettitle") && $0.contains("bridge.on") })
        client.send(#"{"eventName":"gettitle"}"#)
        await client.expectNothing()
        #expect(client.logged.value.filter { $0.contains("event=gettitle") }.count == 2)
    }

    @Test("U6, U7: an event's name comes back as it was, whatever is in it")
    func unknownText() async throws {
        let client = SessionClient(Bridge())
        let name = #""it's \"\\\n\u2028</script>\ud800\u0000é""#
        let answer = try await client.ask(#"{"requestId":1,"eventName":\#(name)}"#)
        #expect(try answer["error"]?["data"]?["eventName"] == JSON(parsing: name))
    }

    struct Later: BridgeEvent {
        static let name = "later"
        typealias Reply = Int
    }

    @Test("U5: a handler that lets go of its reply fails the request, and the log names it")
    func forgetting() async throws {
        let bridge = Bridge()
        bridge.on(Later.self) { _, _, _ in }
        let client = SessionClient(bridge)
        let answer = try await client.ask(#"{"requestId":1,"eventName":"later"}"#)
        #expect(answer["error"]?["code"] == -32003)
        #expect(answer["error"]?["message"] == "WKWebView API client did not respond to this postMessage")
        #expect(client.logged.value.contains { $0.hasPrefix("error") && $0.contains("event=later") })
        #expect(await client.session.pendingCount == 0)
    }

    @Test("U15: a second answer is reported and never sent", arguments: [false, true])
    func answeringTwice(failing: Bool) async throws {
        let bridge = Bridge()
        bridge.on(Later.self) { _, _, reply in
            reply(1)
            if failing { reply.fail(BridgeFailure(1, "late")) } else { reply(2) }
        }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":1,"eventName":"later"}"#)
        #expect(await client.next() == #"{"requestId":1,"response":1}"#)
        await client.expectNothing()
        #expect(client.logged.value.contains { $0.contains("second answer") && $0.contains("event=later") })
    }

    @Test("A reply is given later, from anywhere")
    func later() async throws {
        let bridge = Bridge()
        let replies = Inbox<BridgeReply<Int>>()
        bridge.on(Later.self) { _, _, reply in replies.put(reply) }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":1,"eventName":"later"}"#)
        client.send(#"{"requestId":2,"eventName":"later"}"#)
        let first = await replies.next()
        let second = await replies.next()
        await client.expectNothing()
        second.fail(BridgeFailure(7, "no"))
        #expect(await client.next() == #"{"requestId":2,"error":{"code":7,"message":"no"}}"#)
        first(5)
        #expect(await client.next() == #"{"requestId":1,"response":5}"#)
    }

    @Test("An event without a reply may be done later too")
    func silentLater() async throws {
        let bridge = Bridge()
        let replies = Inbox<BridgeReply<Void>>()
        bridge.on(Silent.self) { _, _, reply in replies.put(reply) }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":1,"eventName":"silent"}"#)
        let reply = await replies.next()
        await client.expectNothing()
        reply(())
        #expect(await client.next() == #"{"requestId":1,"response":null}"#)
    }

    struct Opaque: BridgeEvent {
        static let name = "opaque"
        struct Reply: Sendable {}
    }

    @Test("Law 1: a reply that cannot be encoded at all fails the request")
    func opaque() async throws {
        let bridge = Bridge()
        bridge.on(Opaque.self) { _, _, reply in reply(Opaque.Reply()) }
        let answer = try await run(bridge, #"{"requestId":1,"eventName":"opaque"}"#)
        #expect(answer["error"]?["code"] == -32603)
    }

    @MainActor final class Model {
        var seen: [Int] = []
        func add(_ event: Added, _ call: BridgeCall<Never>) -> Int {
            seen.append(event.number)
            return seen.count
        }
    }

    struct Added: BridgeEvent {
        static let name = "added"
        var number: Int
        typealias Reply = Int
    }

    @Test("Functions and closures of the main actor handle events there, in order")
    @MainActor func mainActor() async throws {
        let bridge = Bridge()
        let model = Model()
        bridge.on(Added.self, model.add)
        bridge.on(Silent.self) { @MainActor _, _ in model.seen.append(-1) }
        bridge.on("count") { @MainActor _, _ async in model.seen.count }
        let client = SessionClient(bridge)
        for number in 1...200 { client.send(#"{"eventName":"added","number":\#(number)}"#) }
        client.send(#"{"requestId":1,"eventName":"silent"}"#)
        #expect(await client.next() == #"{"requestId":1,"response":null}"#)
        client.send(#"{"requestId":2,"eventName":"added","number":201}"#)
        #expect(await client.next() == #"{"requestId":2,"response":202}"#)
        client.send(#"{"requestId":3,"eventName":"count"}"#)
        #expect(await client.next() == #"{"requestId":3,"response":202}"#)
        #expect(model.seen == Array(1...200) + [-1, 201])
    }

    enum AppEvent: String, CaseIterable { case one, two, three }

    @Test("An enum of events is handled by one switch; nil is null")
    func exhaustiveEnum() async throws {
        let bridge = Bridge()
        bridge.on(AppEvent.self) { event, payload, _ in
            switch event {
            case .one: return 1
            case .two: return ["two": payload["x"] ?? .null] as JSON
            case .three: return nil
            }
        }
        #expect(bridge.events == ["one", "three", "two"])
        let client = SessionClient(bridge)
        for (name, expected) in [("one", "1"), ("two", #"{"two":true}"#), ("three", "null")] {
            client.send(#"{"requestId":0,"eventName":"\#(name)","x":true}"#)
            #expect(await client.next() == #"{"requestId":0,"response":\#(expected)}"#)
        }
    }

    @Test("U15: progress comes before the answer, in order, and not after it", arguments: [false, true])
    func progress(asynchronous: Bool) async throws {
        let bridge = Bridge()
        let kept = Box<BridgeCall<Order.Progress>?>(nil)
        let report: @Sendable (BridgeCall<Order.Progress>) -> Void = { call in
            kept.update { $0 = call }
            for number in 1...3 { call.report(.init(done: number)) }
        }
        if asynchronous {
            bridge.on(Order.self) { _, call in
                report(call)
                await Task.yield()
                call.report(.init(done: 4))
                return .init(total: 1)
            }
        } else {
            bridge.on(Order.self) { _, call in
                report(call)
                call.report(.init(done: 4))
                return .init(total: 1)
            }
        }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":"r","eventName":"order","id":1,"items":[]}"#)
        for number in 1...4 {
            #expect(await client.next() == #"{"requestId":"r","progress":{"done":\#(number)}}"#)
        }
        #expect(await client.next() == #"{"requestId":"r","response":{"total":1}}"#)
        client.send(#"{"jsonrpc":"2.0","method":"order","params":{"id":1,"items":[]},"id":"j"}"#)
        for number in 1...4 {
            #expect(
                await client.next()
                    == #"{"jsonrpc":"2.0","method":"$/progress","params":{"id":"j","value":{"done":\#(number)}}}"#)
        }
        #expect(await client.next() == #"{"jsonrpc":"2.0","result":{"total":1},"id":"j"}"#)
        kept.value?.report(.init(done: 5))
        await client.expectNothing()
    }

    @Test("Progress that JSON cannot say is logged and left out; progress of a notification goes nowhere")
    func badProgress() async throws {
        let bridge = Bridge()
        bridge.on("p") { payload, call in
            call.report([1])
            return JSON.null
        }
        struct Bad: BridgeEvent {
            static let name = "bad"
            typealias Progress = Double
            typealias Reply = Int
        }
        bridge.on(Bad.self) { _, call in
            call.report(.nan)
            return 1
        }
        let client = SessionClient(bridge)
        client.send(#"{"eventName":"p"}"#)
        client.send(#"{"eventName":"bad","requestId":1}"#)
        #expect(await client.next() == #"{"requestId":1,"response":1}"#)
        #expect(client.logged.value.contains { $0.contains("progress cannot be encoded") })
    }
}
