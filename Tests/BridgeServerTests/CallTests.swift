import BridgeServer
import Bridgehead
import Testing

/// PROTOCOL.md, sections 1 and 10: calls over HTTP.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CallTests {
    @Test(
        "Content-Type: JSON by one of its names, or none without an origin",
        arguments: [
            (["Content-Type: application/json"], 200), (["Content-Type: application/json; charset=utf-8"], 200),
            (["Content-Type: Application/JSON"], 200), (["Content-Type: application/json-rpc"], 200),
            (["Content-Type: application/jsonrequest"], 200), ([], 200),
            (["Content-Type: application/json", "Origin: http://localhost"], 200),
            (["Origin: http://localhost"], 415), (["Content-Type: text/plain"], 415), (["Content-Type: "], 415),
            (["Content-Type: application/x-www-form-urlencoded"], 415), (["Content-Type: application/jsonx"], 415),
            (["Content-Type: text/plain, application/json"], 415),
            (["Content-Type: application/json", "Content-Type: text/plain"], 415),
        ])
    func contentType(fields: [String], status: Int) async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let reply = try await client.call(#"{"requestId":1,"eventName":"echo"}"#, fields)
            #expect(reply.status == status)
            if fields.contains("Origin: http://localhost") {
                // On errors too.
                #expect(reply["Access-Control-Allow-Origin"] == "http://localhost")
            }
            if status == 200 {
                #expect(reply.text == #"{"requestId":1,"response":{}}"#)
                #expect(reply["Content-Type"] == "application/json")
            }
        }
    }

    @Test(
        "Always 200: failures too, and an empty body where nothing is to be answered",
        arguments: [
            (#"{"eventName":"echo"}"#, nil), (#"[{"jsonrpc":"2.0","method":"update"}]"#, nil),
            (#"{"requestId":1,"response":2}"#, nil), (#"{"requestId":1,"eventName":"nope"}"#, -32601),
            ("", -32700), ("{", -32700), ("[]", -32600), ("7", -32600), ("\u{FEFF}{}", -32700),
            (#"{"requestId":1,"eventName":"$/hello","protocol":1}"#, -32600),
        ] as [(String, Int?)])
    func answers(body: String, code: Int?) async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            for _ in 0..<2 {
                let reply = try await client.call(body)
                #expect(reply.status == 200)
                if let code {
                    #expect(try JSON(parsing: reply.text)["error"]?["code"]?.int == code)
                } else {
                    #expect(reply.body.isEmpty)
                    #expect(reply["Content-Length"] == "0")
                }
            }
        }
    }

    @Test("Bytes that are no UTF-8 are −32700")
    func notUTF8() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let body: [UInt8] = Array(#"{"requestId":1,"eventName":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
            await client.send(RequestText.text("POST /_bridge/rpc", ["Content-Length: \(body.count)"]))
            await client.send(bytes: body)
            #expect(try JSON(parsing: try await client.reply().text)["error"]?["code"]?.int == -32700)
        }
    }

    @Test("Progress is dropped, page calls are −32006, each request is a session of its own")
    func exchanges() async throws {
        try await TestServer.run(Bridge()) { server in
            let client = try await server.client()
            #expect(
                try await client.call(#"{"requestId":1,"eventName":"conformance.progress","count":3}"#).text
                    == #"{"requestId":1,"response":{"count":3}}"#)
            let call = #"{"requestId":1,"eventName":"conformance.callPage","event":"x","payload":{}}"#
            let failure = try JSON(parsing: try await client.call(call).text)
            #expect(failure["error"]?["code"] == -32006)
            for _ in 0..<2 {
                #expect(
                    try await client.call(#"{"requestId":1,"eventName":"conformance.counter"}"#).text
                        == #"{"requestId":1,"response":{"count":1}}"#)
            }
        }
    }

    @Test(
        "A client that does not wait for its answer has gone away: its handlers are cancelled",
        arguments: [false, true])
    func goneAway(abruptly: Bool) async throws {
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
        try await TestServer.run(bridge) { server in
            let client = try await server.client()
            await client.send(RequestText.call(#"{"requestId":1,"eventName":"wait"}"#))
            await began.passed()
            if abruptly { await client.close() } else { await client.halfClose() }
            await cancelled.passed()
            #expect(try await server.client().request("GET /_bridge/health").status == 200)
        }
    }

    @Test("A preflight is answered 204, and the call after it can be read by the page")
    func preflight() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let preflight = try await client.request(
                "OPTIONS /_bridge/rpc",
                [
                    "Origin: http://localhost:5173", "Access-Control-Request-Method: POST",
                    "Access-Control-Request-Headers: content-type", "Access-Control-Request-Private-Network: true",
                ])
            #expect(preflight.status == 204)
            #expect(preflight["Access-Control-Allow-Origin"] == "http://localhost:5173")
            #expect(preflight["Access-Control-Allow-Methods"] == "POST, OPTIONS")
            #expect(preflight["Access-Control-Allow-Headers"] == "content-type, authorization")
            #expect(preflight["Access-Control-Allow-Private-Network"] == "true")
            let reply = try await client.call(
                #"{"requestId":1,"eventName":"echo"}"#,
                ["Origin: http://localhost:5173", "Content-Type: application/json"])
            #expect(reply["Access-Control-Allow-Origin"] == "http://localhost:5173")
            #expect(reply["Vary"] == "Origin")
        }
    }
}
