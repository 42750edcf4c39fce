import Foundation
import Testing

@Suite struct SignalTests {
    /// Every request that was taken is answered; what comes later finds nobody.
    @Test(arguments: [SIGINT, SIGTERM])
    func theFirstDrains(_ signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let socket = folder.path("s")
        // However slow the machine is, what was taken has its time. The port may soon be another's, the socket not.
        let (tool, port) = try await Tool.serve(
            ["--log-level", "debug", "--drain-timeout", "60", "--unix", socket])
        let environment = ["BRIDGEHEAD_PORT": "\(port)"]
        let calls = try (0..<4).map { index in
            try Tool(["call", "conformance.wait", "{\"ms\":\(300 + index)}"], environment: environment)
        }
        for _ in calls { _ = try await tool.line { $0.contains("⬆") && $0.contains("conformance.wait") } }
        tool.signal(signal)
        for (index, call) in calls.enumerated() {
            let result = try await call.result()
            #expect(result.status == 0)
            #expect(result.output == "{\"waited\":\(300 + index)}\n")
        }
        #expect(try await tool.result().status == 0)
        #expect(try await Tool.run(["call", "echo", "--url", "unix:\(socket)"]).status == 69)
    }

    /// While nothing is there that would have to be brought to its end, as where the payload is waited for.
    @Test(arguments: [SIGINT, SIGTERM])
    func beforeThereIsAnythingToEndItEndsAtOnce(_ signal: Int32) async throws {
        #if os(Linux)
            let folder = try TemporaryFolder()
            let pipe = folder.path("pipe")
            try #require(mkfifo(pipe, 0o600) == 0)
            // With an input that does not end.
            let tool = try Tool(
                ["-c", #"exec "$0" call x - <>"$1""#, Tool.executable.path, pipe],
                executable: URL(filePath: "/bin/sh"))
            let id = tool.processID
            try await awaiting("the signals to be taken") {
                while try !Self.takesSignals(id) { try await Task.sleep(for: .milliseconds(5)) }
            }
            tool.signal(signal)
            let result = try await tool.result()
            #expect(result.status == 130, "\(result)")
        #endif
    }

    /// Whether a process has something to call at both signals.
    private static func takesSignals(_ id: Int32) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let caught = line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
        return [SIGINT, SIGTERM].allSatisfy { caught & 1 << UInt64($0 - 1) != 0 }
    }

    /// While a browser is started that never says anything: it goes with its files.
    @Test(arguments: [SIGINT, SIGTERM]) func aBrowserThatIsBeingStartedGoesToo(_ signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let temporary = try TemporaryFolder()
        let tool = try Tool(
            ["browse", "http://127.0.0.1:1/", "--browser", try folder.silentBrowser()],
            environment: ["TMPDIR": temporary.path("")])
        try await folder.waitFor("begun")
        tool.signal(signal)
        let result = try await tool.result()
        #expect(result.status == 130, "\(result)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: temporary.path("")) == [])
    }

    @Test func theSecondEndsAtOnce() async throws {
        let (tool, port) = try await Tool.serve(["--log-level", "debug", "--drain-timeout", "3600"])
        let call = try Tool(
            ["call", "conformance.wait", "{\"ms\":3600000}"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        _ = try await tool.line { $0.contains("⬆") && $0.contains("conformance.wait") }
        tool.signal(SIGTERM)
        _ = try await tool.line { $0.contains("stopping") }
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 130)
        #expect(try await call.result().status == 69)
    }

    /// What is not answered in time is cancelled, and the caller told so.
    @Test func drainingHasAnEnd() async throws {
        let (tool, port) = try await Tool.serve(["--log-level", "debug", "--drain-timeout", "0.1"])
        let call = try Tool(
            ["call", "conformance.wait", "{\"ms\":3600000}"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        _ = try await tool.line { $0.contains("⬆") && $0.contains("conformance.wait") }
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
        let result = try await call.result()
        #expect(result.status == 1)
        #expect(result.error.contains("code: -32800"))
    }
}
