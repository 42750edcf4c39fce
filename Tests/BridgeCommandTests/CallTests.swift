import Foundation
import Testing

@Suite struct CallTests {
    /// The same conversation over every transport.
    @Test func everyTransport() async throws {
        let folder = try TemporaryFolder()
        let (tool, port) = try await Tool.serve(["--lines", "0", "--unix", folder.path("socket")])
        let lines = try await tool.line { $0.hasPrefix("Lines on port ") }.dropFirst("Lines on port ".count)
        let urls = [
            "ws://127.0.0.1:\(port)", "ws://localhost:\(port)/_bridge/ws", "http://127.0.0.1:\(port)",
            "http://[::1]:\(port)/_bridge/rpc", "lines://127.0.0.1:\(lines)", "unix:\(folder.path("socket"))",
        ]
        for url in urls {
            for dialect in [[], ["--json-rpc"]] {
                let echo = try await Tool.run(["call", "echo", #"{"n":1.50,"t":"ü\u0000"}"#, "--url", url] + dialect)
                #expect(echo.output == "{\"n\":1.50,\"t\":\"ü\\u0000\"}\n", "\(url) \(dialect)")
                #expect(echo.error == "")
                #expect(echo.status == 0)
                let failure = try await Tool.run(["call", "signIn", "--url", url] + dialect)
                #expect(failure.status == 1)
                #expect(failure.output == "")
                #expect(failure.error.hasPrefix("Error: Not signed in\n  code: 4001\n  data: {"), "\(url) \(dialect)")
                let silent = try await Tool.run(["call", "conformance.counter", "--notify", "--url", url] + dialect)
                #expect(silent.status == 0)
                #expect(silent.output + silent.error == "")
            }
        }
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func payloadsOfEveryShape() async throws {
        let (tool, port) = try await Tool.serve()
        let environment = ["BRIDGEHEAD_PORT": "\(port)"]
        func call(_ arguments: [String], input: String = "") async throws -> Tool.Result {
            try await Tool.run(["call"] + arguments, environment: environment, input: input)
        }
        #expect(try await call(["echo"]).output == "{}\n")
        #expect(try await call(["echo", "-"], input: "{\"a\":\n1}\n").output == "{\"a\":1}\n")
        #expect(try await call(["echo", "[1,2]"]).output == "[1,2]\n", "an array travels as JSON-RPC")
        #expect(try await call(["echo", #"{"requestId":7}"#]).output == "{\"requestId\":7}\n", "so do reserved names")
        #expect(try await call(["subtract", "[42, 23]", "--json-rpc"]).output == "19\n")
        #expect(try await call(["--", "echo", "{}"]).output == "{}\n")
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test(arguments: [
        ("{\"a\":\n  tru}", "the payload:2:3: "), ("", "the payload:1:1: "), ("5", "the payload:1:1: "),
        ("null", "the payload:1:1: an event's payload is an object or an array"), ("-1", "the payload:1:1: "),
        ("{\"a\":1,}", "the payload:1:8: "),
    ])
    func aBadPayloadIs65AndNothingIsSent(_ payload: String, _ place: String) async throws {
        // Port 1: if it were sent, the exit code would be 69.
        let result = try await Tool.run(["call", "echo", payload, "--url", "ws://127.0.0.1:1"])
        #expect(result.status == 65)
        #expect(result.error.hasPrefix("Error: \(place)"), "\(result.error)")
        let input = try await Tool.run(["call", "echo", "-", "--url", "ws://127.0.0.1:1"], input: payload)
        #expect(input.status == 65)
        #expect(input.error.hasPrefix("Error: \(place.replacing("the payload", with: "standard input"))"))
    }

    @Test(arguments: ["ws://127.0.0.1:1", "http://127.0.0.1:1", "lines://127.0.0.1:1", "unix:/nowhere/socket"])
    func nobodyThereIs69AndSaysHowToStartOne(_ url: String) async throws {
        let result = try await Tool.run(["call", "echo", "--url", url])
        #expect(result.status == 69)
        #expect(result.error.hasPrefix("Error: No bridge answers at \(url): "))
        #expect(result.error.contains("Start one with 'bridgehead serve'"))
        #expect(result.error.contains("no such file or folder") == url.hasPrefix("unix:"))
        #expect(result.error.contains("refused") != url.hasPrefix("unix:"))
    }

    @Test func aServerThatIsNoBridgeIs69() async throws {
        let (tool, port) = try await Tool.serve()
        let result = try await Tool.run(["call", "echo", "--url", "ws://127.0.0.1:\(port)/elsewhere"])
        #expect(result.status == 69)
        #expect(result.error.contains("does not take the call: answered with status 4"))
        let rpc = try await Tool.run(["call", "echo", "--url", "http://127.0.0.1:\(port)/elsewhere"])
        #expect(rpc.status == 69)
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test(arguments: ["ws", "http"])
    func aTimeoutIs75AndCancels(_ scheme: String) async throws {
        let (tool, port) = try await Tool.serve(["--log-level", "debug"])
        let call = try Tool([
            "call", "conformance.wait", "{\"ms\":60000}", "--timeout", "0.2", "--url", "\(scheme)://127.0.0.1:\(port)",
        ])
        let result = try await call.result()
        #expect(result.status == 75)
        #expect(result.error == "Error: No answer within 0.2 seconds; the request was cancelled.\n")
        // Nothing is pending any more, so draining does not wait.
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func anInterruptTakesTheRequestBack() async throws {
        let (tool, port) = try await Tool.serve(["--log-level", "debug"])
        let call = try Tool(
            ["call", "conformance.wait", "{\"ms\":3600000}"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        _ = try await tool.line { $0.contains("⬆") && $0.contains("conformance.wait") }
        call.signal(SIGINT)
        #expect(try await call.result().status == 130)
        _ = try await tool.line { $0.contains("conformance.wait Cancelled (-32800)") }
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func progressGoesToStandardErrorInOrder() async throws {
        let (tool, port) = try await Tool.serve()
        let result = try await Tool.run(
            ["call", "conformance.progress", "{\"count\":3}"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        #expect(result.output == "{\"count\":3}\n")
        #expect(result.error == "progress 1\nprogress 2\nprogress 3\n")
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func jsonPutsFailuresOnStandardOutputToo() async throws {
        let (tool, port) = try await Tool.serve()
        let environment = ["BRIDGEHEAD_PORT": "\(port)", "FORCE_COLOR": "1"]
        let fine = try await Tool.run(["call", "echo", "--json"], environment: environment)
        #expect(fine.output == "{}\n")
        let result = try await Tool.run(
            ["call", "conformance.fail", #"{"code":7,"message":"x"}"#, "--json"], environment: environment)
        #expect(result.status == 1)
        #expect(result.output == "{\"error\":{\"code\":7,\"message\":\"x\"}}\n")
        #expect(result.error == "")
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }
}
