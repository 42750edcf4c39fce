import BridgeJSON
import BridgeWire
import Bridgehead
import Testing

@Suite("One exchange over HTTP", .timeLimit(.minutes(10)))
struct ExchangeTests {
    private func bridge() -> Bridge {
        let bridge = behaviourBridge()
        bridge.on("progress") { _, call in
            call.report(1)
            await Task.yield()
            call.report(2)
            return 3
        }
        bridge.on("page") { _, call in
            do {
                return try await call.page.callFunction("f")
            } catch let failure as BridgeFailure {
                return JSON(failure.code)
            }
        }
        return bridge
    }

    @Test(
        "All answers at once; progress is dropped, there is no page and no greeting",
        arguments: [
            (#"{"requestId":1,"eventName":"progress"}"#, #"{"requestId":1,"response":3}"#),
            (#"{"requestId":1,"eventName":"page"}"#, #"{"requestId":1,"response":-32006}"#),
            (
                #"[{"jsonrpc":"2.0","method":"progress","id":1},{"jsonrpc":"2.0","method":"later","id":2}]"#,
                #"[{"jsonrpc":"2.0","result":3,"id":1},{"jsonrpc":"2.0","result":"later","id":2}]"#
            ),
        ])
    func answered(sent: String, expected: String) async throws {
        let client = SessionClient(bridge(), kind: .exchange)
        client.send(sent)
        #expect(await client.next() == expected)
        let idle = Gate()
        await client.perform { session in session.whenIdle { idle.open() } }
        await idle.passed()
        await client.expectNothing()
    }

    @Test("A greeting is −32600")
    func greeting() async throws {
        let client = SessionClient(bridge(), kind: .exchange)
        #expect(try await client.greet()["error"]?["code"] == -32600)
    }

    @Test(
        "For notifications there is nothing to answer, once their handlers have started",
        arguments: [
            #"{"eventName":"note"}"#, #"[{"jsonrpc":"2.0","method":"note"},{"jsonrpc":"2.0","method":"none"}]"#,
            #"{"requestId":1,"response":1}"#,
        ])
    func nothing(text: String) async throws {
        let bridge = Bridge()
        let started = Box(0)
        let gate = Gate()
        bridge.on("note") { _, _ in
            started.update { $0 += 1 }
            await gate.passed()
        }
        let client = SessionClient(bridge, kind: .exchange)
        client.send(text)
        let idle = Gate()
        await client.perform { session in session.whenIdle { idle.open() } }
        await idle.passed()
        #expect(started.value == (text.contains("note") ? 1 : 0))
        await client.expectNothing()
        gate.open()
    }
}
