import Foundation
import Testing

@Suite struct ServeTests {
    /// Exactly one such line, alone, without colour, whatever else is printed.
    @Test(arguments: [
        [], ["--quiet"], ["--log-level", "debug"], ["--log-format", "json"], ["--log-level", "critical"],
    ])
    func saysWhereItListens(_ options: [String]) async throws {
        let (tool, port) = try await Tool.serve(options, environment: ["FORCE_COLOR": "1"])
        #expect(port > 0)
        tool.signal(SIGTERM)
        let result = try await tool.result()
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n").filter { $0.contains("Listening") }
        #expect(lines == ["Listening on port \(port)"])
    }

    @Test func linesPortIsNamedFirst() async throws {
        let (tool, _) = try await Tool.serve(["--lines", "0", "--quiet"])
        tool.signal(SIGINT)
        let output = try await tool.result().output
        #expect(output.wholeMatch(of: /Lines on port \d+\nListening on port \d+\n/) != nil, "\(output)")
    }

    @Test func quietSaysNothingElse() async throws {
        let (tool, port) = try await Tool.serve(["--quiet"])
        let call = try await Tool.run(["call", "signIn"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        #expect(call.status == 1)
        tool.signal(SIGTERM)
        let result = try await tool.result()
        #expect(result.output == "Listening on port \(port)\n")
        #expect(result.error == "")
    }

    @Test func portFileHoldsThePort() async throws {
        let folder = try TemporaryFolder()
        let (tool, port) = try await Tool.serve(["--port-file", folder.path("port")])
        #expect(try String(contentsOfFile: folder.path("port"), encoding: .utf8) == "\(port)\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["port"])
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func aPortFileThatCannotBeWrittenIs73() async throws {
        let result = try await Tool.run(["serve", "--port", "0", "--port-file", "/nowhere/port"])
        #expect(result.status == 73)
        #expect(result.error == "Error: Cannot write the port file '/nowhere/port': No such file or directory.\n")
        #expect(!result.output.contains("Listening"))
    }

    @Test func aPortInUseIs78() async throws {
        let (tool, port) = try await Tool.serve()
        let result = try await Tool.run(["serve", "--port", "\(port)"])
        #expect(result.status == 78)
        #expect(
            result.error
                == "Error: Port \(port) is already in use. Name another with --port; --port 0 takes any that is free.\n"
        )
        let lines = try await Tool.run(["serve", "--port", "0", "--lines", "\(port)"])
        #expect(lines.status == 78)
        #expect(lines.error.contains("Port \(port) is already in use. Name another with --lines; "))
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    struct Setting: Sendable, CustomTestStringConvertible {
        var arguments: [String] = []
        var environment: [String: String] = [:]
        var status: Int32
        var error: String
        var testDescription: String { error }
    }

    @Test(arguments: [
        Setting(
            environment: ["BRIDGEHEAD_PORT": "http"], status: 78,
            error: "Error: BRIDGEHEAD_PORT must be a port from 0 to 65535, not 'http'."),
        Setting(
            environment: ["BRIDGEHEAD_LOG_LEVEL": "loud"], status: 78,
            error: "Error: BRIDGEHEAD_LOG_LEVEL must be one of trace, debug, info, notice, warning, error, critical, "
                + "not 'loud'."),
        Setting(
            arguments: ["--root", "/nowhere"], status: 66,
            error: "Error: The root '/nowhere' is no folder that can be read."),
        Setting(
            arguments: ["--answers", "/nowhere/a.json"], status: 66,
            error: "Error: Cannot read the answers file '/nowhere/a.json': No such file or directory."),
        Setting(
            arguments: ["--unix", "/nowhere/socket"], status: 78,
            error: "Error: cannot listen: unix:/nowhere/socket: no such file or folder."),
    ])
    func whatCannotWorkIsSaidAtOnce(_ setting: Setting) async throws {
        let port = setting.environment["BRIDGEHEAD_PORT"] == nil ? ["--port", "0"] : []
        let result = try await Tool.run(["serve"] + port + setting.arguments, environment: setting.environment)
        #expect(result.status == setting.status)
        #expect(result.error == setting.error + "\n")
        #expect(result.output.isEmpty)
    }

    /// Longer than anybody wants to read: at most a few lines of the terminal each.
    @Test(arguments: ["x", "\"", "é"])
    func aLongNameOfAnEventIsCutOnTheTerminal(_ character: String) async throws {
        for options in [[], ["--log-format", "json"], ["--log-level", "debug"]] {
            let (tool, port) = try await Tool.serve(options)
            let name = String(repeating: character, count: 40_000)
            let call = try await Tool.run(["call", name], environment: ["BRIDGEHEAD_PORT": "\(port)"])
            #expect(call.status == 1)
            tool.signal(SIGTERM)
            let result = try await tool.result()
            #expect(result.error.contains("no handler for this event"))
            let lines = (result.output + result.error).split(separator: "\n")
            #expect(lines.allSatisfy { $0.count < 3_000 }, "\(options)")
            let known = options.contains("json") || character != "x"
            #expect(known || result.error.contains("In the answers file: \"xxxx"))
        }
    }

    @Test func environmentStandsInForOptions() async throws {
        let tool = try Tool(["serve"], environment: ["BRIDGEHEAD_PORT": "0", "BRIDGEHEAD_LOG_LEVEL": "warning"])
        _ = try await tool.line { $0.hasPrefix("Listening on port ") && $0 != "Listening on port 7357" }
        tool.signal(SIGTERM)
        let result = try await tool.result()
        #expect(!result.output.contains("stopping"), "information is off")
    }

    @Test func anUnknownVariableIsAWarning() async throws {
        let (tool, _) = try await Tool.serve(environment: ["BRIDGEHEAD_PROT": "1", "BRIDGEHEAD_ZZZ": "1"])
        tool.signal(SIGTERM)
        let error = try await tool.result().error
        #expect(
            error == """
                Warning: The environment variable BRIDGEHEAD_PROT is not known. Did you mean BRIDGEHEAD_PORT?
                Warning: The environment variable BRIDGEHEAD_ZZZ is not known.

                """)
    }

    @Test func beyondLoopbackTheTokenIsAskedForAndToldOnce() async throws {
        let (tool, port) = try await Tool.serve(["--host", "0.0.0.0"])
        let warning = try await tool.line(.error) { $0.hasPrefix("Warning: Whoever reaches 0.0.0.0 ") }
        let token = try #require(warning.firstMatch(of: /with the token ([0-9a-f]{32})\./)).1
        let without = try await Tool.run(["call", "echo"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
        #expect(without.status == 69)
        #expect(without.error.contains("BRIDGEHEAD_TOKEN"))
        let with = try await Tool.run(
            ["call", "echo"], environment: ["BRIDGEHEAD_PORT": "\(port)", "BRIDGEHEAD_TOKEN": String(token)])
        #expect(with.output == "{}\n")
        tool.signal(SIGTERM)
        let result = try await tool.result()
        #expect(!result.output.contains(token))
    }

    @Test func aTokenOfTheUsersIsNotShown() async throws {
        let (tool, _) = try await Tool.serve(["--host", "0.0.0.0"], environment: ["BRIDGEHEAD_TOKEN": "s3cret-word"])
        tool.signal(SIGTERM)
        let result = try await tool.result()
        #expect(result.error.contains("with the token in BRIDGEHEAD_TOKEN"))
        #expect(!(result.output + result.error).contains("s3cret-word"))
    }

    /// The server outlives whoever started it and stopped reading.
    @Test func nobodyHasToReadItsOutput() async throws {
        let (tool, port) = try await Tool.serve(["--log-level", "debug"])
        tool.closeOutput()
        for _ in 0..<3 {
            let call = try await Tool.run(["call", "echo", "{}"], environment: ["BRIDGEHEAD_PORT": "\(port)"])
            #expect(call.status == 0)
        }
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func theBrowserIsOpenedWithTheStartPage() async throws {
        let folder = try TemporaryFolder()
        let script =
            "#!/bin/sh\necho \"$1\" > '\(folder.path("url.part"))'\nmv '\(folder.path("url.part"))' '\(folder.path("url"))'\n"
        try folder.write(script, to: "browser")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("browser"))
        let (tool, port) = try await Tool.serve(["--open"], environment: ["BROWSER": folder.path("browser")])
        try await folder.waitFor("url")
        #expect(try String(contentsOfFile: folder.path("url"), encoding: .utf8) == "http://localhost:\(port)/\n")
        tool.signal(SIGTERM)
        #expect(try await tool.result().error == "")
    }

    @Test func aBrowserThatCannotBeOpenedIsAWarning() async throws {
        let (tool, _) = try await Tool.serve(["--open"], environment: ["BROWSER": "/nowhere/browser"])
        _ = try await tool.line(.error) { $0.contains("cannot open the browser program=/nowhere/browser") }
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }
}
