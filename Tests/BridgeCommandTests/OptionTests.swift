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
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_INET, stream, 0)
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
