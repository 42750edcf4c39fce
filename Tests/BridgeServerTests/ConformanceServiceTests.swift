import BridgeServer
import Bridgehead
import Testing

/// PROTOCOL.md, section 11.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ConformanceServiceTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let event: String
        let payload: String
        let answers: [String]

        init(_ event: String, _ payload: String = "", _ answers: String...) {
            self.event = event
            self.payload = payload
            self.answers = answers
        }

        var testDescription: String { "\(event) \(payload)" }
    }

    private static let cases = [
        Case("profiles", "", #""response":["core"#), Case("echo", "", #""response":{}}"#),
        Case("echo", #","a":[1,null],"b":1.50"#, #""response":{"a":[1,null],"b":1.50}}"#),
        Case("wait", #","ms":1"#, #""response":{"waited":1}}"#), Case("wait", #","ms":-1"#, #""error":{"code":-32602"#),
        Case("wait", "", #""path":"$.ms""#),
        Case(
            "fail", #","code":4001,"message":"Not signed in","data":{"a":1}"#,
            #""error":{"code":4001,"message":"Not signed in","data":{"a":1}}}"#),
        Case("fail", #","code":-32601,"message":"m""#, #""error":{"code":-32000,"message":"m""#),
        Case("throw", #","text":"it's\nso""#, #""error":{"code":-32000,"message":"it's\nso""#),
        Case(
            "progress", #","count":3"#, #""progress":1}"#, #""progress":2}"#, #""progress":3}"#,
            #""response":{"count":3}}"#),
        Case("progress", #","count":0"#, #""response":{"count":0}}"#),
        Case("forget", "", #""error":{"code":-32003"#), Case("unencodable", "", #""path":"$.bad[1]""#),
        Case(
            "typed", #","id":9007199254740993,"price":1.5,"tags":["a"],"extra":1"#,
            #""response":{"id":9007199254740993,"price":1.5,"tags":["a"]}}"#),
        Case("typed", #","id":1,"price":1.5,"tags":["a",2]"#, #""path":"$.tags[1]""#),
        Case("callPage", #","event":"x","payload":{}"#, #""error":{"code":-32006"#),
        Case("callPage", #","event":1"#, #""path":"$.event""#),
        Case("counter", "", #""response":{"count":1}}"#),
        Case("nothing", "", #""error":{"code":-32601"#),
    ]

    @Test("Each event", arguments: cases)
    private func event(example: Case) async throws {
        try await TestServer.run(Bridge()) { server in
            let client = try await server.webSocket()
            await client.send(#"{"requestId":1,"eventName":"conformance.\#(example.event)"\#(example.payload)}"#)
            for answer in example.answers {
                let text = try await client.next()
                #expect(text.hasPrefix(#"{"requestId":1,"#) && text.contains(answer), "\(text)")
            }
        }
    }

    @Test("The counter counts its session's calls, notifications too")
    func counter() async throws {
        try await TestServer.run(Bridge()) { server in
            for _ in 0..<2 {
                let client = try await server.webSocket()
                for _ in 0..<5 { await client.send(#"{"eventName":"conformance.counter"}"#) }
                await client.send(#"{"requestId":1,"eventName":"conformance.counter"}"#)
                #expect(try await client.next() == #"{"requestId":1,"response":{"count":6}}"#)
            }
        }
    }

    @Test("callPage asks the page that asked")
    func callPage() async throws {
        try await TestServer.run(Bridge()) { server in
            let client = try await server.webSocket()
            await client.send(#"{"requestId":"h","eventName":"$/hello","protocol":1,"page":{"url":"x"}}"#)
            _ = try await client.next()
            await client.send(
                #"{"requestId":1,"eventName":"conformance.callPage","event":"ask","payload":{"a":1}}"#)
            let call = try JSON(parsing: try await client.next())
            #expect(call["eventName"] == "ask")
            #expect(call["a"] == 1)
            let id = try #require(call["requestId"])
            await client.send(#"{"requestId":\#(id.text),"response":[true]}"#)
            #expect(try await client.next() == #"{"requestId":1,"response":[true]}"#)
            await client.send(#"{"requestId":2,"eventName":"conformance.callPage","event":"ask"}"#)
            let second = try #require(try JSON(parsing: try await client.next())["requestId"])
            let failure = #"{"code":-32010,"message":"no","data":[1]}"#
            await client.send(#"{"requestId":\#(second.text),"error":\#(failure)}"#)
            #expect(try await client.next() == #"{"requestId":2,"error":\#(failure)}"#)
        }
    }

    @Test("What the application handles is left alone; unless switched on, nothing is registered")
    func registration() async throws {
        let bridge = Bridge()
        bridge.on("sum") { _, _ in "mine" }
        let sum = #"{"jsonrpc":"2.0","id":1,"method":"sum","params":[1]}"#
        try await TestServer.run(bridge) { server in
            let client = try await server.webSocket()
            await client.send(sum)
            #expect(try await client.next() == #"{"jsonrpc":"2.0","result":"mine","id":1}"#)
        }
        try await TestServer.run(Bridge(), { $0.servesConformance = BridgeServer.Configuration().servesConformance }) {
            server in
            let client = try await server.webSocket()
            await client.send(sum)
            #expect(try await client.next().contains("-32601"))
        }
    }

    @Test(
        "Sums are exact while whole numbers last",
        arguments: [
            ("sum", "[]", "0"), ("sum", "[1,2,4]", "7"), ("sum", "[9007199254740993,1]", "9007199254740994"),
            ("sum", "[0.5,1]", "1.5"), ("subtract", "[42,23]", "19"),
            ("subtract", "[-9223372036854775808,-1]", "-9223372036854775807"),
            ("subtract", #"{"subtrahend":23,"minuend":42}"#, "19"),
        ])
    func sums(method: String, parameters: String, result: String) async throws {
        try await TestServer.run(Bridge()) { server in
            let client = try await server.webSocket()
            await client.send(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#)
            #expect(try await client.next() == #"{"jsonrpc":"2.0","result":\#(result),"id":1}"#)
        }
    }

    @Test(
        "Operands that are none are −32602",
        arguments: [
            ("subtract", "[1]"), ("subtract", "[1,2,3]"), ("subtract", #"["a",1]"#), ("subtract", "{}"), ("sum", "{}"),
            ("sum", #"[1,"2"]"#),
        ])
    func operands(method: String, parameters: String) async throws {
        try await TestServer.run(Bridge()) { server in
            let client = try await server.webSocket()
            await client.send(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#)
            #expect(try JSON(parsing: try await client.next())["error"]?["code"]?.int == -32602)
        }
    }
}
