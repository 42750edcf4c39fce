import BridgeClient
import BridgeConformance
import Testing

/// Targets that send without end what may come at any time and answers nothing: neither the deadline nor the end of the run
/// is lost in it.
@Suite(.serialized) struct FloodTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var address: @Sendable (UInt16) -> ClientEndpoint
        var flood: String
        var afterHandshake = false
        var medium = ""
        var steps = #"{"send": {"eventName": "x", "requestId": 1}}, {"expect": {"requestId": 1, "response": 2}}"#
        /// In the failure, after the count.
        var noise: String
    }

    private static let interim = "HTTP/1.1 100 Continue\r\n\r\n"
    private static let raw = #""over": "websocket","#
    private static let rawSteps = #"{"send": {"text": "x"}}, {"expect": {"text": "y"}}"#

    private static let cases = [
        Case(
            testDescription: "interim answers, HTTP", address: http, flood: interim, noise: "interim answers"),
        Case(
            testDescription: "interim answers to the handshake", address: webSocket, flood: interim,
            noise: "interim answers"),
        Case(
            testDescription: "interim answers to the handshake, frames", address: webSocket, flood: interim,
            medium: raw, steps: rawSteps, noise: "interim answers"),
        Case(
            testDescription: "pongs", address: webSocket, flood: "\u{8A}\0", afterHandshake: true, noise: "pongs"),
        Case(
            testDescription: "pings", address: webSocket, flood: "\u{89}\0", afterHandshake: true, noise: "pings"),
        Case(
            testDescription: "pings, frames", address: webSocket, flood: "\u{89}\0", afterHandshake: true,
            medium: raw, steps: rawSteps, noise: "pings"),
        Case(testDescription: "blank lines", address: lines, flood: "\n", noise: "blank lines"),
        Case(testDescription: "blank lines with CR", address: lines, flood: " \r\n", noise: "blank lines"),
    ]

    @Test(arguments: cases) func aFloodDoesNotMoveTheDeadline(_ test: Case) async throws {
        let result = try await CannedServer.run(flooding: bytes(test), afterHandshake: test.afterHandshake) { port, _ in
            try await run(test, port, timeout: .milliseconds(300))
        }
        guard case .failed(let failure) = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        let said = try #require(
            failure.message.firstMatch(
                of: /^the target sent \d+ (.+) and nothing else within 0\.3 seconds; waited for/),
            "\(failure.message)")
        #expect(said.1 == test.noise)
    }

    @Test(arguments: cases) func aFloodDoesNotHideTheEndOfTheRun(_ test: Case) async throws {
        let result = try await CannedServer.run(flooding: bytes(test), afterHandshake: test.afterHandshake) {
            port, floods in
            let work = Task { try await run(test, port, timeout: .seconds(600)) }
            // What has been poured out at once does not fit into the buffers between: some of it was read.
            for await _ in floods { break }
            work.cancel()
            return try await work.value
        }
        #expect(result.isInterrupted)
    }

    /// Where vectors see interim answers, one is an answer, in how many pieces ever it comes.
    @Test func anInterimAnswerThatIsOneIsTaken() async throws {
        let test = Case(
            testDescription: "", address: Self.http, flood: Self.interim, medium: #""over": "http","#,
            steps: #"{"send": "GET / HTTP/1.1\r\n\r\n"}, {"expect": {"status": 200}}"#, noise: "")
        let result = try await CannedServer.run(flooding: bytes(test)) { port, _ in
            try await run(test, port, timeout: .seconds(600))
        }
        guard case .failed(let failure) = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(failure.message == "another answer came than was expected")
    }

    private func bytes(_ test: Case) -> [UInt8] { test.flood.unicodeScalars.map { UInt8($0.value) } }

    private func run(_ test: Case, _ port: UInt16, timeout: Duration) async throws -> VectorResult {
        let text = """
            {"concern": "c", "profile": "core", \(test.medium) "vectors":
                [{"name": "a", "rule": "L1", "steps": [\(test.steps)]}]}
            """
        let vectors = try VectorFile(name: "a.json", contents: Array(text.utf8)).vectors
        let target = Target(endpoints: [Endpoint(test.address(port))])
        let plan = Plan(vectors, timeout: timeout) { _ in target }
        return try #require(await ConformanceRun(plan, timeout: timeout, seed: 1).run().first)
    }

    @Sendable private static func http(_ port: UInt16) -> ClientEndpoint {
        .http(host: "127.0.0.1", port: port, authority: "127.0.0.1:\(port)", target: "/_bridge/rpc")
    }

    @Sendable private static func webSocket(_ port: UInt16) -> ClientEndpoint {
        .webSocket(host: "127.0.0.1", port: port, authority: "127.0.0.1:\(port)", target: "/_bridge/ws")
    }

    @Sendable private static func lines(_ port: UInt16) -> ClientEndpoint { .lines(host: "127.0.0.1", port: port) }
}
