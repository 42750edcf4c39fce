import BridgeServer
import Bridgehead
import Testing

/// PROTOCOL.md, section 10: draining.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DrainTests {
    private static let draining = #"{"requestId":2,"error":{"code":-32000,"#

    /// A bridge whose `wait` tells when it began, and goes on when the gate opens.
    private struct Waiting {
        let bridge = behaviourBridge()
        let began = Gate()
        let gate = Gate()

        init() {
            bridge.on("wait") { [began, gate] _, _ in
                began.open()
                await gate.passed()
                return "waited"
            }
        }
    }

    @Test("New requests are refused, those in flight are answered, then everybody is told goodbye")
    func drain() async throws {
        let waiting = Waiting()
        try await TestServer.run(waiting.bridge, { $0.linesPort = 0 }) { server in
            let socket = try await server.webSocket()
            let lines = try await server.lines()
            let http = try await server.client()
            let idle = try await server.client()
            #expect(try await idle.request("GET /_bridge/health").status == 200)
            let wait = #"{"requestId":1,"eventName":"wait"}"#
            await socket.send(wait)
            await lines.send(wait)
            await http.send(RequestText.call(wait))
            for _ in 0..<3 { await waiting.began.passed() }

            let drained = Task { await server.server.drain() }
            var health = try await idle.request("GET /_bridge/health")
            while health.status == 200 { health = try await idle.request("GET /_bridge/health") }
            #expect(health.status == 503)
            #expect(try JSON(parsing: health.text)["status"] == "draining")

            let echo = #"{"requestId":2,"eventName":"echo"}"#
            await socket.send(echo)
            #expect(try await socket.next().hasPrefix(Self.draining))
            await lines.send(echo)
            #expect(try await lines.next().hasPrefix(Self.draining))
            let refused = try JSON(parsing: try await idle.call(echo).text)
            #expect(refused["error"]?["data"]?["reason"] == "draining")
            await #expect(throws: (any Error).self) { try await server.client() }

            for _ in 0..<3 { waiting.gate.open() }
            let waited = #"{"requestId":1,"response":"waited"}"#
            #expect(try await socket.next() == waited)
            #expect(await socket.receive() == .close(1001))
            await socket.close(1001)
            #expect(await socket.receive() == .end)
            #expect(try await lines.next() == waited)
            #expect(await lines.raw.rest() == "")
            #expect(try await http.reply().text == waited)
            #expect(await http.rest() == "")
            #expect(await idle.rest() == "")
            for client in [socket.raw, lines.raw, http, idle] { await client.close() }
            await drained.value
        }
    }

    @Test("After the timeout what is in flight is −32800")
    func timeout() async throws {
        let waiting = Waiting()
        try await TestServer.run(
            waiting.bridge,
            {
                $0.linesPort = 0
                $0.drainTimeout = .milliseconds(30)
            }
        ) { server in
            let socket = try await server.webSocket()
            let lines = try await server.lines()
            let http = try await server.client()
            let wait = #"{"requestId":1,"eventName":"wait"}"#
            await socket.send(wait)
            await lines.send(wait)
            await http.send(RequestText.call(wait))
            for _ in 0..<3 { await waiting.began.passed() }
            let drained = Task { await server.server.drain() }
            let cancelled = #"{"requestId":1,"error":{"code":-32800,"#
            #expect(try await socket.next().hasPrefix(cancelled))
            #expect(await socket.receive() == .close(1001))
            #expect(try await lines.next().hasPrefix(cancelled))
            #expect(try await http.reply().text.hasPrefix(cancelled))
            for client in [socket.raw, lines.raw, http] { await client.close() }
            await drained.value
            for _ in 0..<3 { waiting.gate.open() }
        }
    }

    @Test("With nothing in flight it is over at once, and peers that say nothing do not hold it up")
    func idle() async throws {
        try await TestServer.run(behaviourBridge(), { $0.limits.lingerTimeout = .milliseconds(50) }) { server in
            let socket = try await server.webSocket()
            let client = try await server.client()
            #expect(try await client.request("GET /").status == 200)
            await server.server.drain()
            #expect(await socket.receive() == .close(1001))
        }
    }

    @Test("Under traffic every request that was taken is answered, once")
    func traffic() async throws {
        let bridge = behaviourBridge()
        let taken = Box<Set<Int>>([])
        bridge.on("work") { payload, _ in
            let number = payload["n"]?.int ?? -1
            taken.update { $0.insert(number) }
            await Task.yield()
            return JSON(number)
        }
        // However busy the machine is: what is still in flight after the timeout is cancelled, which is another test's.
        try await TestServer.run(bridge, { $0.drainTimeout = .seconds(60) }) { server in
            let started = Gate()
            let answered = try await withThrowingTaskGroup(of: [Int].self) { group in
                for client in 0..<8 {
                    let socket = try await server.webSocket()
                    group.addTask {
                        for call in 0..<100 {
                            let number = client * 1_000 + call
                            await socket.send(#"{"requestId":\#(number),"eventName":"work","n":\#(number)}"#)
                        }
                        var answered: [Int] = []
                        while case .text(let text) = await socket.receive() {
                            started.open()
                            let answer = try JSON(parsing: text)
                            if let number = answer["response"]?.int { answered.append(number) }
                        }
                        await socket.raw.close()
                        return answered
                    }
                }
                await started.passed()
                await server.server.drain()
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(answered).count == answered.count)
            #expect(Set(answered) == taken.value)
        }
    }
}
