import BridgeServer
import Bridgehead
import Foundation
import Testing

/// PROTOCOL.md, section 1 (lines) and the guard of section 9.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LinesTests {
    private static let echo = #"{"requestId":1,"eventName":"echo"}"#
    private static let echoed = #"{"requestId":1,"response":{}}"#

    private func run(
        _ bridge: Bridge = behaviourBridge(), _ configure: (inout BridgeServer.Configuration) -> Void = { _ in },
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.run(
            bridge,
            {
                $0.linesPort = 0
                configure(&$0)
            }, body)
    }

    @Test("nd-01: a byte at a time, decoded exactly")
    func bytes() async throws {
        try await run { server in
            let client = try await server.lines()
            for byte in #"{"requestId":1,"eventName":"echo","s":"—😀"}"#.utf8 { await client.raw.send(bytes: [byte]) }
            await client.raw.send("\n")
            #expect(try await client.next() == #"{"requestId":1,"response":{"s":"—😀"}}"#)
        }
    }

    @Test("nd-03: CR LF, blank lines")
    func blank() async throws {
        try await run { server in
            let client = try await server.lines()
            await client.raw.send("\r\n\n  \n\(Self.echo)\r\n\r\n\n\(Self.echo)\n")
            for _ in 0..<2 { #expect(try await client.next() == Self.echoed) }
        }
    }

    @Test("nd-05: two requests in one write, one of 1 MiB, a last line without LF")
    func sizes() async throws {
        try await run { server in
            let client = try await server.lines()
            let long = String(repeating: "x", count: 1 << 20)
            await client.raw.send(
                "\(Self.echo)\n\(Self.echo)\n" + #"{"requestId":2,"eventName":"echo","s":"\#(long)"}"# + "\n"
                    + Self.echo)
            await client.raw.halfClose()
            for _ in 0..<2 { #expect(try await client.next() == Self.echoed) }
            #expect(try await client.next() == #"{"requestId":2,"response":{"s":"\#(long)"}}"#)
            #expect(try await client.next() == Self.echoed)
            #expect(await client.raw.rest() == "")
            #expect(await client.raw.ended() == nil)
        }
    }

    @Test("The limit of a line at −1, 0, +1, with and without its end")
    func limit() async throws {
        try await run(behaviourBridge(), { $0.limits.message = 100 }) { server in
            for (count, isTaken) in [(99, true), (100, true), (101, false)] {
                for end in ["\n", "\r\n", ""] {
                    let client = try await server.lines()
                    let line = Self.echo + String(repeating: " ", count: count - Self.echo.utf8.count)
                    await client.raw.send(line + end)
                    if end.isEmpty { await client.raw.halfClose() }
                    if isTaken {
                        #expect(try await client.next() == Self.echoed)
                    } else {
                        let refusal = try JSON(parsing: try await client.next())
                        #expect(refusal["error"]?["code"]?.int == -32600)
                        #expect(await client.raw.rest() == "")
                        #expect(await client.raw.ended() == nil)
                    }
                }
            }
        }
    }

    @Test("Lines in one write are answered in their order, those that are no JSON and what ends the connection too")
    func mixed() async throws {
        try await run(behaviourBridge(), { $0.limits.message = 1_000 }) { server in
            let client = try await server.lines()
            var text = ""
            for id in 0..<40 { text += id == 18 ? "no\n" : #"{"requestId":\#(id),"eventName":"echo"}"# + "\n" }
            await client.raw.send(text + String(repeating: "x", count: 2_000) + "\n")
            for id in 0..<40 {
                let answer = try await client.next()
                if id == 18 {
                    #expect(answer.contains("-32700"))
                } else {
                    #expect(answer == #"{"requestId":\#(id),"response":{}}"#)
                }
            }
            #expect(try await client.next().contains("-32600"))
            #expect(await client.raw.ended() == nil)
        }
    }

    @Test("nd-05: a line without an end is refused at the limit")
    func endless() async throws {
        try await run(behaviourBridge(), { $0.limits.message = 1 << 20 }) { server in
            let client = try await server.lines()
            let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            for _ in 0..<100 { await client.raw.send(bytes: part) }
            #expect(try await client.next().contains("-32600"))
            let other = try await server.lines()
            await other.send(Self.echo)
            #expect(try await other.next() == Self.echoed)
        }
    }

    @Test(
        "What a web page can send closes the connection, and nothing after it is run",
        arguments: [
            "GET / HTTP/1.1", "POST /_bridge/rpc HTTP/1.1", "HEAD / HTTP/1.1", "OPTIONS * HTTP/1.1", "PUT /",
            "DELETE /",
            "PATCH /", "CONNECT a:1 HTTP/1.1", "TRACE /", "Host: localhost", "host: x", "HOST:x", "GET ",
        ])
    func webRequest(line: String) async throws {
        let bridge = Bridge()
        let calls = Box(0)
        bridge.on("count") { _, _ in
            calls.update { $0 += 1 }
            return JSON.null
        }
        try await run(bridge) { server in
            for prefix in ["", "\r\n"] {
                let client = try await server.lines()
                await client.raw.send(prefix + line + "\r\n" + #"{"requestId":1,"eventName":"count"}"# + "\r\n")
                #expect(await client.raw.rest() == "")
                #expect(await client.raw.ended() == nil)
            }
            #expect(calls.value == 0)
            #expect(server.log.value.contains { $0.hasPrefix("warning") && $0.contains("web request") })
        }
    }

    @Test(
        "Text that only looks like a method is answered as any other",
        arguments: ["GETTING", "get / x", "Hosts", "POST"])
    func notWeb(line: String) async throws {
        try await run { server in
            let client = try await server.lines()
            await client.send(line)
            #expect(try await client.next().contains("-32700"))
        }
    }

    @Test("After a half-close what is pending is still answered")
    func halfClose() async throws {
        let bridge = Bridge()
        let gate = Gate()
        let began = Gate()
        bridge.on("wait") { _, _ in
            began.open()
            await gate.passed()
            return "waited"
        }
        try await run(bridge) { server in
            let client = try await server.lines()
            await client.raw.send(#"{"requestId":1,"eventName":"wait"}"#)
            await client.raw.halfClose()
            await began.passed()
            gate.open()
            #expect(try await client.next() == #"{"requestId":1,"response":"waited"}"#)
            #expect(await client.raw.rest() == "")
        }
    }

    @Test("A connection that is broken ends its session at once")
    func broken() async throws {
        let bridge = Bridge()
        let began = Gate()
        let cancelled = Gate()
        bridge.on("wait") { _, _ -> JSON in
            began.open()
            await withTaskCancellationHandler {
                await cancelled.passed()
            } onCancel: {
                cancelled.open()
                cancelled.open()
            }
            return .null
        }
        try await run(bridge) { server in
            let client = try await server.lines()
            await client.raw.pauseReading()
            await client.send(Self.echo)
            await client.send(#"{"requestId":2,"eventName":"wait"}"#)
            await began.passed()
            // With an answer unread this is a reset.
            await client.raw.close()
            await cancelled.passed()
        }
    }

    @Test("A slow reader is waited for")
    func slowReader() async throws {
        try await run(behaviourBridge(), { $0.limits.slowReader = 10_000 }) { server in
            let client = try await server.lines()
            await client.raw.pauseReading()
            let padding = String(repeating: "x", count: 10_000)
            for id in 0..<1_000 { await client.send(#"{"requestId":\#(id),"eventName":"echo","s":"\#(padding)"}"#) }
            _ = try await server.client().request("GET /_bridge/health")
            await client.raw.resumeReading()
            for id in 0..<1_000 {
                #expect(try await client.next() == #"{"requestId":\#(id),"response":{"s":"\#(padding)"}}"#)
            }
        }
    }

    @Test("Many small requests with large answers in one write do not count as unread output")
    func largeAnswers() async throws {
        let bridge = behaviourBridge()
        let text = String(repeating: "x", count: 30_000)
        bridge.on("large") { _, _ in text }
        try await run(
            bridge,
            {
                $0.limits.slowReader = 30_000
                $0.limits.unreadOutput = 300_000
            }
        ) { server in
            let lines = try await server.lines()
            let socket = try await server.webSocket()
            let requests = (0..<100).map { #"{"requestId":\#($0),"eventName":"large"}"# }
            await lines.raw.send(requests.map { $0 + "\n" }.joined())
            await socket.raw.send(bytes: requests.flatMap { WebSocketClient.frame(0x1, Array($0.utf8)) })
            for id in 0..<100 {
                let answer = #"{"requestId":\#(id),"response":"\#(text)"}"#
                #expect(try await lines.next() == answer)
                #expect(try await socket.next() == answer)
            }
        }
    }
}
