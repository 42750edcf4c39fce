import BridgeJSON
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A run of `conformance` that is ended from outside: at once, whatever it waits for, with what is known.
@Suite struct ConformanceInterruptTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Longer than any test may take: what ends before has not waited for it.
    private static let timeout = ["--timeout", "600"]

    /// A target that answers some vectors of rule L1 and keeps all others waiting.
    private func halfDeafServer() async throws -> (tool: Tool, port: Int) {
        try folder.write(#"{"conformance.wait": {"response": null, "delay": 3600000}}"#, to: "answers.json")
        return try await Tool.serve(["--answers", folder.path("answers.json"), "--log-level", "debug"])
    }

    private func interrupted(_ signal: Int32, format: String) async throws -> Tool.Result {
        let (server, port) = try await halfDeafServer()
        let tool = try Tool(
            ["conformance", "--target", "ws://127.0.0.1:\(port)", "--profile", "core", "--format", format]
                + Self.timeout)
        _ = try await server.line { $0.contains("⬆") && $0.contains("conformance.wait") }
        // Each vector has a session of its own, and far fewer run at once: some are done.
        _ = try await server.line { $0.contains("session=s60 connected") }
        tool.signal(signal)
        let result = try await tool.result()
        withExtendedLifetime(server) {}
        return result
    }

    @Test(arguments: [SIGINT, SIGTERM]) func theListEndsWithItsSummary(_ signal: Int32) async throws {
        let result = try await interrupted(signal, format: "list")
        #expect(result.status == 130)
        let counts = try #require(result.output.firstMatch(of: /\n(\d+) passed, 0 failed, (\d+) skipped\n/))
        let (passed, skipped) = (try #require(Int(counts.1)), try #require(Int(counts.2)))
        #expect(skipped > 0, "what was cut short is no failure")
        #expect(result.output.count { $0 == "✓" } == passed)
        let said = try #require(result.error.firstMatch(of: /^Interrupted after (\d+) of (\d+) vectors\.\n$/))
        #expect(Int(said.2) == passed + skipped)
    }

    @Test func theJSONIsWhole() async throws {
        let result = try await interrupted(SIGINT, format: "json")
        #expect(result.status == 130)
        let vectors = try #require(try JSON(parsing: result.output)["vectors"]?.array)
        let states = Set(vectors.compactMap { $0["state"]?.string })
        #expect(states == ["passed", "skipped"])
        #expect(vectors.contains { $0["reason"] == "the run was interrupted" })
    }

    @Test func theXMLIsWhole() async throws {
        let result = try await interrupted(SIGINT, format: "junit")
        #expect(result.status == 130)
        #expect(result.output.contains("<skipped message=\"the run was interrupted\"/>"))
        #expect(XMLParser(data: Data(result.output.utf8)).parse())
    }

    /// Nothing of its own servers is left behind.
    @Test(arguments: [SIGINT, SIGTERM]) func itsOwnServersGoWithIt(_ signal: Int32) async throws {
        let tool = try Tool(
            ["conformance", "--self"] + Self.timeout, environment: ["BROWSER_PATH": "/nonexistent/browser"],
            firstSignal: signal)
        let result = try await tool.result()
        #expect(result.status == 130)
        #expect(result.output.contains(" passed, 0 failed, "))
        #expect(result.error.contains("Interrupted after "))
        let sockets = try FileManager.default.contentsOfDirectory(atPath: "/tmp")
        #expect(!sockets.contains { $0.hasPrefix("bridgehead-\(tool.processID)-") })
    }

    /// Whoever takes the connection and says nothing, at the first question already.
    @Test func aSilentTargetHoldsNothingUp() async throws {
        try folder.write(#"{"conformance.profiles": {"response": null, "delay": 3600000}}"#, to: "answers.json")
        let (server, port) = try await Tool.serve(
            ["--answers", folder.path("answers.json"), "--log-level", "debug"])
        let tool = try Tool(["conformance", "--target", "ws://127.0.0.1:\(port)"] + Self.timeout)
        _ = try await server.line { $0.contains("⬆") && $0.contains("conformance.profiles") }
        tool.signal(SIGINT)
        let result = try await tool.result()
        #expect(result.status == 130)
        #expect(result.output.isEmpty)
        #expect(result.error == "Interrupted before there was a result.\n")
        withExtendedLifetime(server) {}
    }

    /// A target that always has something to say, which is nothing: at the first question, and to the vectors.
    @Test(arguments: [SIGINT, SIGTERM], [false, true])
    func aFloodHidesNoSignal(_ signal: Int32, introducesItself: Bool) async throws {
        let target = try FloodingTarget(introducesItself: introducesItself)
        let tool = try Tool(
            ["conformance", "--target", "lines://127.0.0.1:\(target.port)", "--filter", "L4"] + Self.timeout)
        await target.isRead.value
        tool.signal(signal)
        let result = try await tool.result()
        #expect(result.status == 130)
        #expect(
            result.error.hasPrefix(
                introducesItself ? "Interrupted after 0 of " : "Interrupted before there was a result."))
        withExtendedLifetime(target) {}
    }

    @Test func aFloodMovesNoDeadline() async throws {
        let target = try FloodingTarget(introducesItself: true)
        let result = try await Tool.run([
            "conformance", "--target", "lines://127.0.0.1:\(target.port)", "--filter", "echo-answers-the-payload",
            "--timeout", "1",
        ])
        #expect(result.status == 1)
        #expect(result.output.contains(" blank lines and nothing else within 1.0 seconds; waited for "))
        withExtendedLifetime(target) {}
    }

    /// What an app's page has told until then.
    @Test func anAppIsReportedAsFarAsItWas() async throws {
        let tool = try Tool(["conformance", "--app", "--port", "0", "--format", "json"] + Self.timeout)
        let line = try await tool.line(.error) { $0.hasPrefix("Open in the app: ") }
        let page = try #require(URL(string: String(line.dropFirst("Open in the app: ".count))))
        var request = URLRequest(url: page.appending(path: "result"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(
            #"{"begins":true,"visit":"1","results":[{"name":"echo-answers-the-payload","status":"passed"}]}"#.utf8)
        _ = try await URLSession.shared.data(for: request)
        tool.signal(SIGTERM)
        let result = try await tool.result()
        #expect(result.status == 130)
        let json = try JSON(parsing: result.output)
        #expect(json["summary"]?["passed"] == 1)
        #expect(json["summary"]?["failed"] == 0)
        #expect(result.error.contains(/Interrupted after 1 of \d+ vectors\./))
    }
}
