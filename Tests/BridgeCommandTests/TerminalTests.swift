import Foundation
import Testing

@Suite struct TerminalTests {
    @Test func aPersonSeesVitesShapeAndTheTraffic() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"mocked": {"response": 1}}"#, to: "answers.json")
        let tool = try Tool(
            ["serve", "--port", "0", "--lines", "0", "--answers", folder.path("answers.json")],
            environment: ["TERM": "xterm"], terminal: try Terminal())
        let port = try #require(
            Int(try await tool.line { $0.hasPrefix("Listening on port ") }.dropFirst("Listening on port ".count)))
        let banner = tool.text(.output)
        #expect(banner.contains("BRIDGEHEAD"))
        #expect(banner.firstMatch(of: /ready in.* \d+ ms/) != nil)
        #expect(banner.contains("\u{1B}[36mhttp://localhost:\(port)/\u{1B}[39m"), "URLs in cyan")
        #expect(banner.contains("answers.json (1 event)"))

        let environment = ["BRIDGEHEAD_PORT": "\(port)"]
        _ = try await Tool.run(["call", "echo", #"{"text":"hi"}"#], environment: environment)
        #expect(try await tool.line { $0.contains("⬆") }.contains("\u{1B}[32m⬆"), "page → native is green")
        #expect(try await tool.line { $0.contains("⬇") }.contains("\u{1B}[31m⬇"), "native → page is red")
        _ = try await Tool.run(["call", "mocked"], environment: environment)
        #expect(try await tool.line { $0.contains("mocked = 1") }.contains("\u{1B}[38;5;208m⬇"), "mocked is orange")
        _ = try await Tool.run(["call", "signIn"], environment: environment)
        #expect(try await tool.line { $0.contains("×") }.contains("signIn Not signed in (4001)"))
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func aBusyPortMovesOnWhereAPersonSeesIt() async throws {
        let (first, port) = try await Tool.serve()
        let tool = try Tool(["serve", "--port", "\(port)"], environment: ["NO_COLOR": "1"], terminal: try Terminal())
        let moved = try await tool.line { $0.contains("in use") }
        #expect(moved == "Port \(port) is in use, trying another one...")
        let line = try await tool.line { $0.hasPrefix("Listening on port ") }
        #expect(line != "Listening on port \(port)")
        for tool in [tool, first] {
            tool.signal(SIGTERM)
            #expect(try await tool.result().status == 0)
        }
    }

    @Test(arguments: [(["--strict-port"], [:]), ([], ["CI": "1"])])
    func aStrictPortDoesNot(_ arguments: [String], _ environment: [String: String]) async throws {
        let (first, port) = try await Tool.serve()
        let tool = try Tool(
            ["serve", "--port", "\(port)"] + arguments, environment: environment, terminal: try Terminal())
        #expect(try await tool.result().status == 78)
        first.signal(SIGTERM)
        #expect(try await first.result().status == 0)
    }

    struct Colour: Sendable {
        var environment: [String: String]
        var isOn: Bool
    }

    /// Playwright's order: FORCE_COLOR first, then NO_COLOR, then whether it is a terminal.
    @Test(arguments: [
        Colour(environment: [:], isOn: false),
        Colour(environment: ["FORCE_COLOR": "1"], isOn: true),
        Colour(environment: ["FORCE_COLOR": "0"], isOn: false),
        Colour(environment: ["FORCE_COLOR": "false"], isOn: false),
        Colour(environment: ["FORCE_COLOR": "1", "NO_COLOR": "1"], isOn: true),
        Colour(environment: ["FORCE_COLOR": "", "NO_COLOR": "1"], isOn: false),
    ])
    func colourOfRedirectedOutput(_ colour: Colour) async throws {
        let (tool, port) = try await Tool.serve(["--log-level", "debug"], environment: colour.environment)
        _ = try await Tool.run(["call", "echo"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        let line = try await tool.line { $0.contains("⬆") }
        #expect(line.contains("\u{1B}[") == colour.isOn)
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    /// With output redirected traffic is off, unless asked for.
    @Test func redirectedOutputShowsNoTraffic() async throws {
        let (tool, port) = try await Tool.serve()
        _ = try await Tool.run(["call", "echo", #"{"text":"hi"}"#], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        tool.signal(SIGTERM)
        let output = try await tool.result().output
        #expect(!output.contains("echo"))
    }

    /// What a page sends can neither colour the terminal nor begin a line.
    @Test func pagesCannotWriteOnTheTerminal() async throws {
        let (tool, port) = try await Tool.serve(["--log-level", "debug"])
        let event = "evil\u{1B}[31m\nListening on port 1\u{2028}\u{202E}"
        _ = try await Tool.run(["call", event], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        tool.signal(SIGTERM)
        let result = try await tool.result()
        let said = result.output + result.error
        #expect(said.contains("evil"))
        #expect(!said.unicodeScalars.contains { "\u{1B}\u{2028}\u{202E}".unicodeScalars.contains($0) })
        #expect(!said.split(separator: "\n").contains("Listening on port 1"))
    }

    @Test func anUnknownEventTeaches() async throws {
        let (tool, port) = try await Tool.serve()
        _ = try await Tool.run(["call", "getRandmTitle"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        _ = try await tool.line(.error) { $0.contains("no handler for this event event=getRandmTitle") }
        _ = try await tool.line(.error) { $0.contains("\"getRandomTitle\" differs in one character") }
        _ = try await tool.line(.error) { $0.contains("bridge.on(\"getRandmTitle\")") }
        _ = try await tool.line(.error) { $0.contains("\"getRandmTitle\": { \"response\": null },") }
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func logLinesHaveOneForm() async throws {
        let (tool, port) = try await Tool.serve(["--log-format", "json"])
        _ = try await Tool.run(["call", "signIn"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        let json = try await tool.line { $0.contains("a handler failed") }
        #expect(json.hasPrefix("{\"time\":\"20"))
        #expect(json.contains("\"level\":\"info\",\"message\":\"a handler failed\""))
        tool.signal(SIGTERM)
        _ = try await tool.result()

        let (second, other) = try await Tool.serve()
        _ = try await Tool.run(["call", "signIn"], environment: ["BRIDGEHEAD_PORT": "\(other)"])
        let text = try await second.line { $0.contains("a handler failed") }
        let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info session=s\d+ a handler failed event=signIn failure=".*"/
        #expect(text.wholeMatch(of: form) != nil, "\(text)")
        second.signal(SIGTERM)
        #expect(try await second.result().status == 0)
    }
}
