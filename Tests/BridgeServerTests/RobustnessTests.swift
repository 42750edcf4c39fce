import BridgeServer
import Bridgehead
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RobustnessTests {
    @Test("64 connections at once, each with its own answers (U13, U22)")
    func many() async throws {
        try await TestServer.run(behaviourBridge(), { $0.linesPort = 0 }) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        let client: any BehaviourConnection =
                            number.isMultiple(of: 2) ? try await server.webSocket() : try await server.lines()
                        for call in 0..<50 {
                            try await client.send(#"{"requestId":\#(call),"eventName":"echo","n":\#(number)}"#)
                        }
                        for call in 0..<50 {
                            #expect(try await client.next() == #"{"requestId":\#(call),"response":{"n":\#(number)}}"#)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("The connection cut at 200 places: the server goes on, no handler runs twice, none runs for half a message")
    func cut() async throws {
        let bridge = behaviourBridge()
        let runs = Box<[String: Int]>([:])
        bridge.on("once") { payload, _ in
            runs.update { $0[payload["key"]?.string ?? "", default: 0] += 1 }
            return JSON.null
        }
        try await TestServer.run(bridge, { $0.linesPort = 0 }) { server in
            var random = SplitMix(state: 7)
            for round in 0..<200 {
                let texts = (0..<3).map { #"{"requestId":\#($0),"eventName":"once","key":"\#(round)-\#($0)"}"# }
                let bytes: [UInt8]
                let client: RawClient
                switch round % 3 {
                case 0:
                    client = try await server.client()
                    bytes =
                        Array(RequestText.text("GET /_bridge/ws", RequestText.upgrade).utf8)
                        + texts.flatMap { WebSocketClient.frame(0x1, Array($0.utf8)) }
                case 1:
                    client = try await server.client()
                    bytes = texts.flatMap { Array(RequestText.call($0).utf8) }
                default:
                    client = try await server.lines().raw
                    bytes = texts.flatMap { Array("\($0)\n".utf8) }
                }
                await client.send(bytes: Array(bytes[..<Int(random.next() % UInt64(bytes.count))]))
                if random.next().isMultiple(of: 2) { await client.halfClose() } else { await client.close() }
            }
            let probe = try await server.webSocket()
            await probe.send(#"{"requestId":1,"eventName":"echo"}"#)
            #expect(try await probe.next() == #"{"requestId":1,"response":{}}"#)
            #expect(runs.value.values.allSatisfy { $0 == 1 })
        }
    }

    @Test("Garbage on every port ends at most its own connection")
    func garbage() async throws {
        try await TestServer.run(behaviourBridge(), { $0.linesPort = 0 }) { server in
            var random = SplitMix(state: 11)
            for round in 0..<100 {
                let client = round.isMultiple(of: 2) ? try await server.client() : try await server.webSocket().raw
                let count = Int(random.next() % 2_000)
                await client.send(bytes: (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
                await client.halfClose()
                _ = await client.rest()
            }
            let client = try await server.client()
            #expect(try await client.request("GET /_bridge/health").status == 200)
        }
    }

    @Test("Nothing is left of connections that are gone")
    func leftovers() async throws {
        try await TestServer.run(behaviourBridge(), { $0.linesPort = 0 }) { server in
            for _ in 0..<50 {
                let socket = try await server.webSocket()
                await socket.send(#"{"requestId":1,"eventName":"echo"}"#)
                _ = try await socket.next()
                await socket.raw.close()
                await (try await server.lines()).raw.close()
            }
            let client = try await server.client()
            while true {
                let health = try JSON(parsing: try await client.request("GET /_bridge/health").text)
                if health["sessions"] == 0 { break }
            }
        }
    }

    @Test("1,000 requests in flight, answered in random order, each get their own answer (U13)")
    func shuffled() async throws {
        let bridge = Bridge()
        let waiting = Mutex<[(Int, BridgeReply<Int>)]>([])
        bridge.on(Hold.self) { event, _, reply in
            let all: [(Int, BridgeReply<Int>)] = waiting.withLock { waiting in
                waiting.append((event.n, reply))
                return waiting.count == 1_000 ? waiting : []
            }
            var random = SplitMix(state: 3)
            for (number, reply) in all.shuffled(using: &random) { reply(number) }
        }
        try await TestServer.run(bridge) { server in
            let client = try await server.webSocket()
            let requests = (0..<1_000).map { #"{"requestId":\#($0),"eventName":"hold","n":\#($0 * 7)}"# }
            await client.raw.send(bytes: requests.flatMap { WebSocketClient.frame(0x1, Array($0.utf8)) })
            var seen: Set<Int> = []
            for _ in 0..<1_000 {
                let answer = try JSON(parsing: try await client.next())
                let id = try #require(answer["requestId"]?.int)
                #expect(answer["response"]?.int == id * 7)
                seen.insert(id)
            }
            #expect(seen.count == 1_000)
        }
    }

    private struct Hold: BridgeEvent {
        static let name = "hold"
        typealias Reply = Int
        let n: Int
    }
}

/// The same numbers each time (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
