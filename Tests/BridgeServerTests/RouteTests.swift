import BridgeHTTP
import BridgeServer
import Bridgehead
import Testing
import WebFixtures

/// PROTOCOL.md, section 1, and what is not there.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RouteTests {
    @Test("Every file of the client is served below /_bridge/, to any page")
    func client() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            for path in WebFixtures.paths where path.hasPrefix("client/") {
                let reply = try await client.request(
                    "GET /_bridge/\(path.dropFirst("client/".count))", ["Origin: https://evil.example"])
                #expect(reply.status == 200, "\(path)")
                #expect(reply.body == WebFixtures.contents(path), "\(path)")
                #expect(reply["Cross-Origin-Resource-Policy"] == "cross-origin")
                #expect(reply["Access-Control-Allow-Origin"] == "*")
                #expect(reply["X-Content-Type-Options"] == "nosniff")
                if path.hasSuffix("js") { #expect(reply["Content-Type"] == "text/javascript; charset=utf-8") }
            }
            #expect(WebFixtures.paths.contains("client/client.mjs"))
        }
    }

    @Test("Every page is served: the index at the top, the others below /pages/")
    func pages() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            for path in WebFixtures.paths where path.hasPrefix("pages/") {
                let reply = try await client.request("GET /\(path)")
                #expect(reply.status == 200, "\(path)")
                #expect(reply.body == WebFixtures.contents(path), "\(path)")
                #expect(reply["Cross-Origin-Resource-Policy"] == "same-origin")
            }
            let index = try await client.request("GET /")
            #expect(index.status == 200)
            #expect(index.body == WebFixtures.contents("pages/index.html"))
            #expect(index["Content-Type"] == "text/html; charset=utf-8")
        }
    }

    /// The vectors and the protocol are embedded for the runner; of what is embedded only the client and pages are served.
    @Test("What is embedded for other ends is not served", arguments: ["", "_bridge/", "pages/", "_bridge/../"])
    func embeddedForOthers(prefix: String) async throws {
        try await TestServer.run { server in
            let others = WebFixtures.paths.filter { !$0.hasPrefix("client/") && !$0.hasPrefix("pages/") }
            #expect(others.contains("PROTOCOL.md") && others.contains { $0.hasPrefix("vectors/") })
            for path in others where !path.hasPrefix("conformance/") {
                let reply = try await server.client().request("GET /\(prefix)\(path)")
                #expect(reply.status == 404, "\(prefix)\(path)")
            }
        }
    }

    @Test(
        "What is not there is 404, in words",
        arguments: [
            "/nope", "/_bridge/nope", "/_bridge/", "/_bridge/client/../ws", "/_bridge/client.mjs/", "/pages/", "/pages",
            "/client/client.mjs", "/pages/nope.html", "//", "/_bridge/%63lient.mjs",
        ])
    func missing(path: String) async throws {
        try await TestServer.run { server in
            let reply = try await server.client().request("GET \(path)")
            #expect(reply.status == 404)
            #expect(reply.text.contains("/_bridge/ws"))
            #expect(reply["Content-Type"] == "text/plain; charset=utf-8")
            #expect(reply["X-Content-Type-Options"] == "nosniff")
        }
    }

    @Test(
        "Other methods are 405 with Allow",
        arguments: [
            ("DELETE /", "GET, HEAD"), ("POST /", "GET, HEAD"), ("OPTIONS /", "GET, HEAD"), ("POST /_bridge/ws", "GET"),
            ("HEAD /_bridge/ws", "GET"), ("GET /_bridge/rpc", "POST, OPTIONS"), ("PUT /_bridge/rpc", "POST, OPTIONS"),
            ("POST /_bridge/health", "GET, HEAD, OPTIONS"), ("POST /_bridge/client.mjs", "GET, HEAD, OPTIONS"),
            ("BREW /pages/index.html", "GET, HEAD"),
            ("TRACE /_bridge/echo", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
        ])
    func methods(line: String, allowed: String) async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let reply = try await client.request(line)
            #expect(reply.status == 405)
            #expect(reply["Allow"] == allowed)
            #expect(try await client.request("GET /_bridge/health").status == 200)
        }
    }

    @Test("CONNECT is 405 too")
    func connect() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            #expect(try await client.request("CONNECT localhost:7357").status == 405)
        }
    }

    @Test(
        "OPTIONS on rpc, health and the client files is 204 with the methods",
        arguments: [
            "/_bridge/rpc", "/_bridge/health", "/_bridge/client.mjs", "*",
        ])
    func options(target: String) async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let reply = try await client.request(
                "OPTIONS \(target)", ["Origin: http://localhost:1", "Access-Control-Request-Method: POST"])
            #expect(reply.status == 204)
            #expect(reply["Allow"] != nil)
            #expect(reply["Content-Length"] == nil)
            if target != "*" { #expect(reply["Access-Control-Max-Age"] == "600") }
            #expect(try await client.request("GET /_bridge/health").status == 200)
        }
    }

    @Test("Health says what is so")
    func health() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let quiet = try JSON(parsing: try await client.request("GET /_bridge/health").text)
            #expect(quiet["status"] == "ok")
            #expect(quiet["version"] == JSON(BridgeProtocol.release))
            #expect(quiet["protocol"] == 1)
            #expect(quiet["sessions"] == 0)
            #expect(quiet["originAllowed"] == true)
            let socket = try await server.webSocket()
            let asked = try await client.request("GET /_bridge/health", ["Origin: https://evil.example"])
            #expect(asked.status == 200)
            #expect(asked["Access-Control-Allow-Origin"] == "https://evil.example")
            let busy = try JSON(parsing: asked.text)
            #expect(busy["sessions"] == 1)
            #expect(busy["originAllowed"] == false)
            await socket.raw.close()
        }
    }

    @Test("Every answer says when it was made")
    func date() async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            for path in ["/", "/nope", "/_bridge/health"] {
                let date = try #require(try await client.request("GET \(path)")["Date"])
                #expect(date.wholeMatch(of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
            }
        }
    }

    @Test("HEAD is GET without a body", arguments: ["/", "/_bridge/client.mjs", "/_bridge/health", "/nope"])
    func head(path: String) async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let get = try await client.request("GET \(path)")
            let head = try await client.request("HEAD \(path)")
            #expect(head.status == get.status)
            #expect(head["Content-Length"] == String(get.body.count))
            #expect(head["ETag"] == get["ETag"])
            // Nothing of a body follows.
            #expect(try await client.request("GET \(path)").body == get.body)
        }
    }

    @Test("ETag: 304 when the client has it", arguments: ["/", "/_bridge/client.mjs"])
    func entityTag(path: String) async throws {
        try await TestServer.run { server in
            let client = try await server.client()
            let tag = try #require(try await client.request("GET \(path)")["ETag"])
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let reply = try await client.request("GET \(path)", ["If-None-Match: \(known)"])
                #expect(reply.status == 304, "\(known)")
                #expect(reply["ETag"] == tag)
                #expect(reply.body.isEmpty)
            }
            #expect(try await client.request("GET \(path)", ["If-None-Match: \"other\""]).status == 200)
        }
    }

    @Test(
        "Echo answers any method with the body it got",
        arguments: [
            ("POST", "héllo"), ("PUT", ""), ("PATCH", "x"), ("BREW", "tea"), ("OPTIONS", "o"), ("GET", "body"),
        ])
    func echo(method: String, body: String) async throws {
        try await TestServer.run { server in
            let reply = try await server.client().request("\(method) /_bridge/echo", body: body)
            #expect(reply.status == 200)
            #expect(reply.text == body)
            #expect(reply["Content-Type"] == "application/octet-stream")
        }
    }

    @Test("Who may not is refused before the body is read, the origin named once with the cure")
    func refusal() async throws {
        try await TestServer.run { server in
            for _ in 0..<2 {
                let client = try await server.client()
                await client.send(
                    "POST /_bridge/rpc HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
                let reply = try await client.reply(to: .post)
                #expect(reply.status == 403)
                #expect(reply["Access-Control-Allow-Origin"] == nil)
                #expect(reply.text.contains("--allow-origin https://evil.example"))
                #expect(await client.ended() == nil)
            }
            let warnings = server.log.value.filter { $0.hasPrefix("warning") && $0.contains("https://evil.example") }
            #expect(warnings.count == 1)
            #expect(warnings.first?.contains("--allow-origin https://evil.example") == true)
        }
    }

    @Test("A page that brings the token gets a cookie and an address without it; no log has the token")
    func token() async throws {
        try await TestServer.run(behaviourBridge(), { $0.token = "s3cret" }) { server in
            let client = try await server.client()
            #expect(try await client.request("GET /")["WWW-Authenticate"] == "Bearer realm=\"bridgehead\"")
            let reply = try await client.request("GET /?a=1&token=s3cret")
            #expect(reply.status == 303)
            #expect(reply["Location"] == "/?a=1")
            let cookie = try #require(reply["Set-Cookie"])
            #expect(cookie.contains("SameSite=Strict") && cookie.contains("HttpOnly"))
            let pair = String(cookie.prefix { $0 != ";" })
            #expect(try await client.request("GET /?a=1", ["Cookie: \(pair)"]).status == 200)
            _ = try await server.webSocket("/_bridge/ws?token=s3cret")
            #expect(try await client.call("{}").status == 401)
            let bearer = ["Content-Type: application/json", "Authorization: Bearer s3cret"]
            let other = try await server.client()
            #expect(try await other.call("{}", bearer).status == 200)
            #expect(!server.log.value.contains { $0.contains("s3cret") })
        }
    }
}
