import BridgeClient
import BridgeConformance
import Testing

/// What is said of targets that are wrong in the ways of HTTP and WebSocket.
@Suite struct WebTargetTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var answer: [UInt8]
        var ends = false
        var members = ""
        var steps = #"{"send": {"eventName": "x", "requestId": 1}}, {"expect": {"requestId": 1, "response": 2}}"#
        /// nil: it passes.
        var message: String?
        var timeout = Duration.seconds(20)
        var testDescription: String

        static func http(_ answer: String, ends: Bool = false, members: String = "", fails message: String?) -> Case {
            Case(answer: Array(answer.utf8), ends: ends, members: members, message: message, testDescription: answer)
        }

        /// A status and a body that is complete.
        static func status(_ status: Int, _ body: String = "", members: String = "", fails message: String?) -> Case {
            http(
                "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", members: members,
                fails: message)
        }
    }

    @Test(arguments: [
        Case.status(500, fails: "the answer has status 500; waited for"),
        .status(500, members: #""canFail": true,"#, fails: nil),
        .status(204, members: #""canFail": true,"#, fails: "the answer has status 204; waited for"),
        .status(200, fails: "nothing came; waited for"),
        .status(200, members: #""canFail": true,"#, fails: "nothing came; waited for"),
        .status(200, "no JSON", fails: "something else came than was expected"),
        .status(200, #"{"requestId":1,"response":3}"#, fails: "something else came than was expected"),
        .http("SSH-2.0\r\n\r\n", fails: "the answer is no HTTP"),
        .http("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", ends: true, fails: "the connection ended before"),
        .http("", ends: true, fails: "the connection ended before the POST was answered"),
    ])
    func http(_ test: Case) async throws {
        try await run(test, afterHandshake: false) {
            .http(host: "127.0.0.1", port: $0, authority: "127.0.0.1:\($0)", target: "/_bridge/rpc")
        }
    }

    /// An unmasked frame whose payload is short.
    private static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0x80 | opcode, UInt8(payload.count)] + payload
    }

    private static let expectClose = #"{"send": {"eventName": "x"}}, {"expect-close": {"code": 1003}}"#
    private static let expectNoCode = #"{"send": {"eventName": "x"}}, {"expect-close": {"code": null}}"#
    private static let expectEnd = #"{"send": {"eventName": "x"}}, {"expect-close": {}}"#

    @Test(arguments: [
        Case(
            answer: frame(1, Array(#"{"requestId":1,"response":3}"#.utf8)),
            message: "something else came than was expected", testDescription: "another answer"),
        Case(
            answer: frame(2, [1, 2]), message: "the target sent a binary message of 2 bytes",
            testDescription: "a binary message"),
        Case(
            answer: [0xFF, 0], message: "the target broke the WebSocket protocol", testDescription: "reserved bits"),
        Case(
            answer: frame(8, [0x03, 0xE8]), message: "the target closed it with 1000; waited for",
            testDescription: "a close instead of an answer"),
        Case(answer: frame(8, [0x03, 0xEB]), steps: expectClose, testDescription: "the close that is expected"),
        Case(
            answer: frame(8, [0x03, 0xE8]), steps: expectClose, message: "it was closed with another code",
            testDescription: "a close with another code"),
        Case(
            answer: frame(8, []), steps: expectClose, message: "it was closed with another code",
            testDescription: "a close without a code"),
        Case(
            answer: [], ends: true, steps: expectClose, message: "it was closed with another code",
            testDescription: "an end without a close frame"),
        Case(answer: [], ends: true, steps: expectEnd, testDescription: "any end"),
        Case(answer: frame(8, []), steps: expectNoCode, testDescription: "the close without a code that is expected"),
        Case(
            answer: [], ends: true, steps: expectNoCode, message: "it was closed with another code",
            testDescription: "an end without the close frame that is expected"),
        Case(answer: frame(8, [0x03, 0xE8]), members: #""canFail": true,"#, testDescription: "a close that may be"),
    ])
    func webSocket(_ test: Case) async throws {
        try await run(test, afterHandshake: true) {
            .webSocket(host: "127.0.0.1", port: $0, authority: "127.0.0.1:\($0)", target: "/_bridge/ws")
        }
    }

    @Test func aTargetThatRefusesTheWebSocket() async throws {
        let test = Case.status(403, fails: "the target refuses the WebSocket: answered with status 403")
        try await run(test, afterHandshake: false) {
            .webSocket(host: "127.0.0.1", port: $0, authority: "127.0.0.1:\($0)", target: "/_bridge/ws")
        }
    }

    private func run(
        _ test: Case, afterHandshake: Bool, _ address: (UInt16) -> ClientEndpoint
    ) async throws {
        let text = """
            {"concern": "c", "profile": "core", "vectors":
                [{"name": "a", "rule": "L1", \(test.members) "steps": [\(test.steps)]}]}
            """
        let vectors = try VectorFile(name: "a.json", contents: Array(text.utf8)).vectors
        let results = try await CannedServer.run(test.answer, ends: test.ends, afterHandshake: afterHandshake) { port in
            let target = Target(endpoints: [Endpoint(address(port))])
            let plan = Plan(vectors, timeout: test.timeout) { _ in target }
            return await ConformanceRun(plan, timeout: test.timeout, seed: 1).run()
        }
        switch try #require(results.first).outcome {
        case .passed: #expect(test.message == nil)
        case .failed(let failure):
            let message = try #require(test.message, "\(failure.message)")
            #expect(failure.message.hasPrefix(message), "\(failure.message)")
        case .skipped(let reason): Issue.record("skipped: \(reason)")
        }
    }
}
