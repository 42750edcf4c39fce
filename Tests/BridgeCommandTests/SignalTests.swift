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
