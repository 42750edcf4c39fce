import BridgeHTTP
import BridgeServer
import Bridgehead
import Testing

/// What holds for any request on a connection: order, keeping alive, limits, faults.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HTTPConnectionTests {
    @Test("Pipelined requests are answered in order, one that takes time among them")
    func pipelining() async throws {
        let bridge = behaviourBridge()
        let gate = Gate()
        bridge.on("wait") { _, _ in
            await gate.passed()
            return "waited"
        }
        try await TestServer.run(bridge) { server in
            let client = try await server.client()
            await client.send(
                RequestText.call(#"{"requestId":1,"eventName":"wait"}"#)
                    + RequestText.call(#"{"requestId":2,"eventName":"echo"}"#) + RequestText.text("HEAD /")
                    + RequestText.text("GET /nope") + RequestText.call(#"{"requestId":3,"eventName":"echo"}"#))
            _ = try await server.client().request("GET /_bridge/health")
            gate.open()
            #expect(try await client.reply().text == #"{"requestId":1,"response":"waited"}"#)
            #expect(try await client.reply().text == #"{"requestId":2,"response":{}}"#)
            #expect(try await client.reply(to: .head).status == 200)
            #expect(try await client.reply().status == 404)
            #expect(try await client.reply().text == #"{"requestId":3,"response":{}}"#)
        }
    }

    @Test("A thousand pipelined requests, cut anywhere")
    func manyPipelined() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let all = Array(
                (0..<1_000).map { RequestText.call(#"{"requestId":\#($0),"eventName":"echo"}"#) }.joined().utf8)
            var start = 0
            var size = 1
            while start < all.count {
                let end = min(all.count, start + size)
                await client.send(bytes: Array(all[start..<end]))
                start = end
                size = size * 7 % 4_001 + 1
            }
            for id in 0..<1_000 { #expect(try await client.reply().text == #"{"requestId":\#(id),"response":{}}"#) }
        }
    }

    @Test(
        "Who keeps alive",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", false),
            ("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n", false),
            ("GET / HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n", true),
        ])
    func keepAlive(text: String, stays: Bool) async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            await client.send(text)
            let reply = try await client.reply()
            #expect(reply.status == 200)
            #expect(reply.keepsAlive == stays)
            if stays {
                #expect(try await client.request("GET /").status == 200)
            } else {
                #expect(await client.ended() == nil)
            }
        }
    }

    @Test(
        "Faults are answered with their status, and end the connection in order",
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n", 400), ("GET / HTTP/1.1\nHost: localhost\n\n", 400),
            ("nonsense\r\n\r\n", 400), ("GET / HTTP/3.0\r\nHost: localhost\r\n\r\n", 505),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n", 417),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
            // http-01
            (
                "POST /_bridge/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 36\r\nContent-Length: 0\r\n\r\n"
                    + "GET /_bridge/health HTTP/1.1\r\nHost: localhost\r\n\r\n", 400
            ),
            (
                "POST /_bridge/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 1\r\n\r\nabc",
                400
            ),
            // http-03
            (
                "POST /_bridge/echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcXX0\r\n\r\n",
                400
            ),
            (
                "POST /_bridge/echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc",
                400
            ),
        ])
    func faults(text: String, status: Int) async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            await client.send(text)
            #expect(try await client.reply().status == status)
            // One answer, then the end in order: nothing that was smuggled is run.
            #expect(await client.rest() == "")
            #expect(await client.ended() == nil)
        }
    }

    @Test("A chunked body is taken")
    func chunked() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            await client.send(
                "POST /_bridge/rpc HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "15;x=y\r\n{\"requestId\":1,\"event\r\nd\r\nName\":\"echo\"}\r\n0\r\nTrailer: x\r\n\r\n")
            #expect(try await client.reply().text == #"{"requestId":1,"response":{}}"#)
        }
    }

    @Test("http-05: leave to send the body is given at once, bare, and not to who is refused")
    func continues() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let head = "POST /_bridge/rpc HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
            let body = #"{"requestId":1,"eventName":"echo"}"#
            for _ in 0..<2 {
                await client.send(head + "Content-Length: \(body.utf8.count)\r\n\r\n")
                #expect(try await client.text(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                await client.send(body)
                #expect(try await client.text(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(try await client.bytes(body.utf8.count - 5).count == 29)
            }
            await client.send(head + "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\n")
            #expect(try await client.reply().status == 415)
            #expect(await client.ended() == nil)
        }
    }

    @Test("http-07: offsets are bytes, whatever stands in the head")
    func nonASCII() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let body = Array(#"{"requestId":1,"eventName":"echo","s":"😀—é"}"#.utf8)
            var request = Array("POST /_bridge/rpc HTTP/1.1\r\nHost: localhost\r\nX-Name: é".utf8)
            request += [0xE9, 0xFF] + Array("\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
            await client.send(bytes: request + request)
            for _ in 0..<2 { #expect(try await client.reply().text == #"{"requestId":1,"response":{"s":"😀—é"}}"#) }
        }
    }

    @Test("Limits of the head at −1, 0, +1")
    func headLimits() async throws {
        let line = "GET /_bridge/health?xxxxx HTTP/1.1"
        for (delta, status) in [(1, 200), (0, 200), (-1, 414)] {
            try await TestServer.run(behaviourBridge(), { $0.limits.requestLine = line.utf8.count + delta }) { server in
                let client = try await server.client()
                #expect(try await client.request("GET /_bridge/health?xxxxx").status == status)
            }
        }
        let fields = ["Host: localhost", "A: b", "C: d"]
        let block = fields.map { $0.utf8.count + 2 }.reduce(0, +)
        for (delta, status) in [(1, 200), (0, 200), (-1, 431)] {
            for change in [\BridgeLimits.headerBlock, \BridgeLimits.headerFields]
                as [WritableKeyPath<BridgeLimits, Int> & Sendable]
            {
                let exact = change == \BridgeLimits.headerBlock ? block : fields.count
                try await TestServer.run(behaviourBridge(), { $0.limits[keyPath: change] = exact + delta }) { server in
                    let client = try await server.client()
                    #expect(try await client.request("GET /_bridge/health", ["A: b", "C: d"]).status == status)
                }
            }
        }
    }

    @Test("The body's limit at −1, 0, +1, announced or in chunks")
    func bodyLimit() async throws {
        try await TestServer.run(behaviourBridge(), { $0.limits.message = 100 }) { server in
            for (count, status) in [(99, 200), (100, 200), (101, 413)] {
                let body = String(repeating: "x", count: count)
                let plain = try await server.client()
                #expect(try await plain.request("POST /_bridge/echo", body: body).status == status)
                let chunked = try await server.client()
                let size = String(count, radix: 16)
                await chunked.send(
                    RequestText.text("POST /_bridge/echo", ["Transfer-Encoding: chunked"])
                        + "\(size)\r\n\(body)\r\n0\r\n\r\n")
                #expect(try await chunked.reply().status == status)
                // Refused when it is announced, before it comes.
                guard status == 413 else { continue }
                let early = try await server.client()
                await early.send(RequestText.text("POST /_bridge/rpc", ["Content-Length: \(count)"]))
                #expect(try await early.reply().status == 413)
            }
        }
    }

    @Test("408 for a head and for a body that does not come; an idle connection is closed without a word")
    func timeouts() async throws {
        try await TestServer.run(behaviourBridge(), { $0.limits.headTimeout = .milliseconds(30) }) { server in
            let client = try await server.client()
            await client.send("GET / HT")
            #expect(try await client.reply().status == 408)
            #expect(await client.ended() == nil)
        }
        try await TestServer.run(behaviourBridge(), { $0.limits.bodyTimeout = .milliseconds(30) }) { server in
            let client = try await server.client()
            await client.send(RequestText.text("POST /_bridge/echo", ["Content-Length: 5"]) + "abc")
            #expect(try await client.reply().status == 408)
            #expect(await client.ended() == nil)
        }
        try await TestServer.run(behaviourBridge(), { $0.limits.idleTimeout = .milliseconds(30) }) { server in
            let client = try await server.client()
            #expect(await client.rest() == "")
            #expect(await client.ended() == nil)
        }
        try await TestServer.run(behaviourBridge(), { $0.limits.idleTimeout = .seconds(1) }) { server in
            let client = try await server.client()
            #expect(try await client.request("GET /_bridge/health").status == 200)
            #expect(await client.rest() == "")
        }
    }

    @Test("A head that trickles in is not waited for longer than the whole head may take")
    func trickle() async throws {
        try await TestServer.run(behaviourBridge(), { $0.limits.headTimeout = .milliseconds(50) }) { server in
            let client = try await server.client()
            let writing = Task {
                await client.send("GET / HTTP/1.1\r\n")
                while !Task.isCancelled {
                    await client.send("X: y\r\n")
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            #expect(try await client.reply().status == 408)
            writing.cancel()
        }
    }

    @Test("Connections at the limit −1, 0, +1: one more gets 503, and its place is free again later")
    func connections() async throws {
        try await TestServer.run(behaviourBridge(), { $0.limits.connections = 2 }) { server in
            let first = try await server.client()
            #expect(try await first.request("GET /_bridge/health").status == 200)
            let second = try await server.client()
            #expect(try await second.request("GET /_bridge/health").status == 200)
            let third = try await server.client()
            let refusal = try await third.reply()
            #expect(refusal.status == 503)
            #expect(refusal.text.contains("connections"))
            #expect(await third.ended() == nil)
            await third.close()
            await second.close()
            while true {
                let next = try await server.client()
                if try await next.request("GET /_bridge/health").status == 200 { break }
                await next.close()
            }
        }
    }

    @Test("A half-close after whole requests: they are answered, then the connection ends; after half a one: 400")
    func halfClose() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            await client.send(RequestText.text("GET /nope") + RequestText.text("GET /"))
            await client.halfClose()
            #expect(try await client.reply().status == 404)
            #expect(try await client.reply().status == 200)
            #expect(await client.rest() == "")
            for half in [
                "GET / HTTP/1.1\r\nHos", RequestText.text("POST /_bridge/echo", ["Content-Length: 5"]) + "abc",
            ] {
                let client = try await server.client()
                await client.send(half)
                await client.halfClose()
                #expect(try await client.reply().status == 400)
            }
        }
    }

    @Test("A slow reader is waited for: it gets every answer in the end")
    func slowReader() async throws {
        try await TestServer.run(behaviourBridge(), { $0.limits.slowReader = 10_000 }) { server in
            let client = try await server.client()
            await client.pauseReading()
            let body = String(repeating: "x", count: 50_000)
            for _ in 0..<200 { await client.send(RequestText.text("POST /_bridge/echo", body: body)) }
            _ = try await server.client().request("GET /_bridge/health")
            await client.resumeReading()
            for _ in 0..<200 { #expect(try await client.reply().body.count == 50_000) }
        }
    }
}
