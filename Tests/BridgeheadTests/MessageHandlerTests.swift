import BridgeJSON
import BridgeWire
import Bridgehead
import Testing

@Suite("Bodies posted to message handlers", .timeLimit(.minutes(10)))
struct MessageHandlerTests {
    struct Track: Codable, Sendable {
        var name: String
        var note: String?
        var scores: [Double?]
    }

    private func post(_ bridge: Bridge, _ handler: String, _ body: String) async throws -> JSON {
        try await SessionClient(bridge).ask(
            #"{"requestId":1,"eventName":"$/postMessage","handler":\#(handler),"body":\#(body)}"#)
    }

    @Test(
        "U10: null, missing and undefined are three things, by WebKit's rules",
        arguments: [
            (
                #"{"name":"a","note":{"$undefined":true},"scores":[1,{"$undefined":true},null,{"$number":"-0"}]}"#,
                #"{"name":"a","scores":[1,null,null,-0]}"#
            ),
            (#"{"name":"a","note":null,"scores":[]}"#, #"{"name":"a","scores":[]}"#),
        ])
    func typed(body: String, expected: String) async throws {
        let bridge = Bridge()
        bridge.onMessage("track") { (track: Track, _) in track }
        #expect(try await post(bridge, #""track""#, body)["response"]?.text == expected)
    }

    @Test(
        "An event with a member that JSON cannot say comes in the tagged form, and is the same event",
        arguments: [
            (#"{"eventName":"track","name":"a","note":{"$undefined":true},"scores":[]}"#, #"{"name":"a","scores":[]}"#),
            (#"{"eventName":"echo","requestId":7,"at":{"$date":0}}"#, #"{"at":"1970-01-01T00:00:00.000Z"}"#),
            (#"{"eventName":"echo","a":{"$object":{"$b":1}}}"#, #"{"a":{"$object":{"$b":1}}}"#),
        ])
    func event(body: String, expected: String) async throws {
        struct Tracked: BridgeEvent {
            static let name = "track"
            typealias Reply = Track
            var name: String
            var note: String?
            var scores: [Double?]
        }
        let bridge = Bridge()
        bridge.on(Tracked.self) { event, _ in Track(name: event.name, note: event.note, scores: event.scores) }
        bridge.on("echo") { (payload: JSON, _) in payload }
        #expect(try await post(bridge, #""bridge""#, body)["response"]?.text == expected)
    }

    @Test(
        "An event is the event's handler's, whatever hears the other bodies", arguments: ["1", #"{"$undefined":true}"#])
    func eventBesideBodies(member: String) async throws {
        let bridge = Bridge()
        bridge.on("d") { (_: JSON, _) in "event" as JSON }
        bridge.onMessage("bridge") { (_: JSON, _) in "body" as JSON }
        let event = try await post(bridge, #""bridge""#, #"{"eventName":"d","requestId":"1","x":\#(member)}"#)
        #expect(event["response"] == "event")
        #expect(try await post(bridge, #""bridge""#, #"{"x":\#(member)}"#)["response"] == "body")
        let unknown = try await post(bridge, #""bridge""#, #"{"eventName":"e","x":\#(member)}"#)
        #expect(unknown["error"]?["data"]?["nearest"] == ["d"] || unknown["error"]?["data"]?["eventName"] == "e")
    }

    @Test("An event posted to another handler than the one named bridge is told so")
    func eventToAnotherHandler() async throws {
        let answer = try await post(Bridge(), #""second""#, #"{"eventName":"d"}"#)
        #expect(
            answer["error"]?["data"]?["help"]?.string?.contains(#"the message handler named "bridge" alone"#) == true)
    }

    @Test("An event in the tagged form fails as the same event would")
    func failingEvent() async throws {
        let bridge = Bridge()
        bridge.on("echo") { (payload: JSON, _) in payload }
        let unknown = try await post(bridge, #""bridge""#, #"{"eventName":"ecko","a":{"$undefined":true}}"#)
        #expect(unknown["error"]?["code"] == -32601)
        #expect(unknown["error"]?["data"]?["nearest"] == ["echo"])
        let unsayable = try await post(bridge, #""bridge""#, #"{"eventName":"echo","a":[{"$number":"NaN"}]}"#)
        #expect(unsayable["error"]?["code"] == -32602)
        #expect(unsayable["error"]?["data"]?["path"] == "$.a[0]")
    }

    @Test("Anything can be posted to a handler that takes JSON", arguments: ["1", "null", #""text""#, "[true]", "{}"])
    func untyped(body: String) async throws {
        let bridge = Bridge()
        bridge.onMessage("bridge") { (body: JSON, _) in
            await Task.yield()
            return body
        }
        #expect(try await post(bridge, #""bridge""#, body)["response"]?.text == body)
    }

    @Test(
        "What a native value cannot hold is −32602 with the path",
        arguments: [
            (#"{"name":"a","scores":[{"$number":"NaN"}]}"#, "$.scores[0]"), (#"{"name":1,"scores":[]}"#, "$.name"),
            (#"{"self":{"$ref":0}}"#, "$.self"),
        ])
    func refused(body: String, path: String) async throws {
        let bridge = Bridge()
        bridge.onMessage("track") { (track: Track, _) in track }
        let answer = try await post(bridge, #""track""#, body)
        #expect(answer["error"]?["code"] == -32602)
        #expect(answer["error"]?["data"]?["path"]?.string == path)
    }

    @Test("A handler without a reply is answered null; one that nobody registered is −32601")
    func plain() async throws {
        let bridge = Bridge()
        let seen = Inbox<JSON>()
        bridge.onMessage("log") { (body: JSON, _) in seen.put(body) }
        #expect(try await post(bridge, #""log""#, "5")["response"] == .null)
        #expect(await seen.next() == 5)
        let unknown = try await post(bridge, #""lgo""#, "5")
        #expect(unknown["error"]?["code"] == -32601)
        #expect(unknown["error"]?["data"]?["nearest"] == ["log"])
        #expect(try await post(bridge, "5", "5")["error"]?["data"]?["path"] == "$.handler")
    }

    @Test("The mode is that of the handler there is, and goes with it")
    func replaced() async throws {
        let bridge = Bridge()
        func modes() async throws -> JSON? {
            try await SessionClient(bridge).greet()["response"]?["messageHandlers"]
        }
        bridge.onMessage("log") { (_: JSON, _) in }
        #expect(try await modes() == ["bridge": "reply", "log": "plain"])
        bridge.onMessage("log") { (body: JSON, _) in body }
        #expect(try await modes() == ["bridge": "reply", "log": "reply"])
        bridge.onMessage("log") { (_: JSON, _) in }
        #expect(try await modes() == ["bridge": "reply", "log": "plain"])
        bridge.setMessageHandler("log", mode: .reply)
        #expect(
            try await modes() == ["bridge": "reply", "log": "reply"], "what is declared goes before what is implied")
        bridge.setMessageHandler("log", mode: .plain)
        bridge.onMessage("log") { (body: JSON, _) in body }
        #expect(try await modes() == ["bridge": "reply", "log": "plain"])
        let other = Bridge()
        other.onMessage("log") { (body: JSON, _) in body }
        other.remove("log")
        #expect(try await SessionClient(other).greet()["response"]?["messageHandlers"] == ["bridge": "reply"])
        bridge.remove("log")
        #expect(try await post(bridge, #""log""#, "5")["error"]?["code"] == -32601)
    }
}
