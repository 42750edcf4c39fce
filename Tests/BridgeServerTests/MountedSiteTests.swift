import BridgeHTTP
import BridgeServer
import Bridgehead
import Testing

/// What is mounted below `/_bridge/`: its files, and a bridge of its own, under the rules that hold for everything.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MountedSiteTests {
    private static func run(
        token: String? = nil, _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        let own = Bridge()
        own.on("site.echo") { payload, _ in payload }
        try await TestServer.run(
            Bridge(),
            { configuration in
                var site = MountedSite(.shell) { name in
                    ["index.html": Array("index".utf8), "a.mjs": Array("a".utf8)][name]
                }
                site.fields = ["Content-Security-Policy": "default-src 'none'"]
                site.bridge = own
                configuration.sites = [site]
                configuration.token = token
                configuration.servesConformance = false
            }, body)
    }

    private static let hello = #"{"eventName":"$/hello","requestId":0,"protocol":1,"page":{}}"#
    private static let echo = #"{"eventName":"site.echo","requestId":1,"a":2}"#

    @Test(
        "Its files come with its fields; the index without a slash too",
        arguments: [
            ("/_bridge/shell", "index"), ("/_bridge/shell?url=http://localhost/", "index"),
            ("/_bridge/shell/", "index"), ("/_bridge/shell/index.html", "index"), ("/_bridge/shell/a.mjs", "a"),
        ])
    func files(path: String, text: String) async throws {
        try await Self.run { server in
            let client = try await server.client()
            let reply = try await client.request("GET \(path)")
            #expect(reply.status == 200 && reply.text == text)
            #expect(reply["Content-Security-Policy"] == "default-src 'none'")
            #expect(reply["Cross-Origin-Resource-Policy"] == "same-origin")
            #expect(reply["X-Content-Type-Options"] == "nosniff")
            let known = try await client.request("GET \(path)", ["If-None-Match: \(reply["ETag"] ?? "")"])
            #expect(known.status == 304)
        }
    }

    @Test(
        "What is not there is 404, also where nothing is mounted",
        arguments: [
            "GET /_bridge/shell/nope", "GET /_bridge/conformance/", "GET /_bridge/conformance/ws",
            "POST /_bridge/conformance/rpc", "POST /_bridge/shell/result", "GET /_bridge/shell/../client.js",
        ])
    func missing(line: String) async throws {
        try await Self.run { server in
            let upgrade = line.hasSuffix("/ws") ? RequestText.upgrade : []
            let json = line.hasPrefix("POST") ? ["Content-Type: application/json"] : []
            let reply = try await server.client().request(line, upgrade + json, body: json.isEmpty ? nil : "{}")
            #expect(reply.status == 404)
        }
    }

    @Test("Its bridge is its own, at ws and rpc, and its sessions are nobody's")
    func bridge() async throws {
        try await Self.run { server in
            let socket = try await server.webSocket("/_bridge/shell/ws")
            await socket.send(Self.hello)
            #expect(try await socket.next().contains(#""events":["site.echo"]"#))
            await socket.send(Self.echo)
            #expect(try await socket.next() == #"{"requestId":1,"response":{"a":2}}"#)

            let users = try await server.webSocket()
            await users.send(Self.hello)
            #expect(try await users.next().contains(#""events":[]"#))
            await users.send(Self.echo)
            #expect(try await users.next().contains("-32601"))

            let client = try await server.client()
            #expect(try await client.request("GET /_bridge/health").text.contains(#""sessions":1"#))
            let json = ["Content-Type: application/json"]
            let reply = try await client.request("POST /_bridge/shell/rpc", json, body: Self.echo)
            #expect(reply.text == #"{"requestId":1,"response":{"a":2}}"#)
            #expect(server.bridge.pages.count == 1)
        }
    }

    @Test(
        "Whom the server does not let in, the site does not either",
        arguments: [
            ("GET /_bridge/shell", ["Origin: https://evil.example"], 403),
            ("GET /_bridge/shell", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: iframe"], 403),
            ("GET /_bridge/shell/ws", RequestText.upgrade + ["Origin: https://evil.example"], 403),
            ("GET /_bridge/shell/ws", RequestText.upgrade + ["Origin: null"], 403),
            ("GET /_bridge/shell/ws", RequestText.upgrade + ["Origin: http://localhost:5173"], 101),
            ("POST /_bridge/shell/rpc", ["Origin: https://evil.example", "Content-Type: application/json"], 403),
            ("POST /_bridge/shell/rpc", ["Content-Type: text/plain"], 415),
            ("GET /_bridge/shell/rpc", [], 405), ("POST /_bridge/shell", [], 405), ("POST /_bridge/shell/ws", [], 405),
        ])
    func access(line: String, fields: [String], status: Int) async throws {
        try await Self.run { server in
            let body = line.contains("rpc") ? "{}" : nil
            let reply = try await server.client().request(line, fields, body: body)
            #expect(reply.status == status)
        }
    }

    @Test(
        "With a token it asks for it",
        arguments: [
            ("GET /_bridge/shell", [], 401), ("GET /_bridge/shell/a.mjs", [], 401),
            ("GET /_bridge/shell?token=s&url=http://localhost/", [], 303),
            ("GET /_bridge/shell", ["Authorization: Bearer s"], 200),
            ("GET /_bridge/shell/ws", RequestText.upgrade, 401),
            ("GET /_bridge/shell/ws?token=s", RequestText.upgrade, 101),
            ("GET /_bridge/shell/ws?token=t", RequestText.upgrade, 401),
            ("POST /_bridge/shell/rpc?token=s", ["Content-Type: application/json"], 401),
        ])
    func token(line: String, fields: [String], status: Int) async throws {
        try await Self.run(token: "s") { server in
            let body = line.contains("rpc") ? "{}" : nil
            let reply = try await server.client().request(line, fields, body: body)
            #expect(reply.status == status)
            if status == 303 { #expect(reply["Location"] == "/_bridge/shell?url=http://localhost/") }
        }
    }
}
