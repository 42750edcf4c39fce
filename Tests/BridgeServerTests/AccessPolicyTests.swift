import BridgeHTTP
import BridgeServer
import Testing

/// PROTOCOL.md, section 9, as tables.
struct AccessPolicyTests {
    private func decide(
        _ line: String, host: String = "localhost:7357", _ fields: [String] = [], policy: AccessPolicy = AccessPolicy(),
        localHost: String = "127.0.0.1"
    ) throws -> AccessPolicy.Decision {
        let head = try RequestText.head(line, host: host, fields)
        return policy.decide(head, route: Route(head.target), localHost: localHost, port: 7357)
    }

    private func status(_ decision: AccessPolicy.Decision) -> Int {
        switch decision.verdict {
        case .allowed: 200
        case .refused(let status, _, _): status
        case .signIn: 303
        }
    }

    @Test(
        "Host: loopback names, the connection's own address, and --allow-host",
        arguments: [
            ("localhost", 200), ("LOCALHOST:1", 200), ("app.localhost:7357", 200), ("127.0.0.1:7357", 200),
            ("127.255.0.9", 200), ("[::1]:7357", 200), ("192.168.1.5:7357", 200), ("dev.test", 200),
            ("DEV.test:80", 200),
            ("evil.example", 403), ("localhost.evil.example", 403), ("127.0.0.1.evil.example", 403),
            ("evillocalhost", 403),
            ("127.0.0.256", 403), ("127.0.0.01", 403), ("127.0.1", 403), ("128.0.0.1", 403), ("[::2]", 403), ("", 403),
            ("192.168.1.6", 403), ("xdev.test", 403),
        ])
    func host(host: String, expected: Int) throws {
        let policy = AccessPolicy(hosts: ["Dev.test"])
        let decision = try decide("GET /", host: host, policy: policy, localHost: "192.168.1.5")
        #expect(status(decision) == expected)
    }

    @Test("The authority of an absolute target goes before Host")
    func absoluteTarget() throws {
        #expect(status(try decide("GET http://evil.example/")) == 403)
        #expect(status(try decide("GET http://localhost/", host: "evil.example")) == 200)
    }

    @Test(
        "Origin: none, the server's own, http(s) on loopback, or named exactly",
        arguments: [
            ("http://localhost:3000", 200), ("https://localhost", 200), ("http://127.0.0.1:1", 200),
            ("http://[::1]:80", 200),
            ("http://app.localhost", 200), ("http://dev.test:7357", 200), ("https://shop.example", 200),
            ("app://x", 200),
            ("null", 403), ("http://evil.example", 403), ("https://localhost.evil.example", 403),
            ("ftp://localhost", 403),
            ("file://", 403), ("http://dev.test", 403), ("https://dev.test:7357", 403), ("http://shop.example", 403),
            ("https://shop.example:8443", 403), ("https://shop.example/", 403), ("https://SHOP.example", 403),
            ("app://y", 403),
            ("http://localhost@evil.example", 403), ("http://localhost/x", 403), ("localhost", 403), ("*", 403),
            ("", 403),
            ("http://", 403),
        ])
    func origin(origin: String, expected: Int) throws {
        let policy = AccessPolicy(hosts: ["dev.test"], origins: ["https://shop.example", "app://x", "*"])
        for target in ["POST /_bridge/rpc", "GET /_bridge/ws", "GET /_bridge/echo", "GET /"] {
            let decision = try decide(target, host: "dev.test:7357", ["Origin: \(origin)"], policy: policy)
            #expect(status(decision) == expected, "\(target)")
            #expect(decision.refusedOrigin == (expected == 403 ? origin : nil))
        }
    }

    @Test("null is allowed when it is named")
    func nullOrigin() throws {
        let policy = AccessPolicy(origins: ["null"])
        #expect(status(try decide("POST /_bridge/rpc", ["Origin: null"], policy: policy)) == 200)
    }

    @Test("Two Origin fields are none of ours")
    func twoOrigins() throws {
        let fields = ["Origin: http://localhost", "Origin: http://localhost"]
        #expect(status(try decide("POST /_bridge/rpc", fields)) == 403)
        #expect(status(try decide("GET /_bridge/health", fields)) == 403)
    }

    @Test("Health answers any origin, and says that it is not allowed")
    func health() throws {
        let decision = try decide("GET /_bridge/health", ["Origin: https://evil.example"])
        #expect(status(decision) == 200)
        #expect(!decision.originIsAllowed)
        #expect(decision.crossOrigin["Access-Control-Allow-Origin"] == "https://evil.example")
        #expect(try decide("GET /_bridge/health", ["Origin: http://localhost:1"]).originIsAllowed)
    }

    @Test(
        "The client's source answers any origin, unless a token is asked for",
        arguments: ["https://evil.example", "null", "file://", "http://localhost:5173"],
        ["client.js", "client.mjs", "pending.mjs", "client.d.ts"])
    func clientSource(origin: String, name: String) throws {
        for fields in [["Origin: \(origin)"], ["Origin: \(origin)", "Sec-Fetch-Site: cross-site"]] {
            let open = try decide("GET /_bridge/\(name)", fields)
            #expect(status(open) == 200)
            #expect(open.crossOrigin["Access-Control-Allow-Origin"] == "*")
            #expect(open.crossOrigin["Access-Control-Allow-Credentials"] == nil)
            #expect(open.originIsAllowed == (origin == "http://localhost:5173"))
            let closed = try decide("GET /_bridge/\(name)?token=s", fields, policy: AccessPolicy(token: "s"))
            #expect(status(closed) == (open.originIsAllowed ? 200 : 403))
            #expect(closed.crossOrigin["Access-Control-Allow-Origin"] == (open.originIsAllowed ? origin : nil))
            // A name that was led here reads nothing at all.
            #expect(status(try decide("GET /_bridge/\(name)", host: "evil.example", fields)) == 403)
        }
        // Without an Origin too, as a script without CORS and a module may share one copy in the browser's cache.
        #expect(try decide("GET /_bridge/\(name)").crossOrigin["Access-Control-Allow-Origin"] == "*")
    }

    @Test(
        "CORS for allowed origins, and Vary always, on rpc and health alone",
        arguments: [
            ("POST /_bridge/rpc", true), ("GET /_bridge/health", true), ("GET /", false), ("GET /_bridge/ws", false),
            ("POST /_bridge/echo", false),
        ])
    func crossOrigin(line: String, isShared: Bool) throws {
        let allowed = try decide(line, ["Origin: http://localhost:5173"]).crossOrigin
        #expect(allowed["Access-Control-Allow-Origin"] == (isShared ? "http://localhost:5173" : nil))
        #expect(allowed["Vary"] == (isShared ? "Origin" : nil))
        #expect(allowed["Access-Control-Allow-Credentials"] == nil)
        let none = try decide(line).crossOrigin
        #expect(none["Access-Control-Allow-Origin"] == nil)
        #expect(none["Vary"] == (isShared ? "Origin" : nil))
        let refused = try decide("POST /_bridge/rpc", ["Origin: https://evil.example"]).crossOrigin
        #expect(refused["Access-Control-Allow-Origin"] == nil)
    }

    @Test("A preflight is told methods, fields and age; private network access when it asks for that")
    func preflight() throws {
        let fields = ["Origin: http://localhost:5173", "Access-Control-Request-Method: POST"]
        let plain = try decide("OPTIONS /_bridge/rpc", fields).crossOrigin
        #expect(plain["Access-Control-Allow-Methods"] == "POST, OPTIONS")
        #expect(plain["Access-Control-Allow-Headers"] == "content-type, authorization")
        #expect(plain["Access-Control-Max-Age"] == "600")
        #expect(plain["Access-Control-Allow-Private-Network"] == nil)
        let asking = fields + ["Access-Control-Request-Private-Network: true"]
        let told = try decide("OPTIONS /_bridge/rpc", asking).crossOrigin
        #expect(told["Access-Control-Allow-Private-Network"] == "true")
        let evil = ["Origin: https://evil.example"] + asking.dropFirst()
        let refused = try decide("OPTIONS /_bridge/rpc", Array(evil))
        #expect(status(refused) == 403)
        #expect(refused.crossOrigin["Access-Control-Allow-Private-Network"] == nil)
    }

    @Test(
        "Sec-Fetch-Site: cross-site",
        arguments: [
            ("GET /_bridge/client.js", ["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"], 200),
            ("GET /_bridge/health", ["Sec-Fetch-Mode: no-cors"], 200),
            ("POST /_bridge/rpc", ["Origin: http://localhost:3000"], 200),
            ("GET /", ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], 200),
            ("GET /", ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"], 403),
            ("GET /x.png", ["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"], 403),
            ("POST /_bridge/rpc", ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], 403),
            ("POST /_bridge/rpc", ["Sec-Fetch-Mode: no-cors"], 403),
            ("GET /_bridge/ws", ["Sec-Fetch-Mode: websocket"], 403),
        ])
    func fetchMetadata(line: String, fields: [String], expected: Int) throws {
        #expect(status(try decide(line, ["Sec-Fetch-Site: cross-site"] + fields)) == expected)
        for site in ["same-origin", "same-site", "none"] {
            #expect(status(try decide(line, ["Sec-Fetch-Site: \(site)"] + fields)) == 200)
        }
    }

    @Test(
        "Token: bearer anywhere; in the query where a page cannot do otherwise",
        arguments: [
            ("POST /_bridge/rpc", ["Authorization: Bearer s3cret/x"], 200),
            ("POST /_bridge/rpc", ["Authorization: bearer s3cret/x"], 200),
            ("GET /", ["Authorization: Bearer s3cret/x"], 200),
            ("GET /", ["Cookie: a=b; bridgehead-7357=s3cret%2Fx"], 200),
            ("GET /_bridge/ws?token=s3cret%2Fx", [], 200), ("GET /_bridge/client.js?token=s3cret/x", [], 200),
            ("GET /_bridge/pending.mjs", [], 200), ("GET /?token=s3cret%2Fx", [], 303),
            ("GET /?token=s3cret%2Fx", ["Sec-Fetch-Dest: document"], 303),
            ("OPTIONS /_bridge/rpc", ["Origin: http://localhost", "Access-Control-Request-Method: POST"], 200),
            ("POST /_bridge/rpc", [], 401), ("GET /", [], 401), ("GET /_bridge/health", [], 401),
            ("GET /_bridge/ws", [], 401),
            ("GET /_bridge/client.js", [], 401), ("GET /_bridge/client.mjs", [], 401),
            ("OPTIONS /_bridge/rpc", [], 401),
            ("POST /_bridge/rpc?token=s3cret/x", [], 401), ("GET /_bridge/ws?token=s3cret/", [], 401),
            ("GET /_bridge/ws?token=s3cret/xx", [], 401), ("GET /_bridge/ws?token=", [], 401),
            ("GET /?token=s3cret/x", ["Sec-Fetch-Dest: iframe"], 401),
            ("GET /", ["Authorization: Basic s3cret/x"], 401), ("GET /", ["Authorization: Bearer"], 401),
            ("GET /", ["Cookie: bridgehead-7358=s3cret%2Fx"], 401), ("GET /", ["Cookie: bridgehead-7357="], 401),
        ])
    func token(line: String, fields: [String], expected: Int) throws {
        let decision = try decide(line, fields, policy: AccessPolicy(token: "s3cret/x"))
        #expect(status(decision) == expected)
        if case .refused(401, let reason, let fields) = decision.verdict {
            #expect(fields["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
            #expect(!reason.contains("s3cret"))
        }
    }

    @Test("An empty token opens nothing")
    func emptyToken() throws {
        let policy = AccessPolicy(token: "")
        #expect(status(try decide("GET /_bridge/ws?token=", ["Authorization: Bearer "], policy: policy)) == 401)
    }

    @Test(
        "Signing in keeps the rest of the address, on this server whatever the path",
        arguments: [
            ("/?token=s", "/"), ("/a?x=1&token=s&y=%2F", "/a?x=1&y=%2F"), ("/a?t%6Fken=s&token=s", "/a"),
            ("//evil.example?token=s", "/evil.example"), ("/\\evil.example?token=s", "/evil.example"),
        ])
    func signIn(target: String, location: String) throws {
        let decision = try decide("GET \(target)", policy: AccessPolicy(token: "s"))
        guard case .signIn(let found, let cookie) = decision.verdict else {
            Issue.record("no sign-in for \(target)")
            return
        }
        #expect(found == location)
        #expect(cookie == "bridgehead-7357=s; Path=/; HttpOnly; SameSite=Strict")
    }
}
