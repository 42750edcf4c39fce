import Foundation
import Testing

/// That each option reaches the server it is for.
@Suite struct OptionTests {
    @Test func handlersAndLimitsAreToldInTheGreeting() async throws {
        let (tool, port) = try await Tool.serve([
            "--handler", "analytics:plain", "--handler", "bridge:plain", "--limit", "message=1000",
            "--limit=pingInterval=0.5",
        ])
        let hello = try await Tool.run(
            ["call", "$/hello", #"{"protocol":1}"#], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        #expect(hello.output.contains(#""messageHandlers":{"analytics":"plain","bridge":"plain"}"#), "\(hello.output)")
        #expect(hello.output.contains(#""message":1000,"#))
        #expect(hello.output.contains(#""pingInterval":0.5"#))
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func theConformanceEventsCanBeLeftOut() async throws {
        for (options, status) in [([], Int32(0)), (["--no-conformance"], 1)] {
            let (tool, port) = try await Tool.serve(options)
            let call = try await Tool.run(["call", "conformance.echo"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
            #expect(call.status == status)
            tool.signal(SIGTERM)
            #expect(try await tool.result().status == 0)
        }
    }

    @Test func namedOriginsAndHostsAreLetIn() async throws {
        let (tool, port) = try await Tool.serve([
            "--allow-origin", "https://app.example.test", "--allow-host", "dev.example.test",
        ])
        let origins = ["https://app.example.test": true, "https://other.example.test": false]
        for (origin, isAllowed) in origins {
            let answer = try get("/_bridge/health", port: port, fields: ["Host: localhost", "Origin: \(origin)"])
            #expect(answer.contains("\"originAllowed\":\(isAllowed)"), "\(answer)")
        }
        #expect(try get("/", port: port, fields: ["Host: dev.example.test"]).hasPrefix("HTTP/1.1 200"))
        #expect(try get("/", port: port, fields: ["Host: other.example.test"]).hasPrefix("HTTP/1.1 403"))
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    /// As an address bar shows them, or as somebody remembers them.
    @Test func originsAndHostsAreTakenHoweverTheyAreWritten() async throws {
        let (tool, port) = try await Tool.serve([
            "--allow-origin", "https://a.example.test/", "--allow-origin", "HTTPS://B.example.test",
            "--allow-origin", "https://c.example.test:443", "--allow-host", "Dev.Example.test",
        ])
        for name in ["a", "b", "c"] {
            let origin = "Origin: https://\(name).example.test"
            let answer = try get("/_bridge/health", port: port, fields: ["Host: localhost", origin])
            #expect(answer.contains("\"originAllowed\":true"), "\(answer)")
        }
        #expect(try get("/", port: port, fields: ["Host: dev.example.test:80"]).hasPrefix("HTTP/1.1 200"))
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    /// What is advised helps; where nothing does, nothing is.
    @Test(arguments: [
        (
            ["Host: localhost", "Origin: https://x.test"],
            "origin https://x.test is not allowed; --allow-origin https://x.test would allow it"
        ),
        (["Host: localhost", "Origin: nonsense"], "origin nonsense is not allowed"),
        (["Host: localhost", "Origin: "], "the Origin is empty"),
        (
            ["Host: localhost", "Origin: http://localhost:3000", "Origin: http://localhost:3000"],
            "a request has one Origin, not 2"
        ),
        (["Host: x.test:80"], "host x.test is not served here; --allow-host x.test would allow it"),
        (["Host: "], "the request names no host"),
        (["Host: *"], "host * is not served here"),
    ])
    func refusalsSayWhatHelps(_ fields: [String], _ reason: String) async throws {
        let (tool, port) = try await Tool.serve()
        let answer = try get("/", port: port, fields: fields)
        #expect(answer.hasPrefix("HTTP/1.1 403"))
        #expect(answer.hasSuffix("\r\n\r\n\(reason)\n"), "\(answer)")
        tool.signal(SIGTERM)
        let result = try await tool.result()
        #expect((result.output + result.error).contains("--allow-origin") == reason.contains("--allow-origin"))
    }

    @Test func pagesComeFromTheRoot() async throws {
        let folder = try TemporaryFolder()
        try folder.write("<p>mine</p>", to: "index.html")
        let (tool, port) = try await Tool.serve(["--root", folder.url.path])
        #expect(try get("/", port: port, fields: ["Host: localhost"]).hasSuffix("<p>mine</p>"))
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    /// One request over a plain socket, and all of its answer.
    private func get(_ path: String, port: Int, fields: [String]) throws -> String {
        let descriptor = streamSocket(AF_INET)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
        let request = (["GET \(path) HTTP/1.1"] + fields + ["Connection: close", "", ""]).joined(separator: "\r\n")
        let handle = FileHandle(fileDescriptor: descriptor)
        try handle.write(contentsOf: Data(request.utf8))
        return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    }
}

/// A new stream socket of that family.
func streamSocket(_ family: Int32) -> Int32 {
    #if canImport(Darwin)
        socket(family, SOCK_STREAM, 0)
    #else
        socket(family, Int32(SOCK_STREAM.rawValue), 0)
    #endif
}
