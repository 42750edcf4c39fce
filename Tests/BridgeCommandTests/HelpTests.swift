import Foundation
import Testing

@Suite struct HelpTests {
    @Test(arguments: [[], ["--help"], ["-h"], ["help"]])
    func helpOfTheWhole(_ arguments: [String]) async throws {
        let result = try await Tool.run(arguments)
        #expect(result.status == 0)
        #expect(result.error.isEmpty)
        #expect(result.output.hasPrefix("OVERVIEW: "))
        #expect(result.output.contains("\nUSAGE: bridgehead <subcommand>\n"))
        #expect(result.output.contains("\nSUBCOMMANDS:\n  serve                   "))
        #expect(result.output.contains("bridgehead serve --answers"), "examples are in the help")
    }

    @Test(arguments: [
        ["serve", "--help"], ["help", "serve"], ["serve", "--port", "--help"], ["serve", "nonsense", "-h"],
    ])
    func helpOfServe(_ arguments: [String]) async throws {
        let result = try await Tool.run(arguments)
        #expect(result.status == 0)
        #expect(result.output.contains("USAGE: bridgehead serve [<options>]"))
        #expect(result.output.contains("\n  --port <port>           The port to listen on"))
        #expect(result.output.contains("\n  -h, --help              Show help information."))
        let options = result.output.split(separator: "\n").filter { $0.hasPrefix("  --") && !$0.contains("--version") }
        #expect(options.count <= 20)
        #expect(options.count == 18)
    }

    /// What the environment decides is in the help too.
    @Test func helpNamesTheEnvironment() async throws {
        let words = try await Tool.run(["serve", "--help"]).output.split(whereSeparator: \.isWhitespace)
        for name in ["BRIDGEHEAD_PORT", "BRIDGEHEAD_LOG_LEVEL", "BRIDGEHEAD_TOKEN", "CI", "BROWSER"] {
            #expect(words.contains { $0 == name }, "\(name)")
        }
    }

    @Test func helpSaysWhenABusyPortMovesOn() async throws {
        let words = try await Tool.run(["serve", "--help"]).output.split(whereSeparator: \.isWhitespace)
        let help = words.joined(separator: " ")
        #expect(help.contains("the next one is tried if standard output is a terminal and CI is not set"), "\(help)")
    }

    @Test func textStandsInOneColumnAndFitsTheScreen() async throws {
        let result = try await Tool.run(["serve", "--help"])
        let options = try #require(result.output.components(separatedBy: "OPTIONS:\n").last)
        for line in options.split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
            let label = line.hasPrefix("  -") ? line.components(separatedBy: "  ")[1].count : 0
            if label < 24 { #expect(line.dropFirst(26).first?.isWhitespace == false, "\(line)") }
        }
    }

    @Test func helpOfCall() async throws {
        let result = try await Tool.run(["help", "call"])
        #expect(result.output.contains("ARGUMENTS:\n  <event>                 The name of the event."))
        #expect(result.output.contains("[--json] <event> [<payload>]"))
    }

    @Test func helpOfBrowseTellsOfMarksAndKinds() async throws {
        let result = try await Tool.run(["help", "browse"])
        for word in ["$undefined", "$number", "$date", "$object", "BigInt", "'posted'", "'postedBody'", "130"] {
            #expect(result.output.contains(word), "\(word)")
        }
        let parts = result.output.components(separatedBy: "USAGE: ")
        for line in parts[0].split(separator: "\n") { #expect(line.count <= 96, "\(line)") }
        let options = try #require(parts.last?.components(separatedBy: "OPTIONS:\n").last)
        for line in options.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test func helpOfConformance() async throws {
        let result = try await Tool.run(["help", "conformance"])
        #expect(result.output.contains("\n  --target <url>          The bridge to test: ws://, http://,"))
        #expect(result.output.contains("0 all passed, 1 something failed, 64 wrong use, 65 bad envelope"))
        let options = try #require(result.output.components(separatedBy: "OPTIONS:\n").last)
        for line in options.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test(arguments: [["--version"], ["serve", "--version"]])
    func versionIsTheBareNumber(_ arguments: [String]) async throws {
        let result = try await Tool.run(arguments)
        #expect(result.status == 0)
        #expect(result.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }

    /// A reader that stops reading is no error and leaves no message.
    @Test func outputIntoHeadIsSilent() async throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "\"$1\" serve --help | head -n 1", "sh", Tool.executable.path]
        let (output, error) = (Pipe(), Pipe())
        shell.standardOutput = output
        shell.standardError = error
        try shell.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        #expect(error.fileHandleForReading.readDataToEndOfFile().isEmpty)
        #expect(String(decoding: said, as: UTF8.self).hasPrefix("OVERVIEW"))
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
    }
}

@Suite struct UsageErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var error: String
        var usage = "bridgehead serve"

        static func origin(_ text: String) -> Case {
            let form = "an origin is SCHEME://HOST or SCHEME://HOST:PORT, such as https://app.example.test, or null"
            return Case(
                arguments: ["serve", "--allow-origin", text],
                error: "The value '\(text)' is invalid for '--allow-origin <origin>': \(form)")
        }

        static func host(_ text: String) -> Case {
            let form = "it is a host's name alone, such as dev.example.test, without scheme and port"
            return Case(
                arguments: ["serve", "--allow-host", text],
                error: "The value '\(text)' is invalid for '--allow-host <name>': \(form)")
        }

        /// A path that no request line can hold.
        static func path(_ url: String, shown: String? = nil) -> Case {
            let form = "a path has visible ASCII characters alone; write the others as %XX, a space as %20"
            return Case(
                arguments: ["call", "x", "--url", url],
                error: "The value '\(shown ?? url)' is invalid for '--url <url>': \(form)", usage: "bridgehead call")
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
        Case(arguments: ["srve"], error: "Unexpected argument 'srve'. Did you mean 'serve'?", usage: "bridgehead"),
        Case(
            arguments: ["help", "cal"], error: "Unexpected argument 'cal'. Did you mean 'call'?", usage: "bridgehead"),
        Case(arguments: ["--prot"], error: "Unknown option '--prot'", usage: "bridgehead"),
        Case(arguments: ["serve", "--prot", "1"], error: "Unknown option '--prot'. Did you mean '--port'?"),
        Case(arguments: ["serve", "--prot=1"], error: "Unknown option '--prot'. Did you mean '--port'?"),
        Case(arguments: ["serve", "-p", "1"], error: "Unknown option '-p'"),
        Case(arguments: ["serve", "--port"], error: "Missing value for '--port <port>'"),
        Case(arguments: ["serve", "--port", "--quiet"], error: "Missing value for '--port <port>'"),
        Case(
            arguments: ["serve", "--port", "65536"],
            error: "The value '65536' is invalid for '--port <port>': a port is a number from 0 to 65535"),
        Case(arguments: ["serve", "--quiet=yes"], error: "The flag '--quiet' takes no value"),
        Case(arguments: ["serve", "extra"], error: "Unexpected argument 'extra'"),
        Case(arguments: ["serve", "a", "b"], error: "2 unexpected arguments: 'a', 'b'"),
        Case(
            arguments: ["serve", "--log-format", "yaml"],
            error: "The value 'yaml' is invalid for '--log-format <format>'. Please provide one of 'text' or 'json'."),
        Case(
            arguments: ["serve", "--log-level", "debugg"],
            error: "The value 'debugg' is invalid for '--log-level <level>'. Please provide one of 'trace', 'debug', "
                + "'info', 'notice', 'warning', 'error' or 'critical'. Did you mean 'debug'?"),
        Case(
            arguments: ["serve", "--limit", "mesage=1"],
            error: "The value 'mesage=1' is invalid for '--limit <name=value>': there is no limit named 'mesage'; "
                + "did you mean 'message'?"),
        Case(
            arguments: ["serve", "--handler", "x:async"],
            error: "The value 'x:async' is invalid for '--handler <name:mode>': it is NAME:reply or NAME:plain"),
        Case(
            arguments: ["serve", "--allow-origin", "*"],
            error: "The value '*' is invalid for '--allow-origin <origin>': name each origin; "
                + "'*' would let every page in"),
        Case(arguments: ["serve", "--foo"], error: "Unknown option '--foo'"),
        Case(arguments: ["serve", "-port", "1"], error: "Unknown option '-port'. Did you mean '--port'?"),
        .origin("example.com"), .origin("https://example.com/app"), .origin(""), .origin("https://*.example.com"),
        .host("http://x"), .host("x:80"), .host(""), .host("*"),
        Case(arguments: ["call"], error: "Missing expected argument '<event>'", usage: "bridgehead call"),
        Case(
            arguments: ["call", "x", "--url", "wss://a"],
            error: "The value 'wss://a' is invalid for '--url <url>': the bridge is reached without TLS, by ws:// or "
                + "http://", usage: "bridgehead call"),
        Case(
            arguments: ["conformance"],
            error: "Please provide one of '--target <url>', '--self', '--app' or '--page <url>'.",
            usage: "bridgehead conformance"),
        Case(
            arguments: ["conformance", "--self", "--target", "ws://a"],
            error: "Please provide one of '--target <url>', '--self', '--app' or '--page <url>'.",
            usage: "bridgehead conformance"),
        Case(
            arguments: ["conformance", "--self", "--profile", "cor"],
            error: "The value 'cor' is invalid for '--profile <name>': the profiles are core, rpc, session, surface, "
                + "transport", usage: "bridgehead conformance"),
        Case(
            arguments: ["conformance", "--self", "--format", "xml"],
            error:
                "The value 'xml' is invalid for '--format <format>'. Please provide one of 'list', 'junit' or 'json'.",
            usage: "bridgehead conformance"),
        Case(
            arguments: ["conformance", "--self", "--timeout", "0"],
            error: "The value '0' is invalid for '--timeout <seconds>': it is above zero",
            usage: "bridgehead conformance"),
        Case(
            arguments: ["conformance", "--self", "--seed", "-1"],
            error: "The value '-1' is invalid for '--seed <number>': it is a whole number, and not negative",
            usage: "bridgehead conformance"),
        Case(
            arguments: ["conformance", "--app", "--seed", "1"], error: "'--seed' does not go with '--app'.",
            usage: "bridgehead conformance"),
        Case(
            arguments: ["conformance", "--app", "--bail"], error: "'--bail' does not go with '--app'.",
            usage: "bridgehead conformance"),
        Case(
            arguments: ["conformance", "--target", "unix://tmp/x"],
            error: "The value 'unix://tmp/x' is invalid for '--target <url>': after unix:// comes a whole path; the "
                + "relative one is unix:tmp/x", usage: "bridgehead conformance"),
        Case(
            arguments: ["conformance", "--target", "lines://127.0.0.1:1/x"],
            error: "The value 'lines://127.0.0.1:1/x' is invalid for '--target <url>': there are no paths over lines, "
                + "such as '/x'", usage: "bridgehead conformance"),
        .path("ws://127.0.0.1:1/ x"), .path("http://127.0.0.1:1/\u{E9}"), .path("ws://127.0.0.1:1/a?b c"),
        .path("http://127.0.0.1:1/\t", shown: "http://127.0.0.1:1/\\u{9}"),
        .path("ws://127.0.0.1:1?\u{7F}", shown: "ws://127.0.0.1:1?\\u{7f}"),
        .path("http://[::1]:1/\r\nX: y", shown: "http://[::1]:1/\\u{d}\\u{a}X: y"),
    ])
    func threeLinesAnd64(_ test: Case) async throws {
        let result = try await Tool.run(test.arguments)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        let lines = result.error.split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[0] == "Error: \(test.error)")
        #expect(lines[1].hasPrefix("Usage: \(test.usage) "))
        #expect(lines[2] == "  See '\(test.usage) --help' for more information.")
    }
}
