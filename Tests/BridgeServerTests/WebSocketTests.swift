import BridgeServer
import Bridgehead
import Testing

/// PROTOCOL.md, sections 1, 5 and 8: the WebSocket.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WebSocketTests {
    private static let echo = #"{"requestId":1,"eventName":"echo"}"#
    private static let echoed = #"{"requestId":1,"response":{}}"#

    private static func upgrade(_ changes: [Int: String] = [:], adding added: [String] = []) -> [String] {
        RequestText.upgrade.indices.map { changes[$0] ?? RequestText.upgrade[$0] }.filter { !$0.isEmpty } + added
    }

    private static let acceptable: [[String]] = [
        upgrade(),
        // ws-hs-01
        upgrade([0: "Upgrade: WebSocket", 1: "Connection: upgrade"]),
        // ws-hs-03
        upgrade([1: "Connection: keep-alive, Upgrade"]),
        upgrade([1: "Connection: keep-alive"], adding: ["Connection: Upgrade"]),
        upgrade(adding: ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"]),
        upgrade(adding: ["Sec-WebSocket-Extensions: ;;=broken"]),
        upgrade(adding: ["Origin: http://localhost:3000"]),
    ]

    private struct Refusal: Sendable {
        let status: Int
        let fields: [String]
    }

    private static let refusals: [Refusal] = [
        // ws-hs-05
        Refusal(status: 400, fields: upgrade([0: "Upgrade: h2c"])),
        Refusal(status: 400, fields: upgrade([3: "Sec-WebSocket-Key: !!!!!!!!!!!!!!!!!!!!!!=="])),
        Refusal(status: 426, fields: upgrade([2: "Sec-WebSocket-Version: 8"])),
        Refusal(status: 426, fields: upgrade([2: ""])),
        Refusal(status: 400, fields: upgrade([3: "Sec-WebSocket-Key: c2hvcnQ="])),
        Refusal(status: 400, fields: upgrade([3: ""])),
        Refusal(status: 400, fields: upgrade([1: "Connection: close"])),
        // ws-hs-07
        Refusal(status: 426, fields: []),
        Refusal(status: 403, fields: upgrade(adding: ["Origin: https://evil.example"])),
        Refusal(status: 403, fields: upgrade(adding: ["Origin: null"])),
    ]

    @Test("Handshakes that are accepted", arguments: acceptable)
    func accepted(fields: [String]) async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let reply = try await client.request("GET /_bridge/ws", fields)
            #expect(reply.status == 101)
            #expect(reply["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            #expect(reply["Sec-WebSocket-Extensions"] == nil)
            #expect(reply["Sec-WebSocket-Protocol"] == nil)
        }
    }

    @Test("Handshakes that are refused", arguments: refusals)
    private func refused(refusal: Refusal) async throws {
        let fields = refusal.fields
        let status = refusal.status
        for target in ["/_bridge/ws", "/_bridge/echo"] where target == "/_bridge/ws" || !fields.isEmpty {
            try await TestServer.run { server in
                let client = try await server.client()
                let reply = try await client.request("GET \(target)", fields)
                #expect(reply.status == status)
                if status == 426 {
                    #expect(reply["Sec-WebSocket-Version"] == "13")
                    #expect(reply["Upgrade"] == "websocket")
                }
                let health = try JSON(parsing: try await server.client().request("GET /_bridge/health").text)
                #expect(health["sessions"] == 0)
            }
        }
    }

    @Test("The subprotocol is chosen if it is offered")
    func subprotocol() async throws {
        try await TestServer.run { server in
            let offered = try await server.webSocket("/_bridge/ws", ["Sec-WebSocket-Protocol: x, bridgehead.1"])
            #expect(offered.reply["Sec-WebSocket-Protocol"] == "bridgehead.1")
            let other = try await server.webSocket("/_bridge/ws", ["Sec-WebSocket-Protocol: x"])
            #expect(other.reply["Sec-WebSocket-Protocol"] == nil)
        }
    }

    @Test("ws-hs-09: frames that come with the handshake, the last one cut, are taken in order")
    func together() async throws {
        try await TestServer.run { server in
            let frames = (0..<3).flatMap {
                WebSocketClient.frame(0x1, Array(#"{"requestId":\#($0),"eventName":"echo"}"#.utf8))
            }
            let all = Array(RequestText.text("GET /_bridge/ws", RequestText.upgrade).utf8) + frames
            for cut in [all.count - frames.count + 1, all.count - 20, all.count - 1] {
                let client = try await server.client()
                await client.send(bytes: Array(all[..<cut]))
                let reply = try await client.reply()
                #expect(reply.status == 101)
                await client.send(bytes: Array(all[cut...]))
                for id in 0..<3 {
                    let answer = Array(#"{"requestId":\#(id),"response":{}}"#.utf8)
                    #expect(try await client.bytes(2 + answer.count) == [0x81, UInt8(answer.count)] + answer)
                }
            }
        }
    }

    @Test("Every message in one write, and every byte by itself")
    func cuts() async throws {
        try await TestServer.run { server in
            let client = try await server.webSocket()
            let frames = (0..<20).map { id in
                WebSocketClient.frame(0x1, Array(#"{"requestId":\#(id),"eventName":"echo","s":"—😀"}"#.utf8))
            }
            await client.raw.send(bytes: frames.flatMap(\.self))
            for byte in frames.flatMap(\.self) { await client.raw.send(bytes: [byte]) }
            for _ in 0..<2 {
                for id in 0..<20 {
                    #expect(try await client.next() == #"{"requestId":\#(id),"response":{"s":"—😀"}}"#)
                }
            }
        }
    }

    @Test("What comes in one write is answered in its order, whatever is between", arguments: [0x2, 0x8] as [UInt8])
    func mixed(last: UInt8) async throws {
        try await TestServer.run { server in
            let client = try await server.webSocket()
            var frames: [UInt8] = []
            var expected: [WebSocketNews] = []
            for id in 0..<50 {
                let message = Array(#"{"requestId":\#(id),"eventName":"echo"}"#.utf8)
                switch id % 20 {
                case 7:
                    frames += WebSocketClient.frame(0x9, [UInt8(id)])
                    expected.append(.pong([UInt8(id)]))
                case 11:
                    frames += WebSocketClient.frame(0x1, Array(message[..<9]), isFinal: false)
                    frames += WebSocketClient.frame(0x0, Array(message[9...]))
                    expected.append(.text(#"{"requestId":\#(id),"response":{}}"#))
                case 18:
                    frames += WebSocketClient.frame(0x1, Array("no\(id)".utf8))
                    expected.append(.text("-32700"))
                default:
                    frames += WebSocketClient.frame(0x1, message)
                    expected.append(.text(#"{"requestId":\#(id),"response":{}}"#))
                }
            }
            frames += WebSocketClient.frame(last, [0x03, 0xE8])
            expected += [.close(last == 0x8 ? 1000 : 1003), .end]
            await client.raw.send(bytes: frames)
            for news in expected {
                let received = await client.receive()
                if news == .text("-32700") {
                    guard case .text(let text) = received else {
                        Issue.record("\(received)")
                        return
                    }
                    #expect(text.contains("-32700"))
                } else {
                    #expect(received == news)
                }
            }
        }
    }

    @Test(
        "Frames that end the connection, with the code each deserves",
        arguments: [
            (WebSocketClient.frame(0x2, [1, 2]), 1003), (WebSocketClient.frame(0x1, [0xFF]), 1007),
            (WebSocketClient.frame(0x3, []), 1002), (WebSocketClient.frame(0x0, [1]), 1002),
            ([0x81, 0x02, 0x61, 0x62], 1002),
            ([0xC1, 0x80, 0, 0, 0, 0], 1002), ([0x82, 0x00], 1002),
            (WebSocketClient.frame(0x9, [], isFinal: false), 1002),
            (WebSocketClient.frame(0x8, [0x03]), 1002), (WebSocketClient.frame(0x8, [0x03, 0xED]), 1002),
            (WebSocketClient.frame(0x1, Array(repeating: 0x20, count: 101)), 1009),
            (
                WebSocketClient.frame(0x1, Array(repeating: 0x20, count: 60), isFinal: false)
                    + WebSocketClient.frame(0x0, Array(repeating: 0x20, count: 41)), 1009
            ),
        ] as [([UInt8], UInt16)])
    func faults(frames: [UInt8], code: UInt16) async throws {
        try await TestServer.run(behaviourBridge(), { $0.limits.message = 100 }) { server in
            let client = try await server.webSocket()
            // What came before is answered first.
            await client.raw.send(
                bytes: WebSocketClient.frame(0x1, Array(Self.echo.utf8)) + frames
                    + WebSocketClient.frame(0x1, Array(Self.echo.utf8)))
            #expect(try await client.next() == Self.echoed)
            #expect(await client.receive() == .close(code))
            #expect(await client.receive() == .end)
            #expect(await client.raw.ended() == nil)
            #expect(try await server.client().request("GET /_bridge/health").status == 200)
        }
    }

    @Test("The message limit and the empty fragments at −1, 0, +1")
    func limits() async throws {
        try await TestServer.run(
            behaviourBridge(),
            {
                $0.limits.message = 100
                $0.limits.emptyFragments = 5
            }
        ) { server in
            for (count, code) in [(99, nil), (100, nil), (101, 1009)] as [(Int, UInt16?)] {
                let client = try await server.webSocket("/_bridge/echo")
                let text = String(repeating: "x", count: count)
                await client.send(text)
                #expect(await client.receive() == (code.map { .close($0) } ?? .text(text)))
            }
            for (count, code) in [(4, nil), (5, nil), (6, 1008)] as [(Int, UInt16?)] {
                let client = try await server.webSocket("/_bridge/echo")
                let empty = (0..<count).flatMap { WebSocketClient.frame($0 == 0 ? 0x1 : 0x0, [], isFinal: false) }
                await client.raw.send(bytes: empty + WebSocketClient.frame(0x0, [0x61]))
                #expect(await client.receive() == (code.map { .close($0) } ?? .text("a")))
            }
        }
    }

    @Test("Pings are answered with their payload, between the fragments of a message too")
    func pings() async throws {
        try await TestServer.run { server in
            let client = try await server.webSocket()
            let text = Array(Self.echo.utf8)
            await client.raw.send(
                bytes: WebSocketClient.frame(0x1, Array(text[..<5]), isFinal: false)
                    + WebSocketClient.frame(0x9, [7, 8])
                    + WebSocketClient.frame(0xA, []) + WebSocketClient.frame(0x0, Array(text[5...])))
            #expect(await client.receive() == .pong([7, 8]))
            #expect(try await client.next() == Self.echoed)
        }
    }

    @Test("The server pings; who answers stays, who does not answer two is gone")
    func liveness() async throws {
        try await TestServer.run(behaviourBridge(), { $0.limits.pingInterval = .milliseconds(300) }) { server in
            let alive = try await server.webSocket()
            for _ in 0..<4 {
                guard case .ping(let payload) = await alive.receive() else {
                    Issue.record("no ping")
                    return
                }
                await alive.raw.send(bytes: WebSocketClient.frame(0xA, payload))
            }
        }
        try await TestServer.run(behaviourBridge(), { $0.limits.pingInterval = .milliseconds(16) }) { server in
            let silent = try await server.webSocket()
            for _ in 0..<2 { #expect(await silent.receive() == .ping([])) }
            guard case .close = await silent.receive() else {
                Issue.record("not gone")
                return
            }
            #expect(await silent.receive() == .end)
        }
    }

    @Test(
        "A page's close is answered with its code; 1000 and 1001 mean its document is gone, anything else that it is lost",
        arguments: [(1000, -32005), (1001, -32005), (4000, -32004), (1011, -32004), (nil, -32004)] as [(UInt16?, Int)])
    func pageGone(code: UInt16?, failure: Int) async throws {
        let bridge = Bridge()
        let outcomes = Inbox<Int>()
        bridge.on("call") { _, call in
            do {
                try await call.page.callFunction("never")
            } catch let failure as BridgeFailure {
                outcomes.put(failure.code)
            }
        }
        try await TestServer.run(bridge) { server in
            let client = try await server.webSocket()
            await client.send(#"{"requestId":"h","eventName":"$/hello","protocol":1,"page":{"url":"x"}}"#)
            #expect(try await client.next().contains(#""requestId":"h""#))
            await client.send(#"{"eventName":"call"}"#)
            #expect(try await client.next().contains("$/page.callFunction"))
            if let code {
                await client.close(code)
                #expect(await client.receive() == .close(code))
                #expect(await client.receive() == .end)
            } else {
                await client.raw.halfClose()
            }
            #expect(await outcomes.next() == failure)
        }
    }

    @Test("Output that is not read: the server stops reading, and everything arrives in the end")
    func backpressure() async throws {
        try await TestServer.run(behaviourBridge(), { $0.limits.slowReader = 20_000 }) { server in
            let client = try await server.webSocket()
            await client.raw.pauseReading()
            let padding = String(repeating: "x", count: 10_000)
            let count = 1_500
            for id in 0..<count {
                await client.send(#"{"requestId":\#(id),"eventName":"echo","s":"\#(padding)"}"#)
            }
            _ = try await server.client().request("GET /_bridge/health")
            await client.raw.resumeReading()
            for id in 0..<count {
                #expect(try await client.next() == #"{"requestId":\#(id),"response":{"s":"\#(padding)"}}"#)
            }
        }
    }

    @Test("Unread output beyond all measure is 1013")
    func unread() async throws {
        let bridge = Bridge()
        bridge.on("flood") { _, call in
            let chunk = String(repeating: "x", count: 100_000)
            while !call.isCancelled {
                call.report(JSON(chunk))
                await Task.yield()
            }
        }
        try await TestServer.run(bridge, { $0.limits.unreadOutput = 1 << 20 }) { server in
            let client = try await server.webSocket()
            await client.raw.pauseReading()
            await client.send(#"{"requestId":1,"eventName":"flood"}"#)
            // The session's end is what is waited for.
            while !server.log.value.contains(where: { $0.contains("disconnected") }) { await Task.yield() }
            await client.raw.resumeReading()
            var news = await client.receive()
            while case .text = news { news = await client.receive() }
            #expect(news == .close(1013))
        }
    }

    @Test("Echo: text as text, binary as binary, in order")
    func echo() async throws {
        try await TestServer.run { server in
            let client = try await server.webSocket("/_bridge/echo")
            await client.send("not JSON —")
            await client.raw.send(bytes: WebSocketClient.frame(0x2, [0, 255]))
            await client.send("")
            #expect(await client.receive() == .text("not JSON —"))
            #expect(await client.receive() == .binary([0, 255]))
            #expect(await client.receive() == .text(""))
            await client.close(1000)
            #expect(await client.receive() == .close(1000))
        }
    }

    @Test("A synchronous handler's answers overtake nothing: 10,000 notifications arrive in order (U14)")
    func order() async throws {
        let bridge = Bridge()
        let seen = Box<[Int]>([])
        bridge.on("n") { payload, _ in
            seen.update { $0.append(payload["i"]?.int ?? -1) }
            return JSON.null
        }
        bridge.on("done") { _, _ in JSON.null }
        try await TestServer.run(bridge) { server in
            let client = try await server.webSocket()
            await client.raw.send(
                bytes: (0..<10_000).flatMap {
                    WebSocketClient.frame(0x1, Array(#"{"eventName":"n","i":\#($0)}"#.utf8))
                })
            await client.send(#"{"requestId":1,"eventName":"done"}"#)
            _ = try await client.next()
            #expect(seen.value == Array(0..<10_000))
        }
    }
}
