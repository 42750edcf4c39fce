import BridgeJSON
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// `bridgehead conformance` as a user runs it. One vector is enough here; `--self` runs them all.
@Suite struct ConformanceTests {
    let folder: TemporaryFolder
    private static let vector = "echo-answers-the-payload"

    init() throws {
        folder = try TemporaryFolder()
    }

    private func conformance(_ arguments: String..., environment: [String: String] = [:]) async throws -> Tool.Result {
        try await Tool.run(["conformance"] + arguments, environment: environment)
    }

    private func conformance(of port: Int, _ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(
            ["conformance", "--target", "ws://127.0.0.1:\(port)", "--filter", Self.vector, "--timeout", "20"]
                + arguments)
    }

    /// A server whose echo is wrong.
    private func wrongServer(_ answer: String = #"{"n":2}"#) async throws -> (tool: Tool, port: Int) {
        try folder.write(#"{"conformance.echo": {"response": \#(answer)}}"#, to: "answers.json")
        return try await Tool.serve(["--answers", folder.path("answers.json"), "--quiet"])
    }

    @Test func aRightBridgePassesOverEveryTransport() async throws {
        let socket = folder.path("s")
        let (tool, port) = try await Tool.serve(["--lines", "0", "--unix", socket, "--quiet"])
        let lines = try #require(tool.text(.output).firstMatch(of: /Lines on port (\d+)/)?.1)
        let targets = [
            "ws": "ws://127.0.0.1:\(port)", "http": "http://127.0.0.1:\(port)", "lines": "lines://127.0.0.1:\(lines)",
            "unix": "unix:\(socket)",
        ]
        for (name, url) in targets {
            let result = try await conformance(
                "--target", url, "--filter", Self.vector, "--timeout", "20", "--seed", "5")
            #expect(result.status == 0)
            let output = result.output.split(separator: "\n")
            #expect(output.first == "✓ L1 \(Self.vector) (\(name))")
            #expect(output.dropFirst().first == "1 passed, 0 failed, 0 skipped")
            #expect(output.last?.hasSuffix("; seed 5") == true)
            #expect(result.error.isEmpty, "progress is for terminals")
        }
        withExtendedLifetime(tool) {}
    }

    /// All vectors, all transports, limits included: what others are held to holds here. What needs a browser is held
    /// where there is one for certain, in Tests/Browser.
    @Test func itsOwnBridgePassesEverything() async throws {
        let result = try await Tool.run(
            ["conformance", "--self", "--format", "json", "--timeout", "20"],
            environment: ["BROWSER_PATH": "/nonexistent/browser"])
        let json = try JSON(parsing: result.output)
        let vectors = json["vectors"]?.array ?? []
        let failed = vectors.filter { $0["state"] == "failed" }
        #expect(failed.isEmpty, "\(failed.map { "\($0["name"] ?? ""): \($0["failure"]?["message"] ?? "")" })")
        #expect(result.status == 0)
        let skipped = vectors.filter { $0["state"] == "skipped" }
        #expect(!skipped.isEmpty && skipped.allSatisfy { $0["reason"]?.string?.hasPrefix("No browser: ") == true })
        #expect(Set(vectors.compactMap { $0["transport"]?.string }) == ["ws", "http", "lines", "unix"])
        #expect(json["profiles"] == ["core", "rpc", "session", "surface", "transport"])
    }

    @Test func aFailureShowsTheRuleTheWireAndTheFirstDifference() async throws {
        let (tool, port) = try await wrongServer()
        let result = try await conformance(of: port)
        #expect(result.status == 1)
        let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines[0] == "× L1 \(Self.vector) (ws)")
        #expect(lines[1].hasPrefix("Rule L1: Every request gets exactly one terminal message"))
        #expect(lines[2].hasPrefix(#"⬆ {"eventName":"conformance.echo","requestId":"#))
        #expect(lines[3].hasPrefix(#"⬇ {"requestId":"#))
        #expect(lines[4].hasPrefix("Step 2: "))
        #expect(Array(lines[5...7]) == ["at       $.response.n", "expected 1", "got      2"])
        #expect(lines[8] == "0 passed, 1 failed, 0 skipped")
        withExtendedLifetime(tool) {}
    }

    /// One line of it, rewritten, and nothing left at the end.
    @Test func aPersonSeesHowFarItIs() async throws {
        let (server, port) = try await Tool.serve(["--quiet"])
        let tool = try Tool(
            [
                "conformance", "--target", "ws://127.0.0.1:\(port)", "--filter", "L2", "--format", "json", "--timeout",
                "20",
            ],
            errorTerminal: try Terminal())
        let result = try await tool.result()
        #expect(result.status == 0)
        #expect(result.error.firstMatch(of: /\r\u{1B}\[K1\/\d+ [^\r]+\r/) != nil, "\(result.error)")
        #expect(result.error.hasSuffix("\r\u{1B}[K"))
        #expect(!result.error.contains("\n"))
        _ = try JSON(parsing: result.output)
        withExtendedLifetime(server) {}
    }

    @Test func theSeedRepeatsARun() async throws {
        let (tool, port) = try await wrongServer()
        let first = try await conformance(of: port)
        let seed = try #require(first.output.firstMatch(of: /seed (\d+)\n/)?.1)
        #expect(try await conformance(of: port, "--seed", String(seed)).output == first.output)
        withExtendedLifetime(tool) {}
    }

    @Test func jsonHasRulesAndVectors() async throws {
        let (tool, port) = try await wrongServer()
        let result = try await conformance(of: port, "--format", "json")
        #expect(result.status == 1)
        let json = try JSON(parsing: result.output)
        #expect(json["target"] == JSON("ws://127.0.0.1:\(port)"))
        #expect(json["summary"] == ["passed": 0, "failed": 1, "skipped": 0])
        let rule = try #require(json["rules"]?.array?.first { $0["rule"] == "L1" })
        #expect(rule["state"] == "failed")
        #expect(rule["text"]?.string?.hasPrefix("Every request gets") == true)
        #expect(rule["vectors"]?.array?.contains(JSON(Self.vector)) == true)
        #expect(json["rules"]?.array?.first { $0["rule"] == "T1" }?["state"] == "untested")
        let vector = try #require(json["vectors"]?[0])
        #expect(json["vectors"]?.array?.count == 1)
        for (name, value) in [
            "name": Self.vector, "rule": "L1", "profile": "core", "transport": "ws", "state": "failed",
        ] {
            #expect(vector[name] == JSON(value))
        }
        let failure = try #require(vector["failure"])
        #expect(failure["step"] == 2 && failure["path"] == "$.response.n")
        #expect(failure["expected"] == 1 && failure["actual"] == 2)
        #expect(failure["wire"]?.array?.map { $0["direction"] }.prefix(2) == ["up", "down"])
        withExtendedLifetime(tool) {}
    }

    /// Whatever a target answers, control characters included.
    @Test func junitIsXML() async throws {
        let (tool, port) = try await wrongServer(#"{"n": "<&>\"' \u0000\u001b[31m\u007f\ufffe\ud800 ]]>\n"}"#)
        let result = try await conformance(of: port, "--format", "junit")
        #expect(result.status == 1)
        let document = JUnitDocument()
        let parser = XMLParser(data: Data(result.output.utf8))
        parser.delegate = document
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(document.elements.map(\.name) == ["testsuites", "testsuite", "testcase", "failure"])
        #expect(document.elements[0].attributes["failures"] == "1")
        #expect(document.elements[1].attributes["name"] == "core")
        #expect(document.elements[2].attributes["name"] == "\(Self.vector) (ws)")
        #expect(document.elements[2].attributes["classname"] == "core.L1")
        #expect(document.text.contains("$.response.n"))
        withExtendedLifetime(tool) {}
    }

    /// Vectors run side by side: what a suite says is the sum of its cases, and what the whole says that of its suites.
    @Test func junitTimesAreSums() async throws {
        let (tool, port) = try await Tool.serve(["--quiet"])
        let result = try await conformance(
            "--target", "ws://127.0.0.1:\(port)", "--filter", "wait", "--timeout", "20", "--format", "junit")
        #expect(result.status == 0)
        let document = JUnitDocument()
        let parser = XMLParser(data: Data(result.output.utf8))
        parser.delegate = document
        #expect(parser.parse())
        func milliseconds(_ name: String) -> [Int] {
            document.elements.filter { $0.name == name }.map { element in
                Int(((element.attributes["time"].flatMap(Double.init) ?? .nan) * 1_000).rounded())
            }
        }
        let cases = milliseconds("testcase").reduce(0, +)
        #expect(cases > 0)
        #expect(milliseconds("testsuite").reduce(0, +) == cases)
        #expect(milliseconds("testsuites") == [cases])
        withExtendedLifetime(tool) {}
    }

    /// Hundreds of vectors may need what a target does not have.
    @Test func theListGroupsWhatIsSkippedByItsReason() async throws {
        let (tool, port) = try await Tool.serve(["--lines", "0", "--quiet"])
        let lines = try #require(tool.text(.output).firstMatch(of: /Lines on port (\d+)/)?.1)
        let target = ["--target", "lines://127.0.0.1:\(lines)", "--profile", "transport", "--timeout", "20"]
        let result = try await Tool.run(["conformance"] + target)
        let skips = result.output.split(separator: "\n").filter { $0.contains("skipped: ") }
        let json = try JSON(parsing: try await Tool.run(["conformance", "--format", "json"] + target).output)
        let reasons = json["vectors"]?.array?.compactMap { $0["reason"]?.string } ?? []
        #expect(reasons.count > 100)
        let counts = Dictionary(grouping: reasons) { $0 }.map { "- \($1.count) skipped: \($0)" }
        #expect(Set(skips.map(String.init)) == Set(counts))
        #expect(skips.count < 10)
        withExtendedLifetime((tool, port)) {}
    }

    @Test func aSkippedLimitSaysWhy() async throws {
        let (tool, port) = try await Tool.serve(["--quiet"])
        let url = "ws://127.0.0.1:\(port)"
        let result = try await conformance("--target", url, "--filter", "D12", "--timeout", "20", "--format", "json")
        let skipped = try JSON(parsing: result.output)["vectors"]?.array?.compactMap { $0["reason"]?.string } ?? []
        #expect(!skipped.isEmpty)
        #expect(skipped.allSatisfy { $0.contains("does not fit in 20.0 seconds") }, "\(skipped)")
        withExtendedLifetime(tool) {}
    }

    @Test func aTargetThatSaysNothingOfItselfIsTestedForCore() async throws {
        let (tool, port) = try await Tool.serve(["--no-conformance", "--quiet"])
        let result = try await conformance(of: port, "--format", "json")
        #expect(
            result.error.contains(
                "does not answer 'conformance.profiles' with a list of profiles; this runs core alone"))
        #expect(try JSON(parsing: result.output)["profiles"] == ["core"])
        let named = try await conformance(of: port, "--profile", "core", "--profile", "rpc", "--format", "json")
        #expect(named.error.isEmpty)
        #expect(try JSON(parsing: named.output)["profiles"] == ["core", "rpc"])
        withExtendedLifetime(tool) {}
    }

    @Test func aClaimToAProfileThatIsNoneIsAWarning() async throws {
        try folder.write(#"{"conformance.profiles": {"response": ["core", "cor\u001be"]}}"#, to: "answers.json")
        let (tool, port) = try await Tool.serve(["--answers", folder.path("answers.json"), "--quiet"])
        let result = try await conformance(of: port, "--format", "json")
        #expect(result.status == 0)
        #expect(result.error == "Warning: The target claims the profile 'cor\\u{1b}e', which is none.\n")
        #expect(try JSON(parsing: result.output)["profiles"] == ["core"])
        withExtendedLifetime(tool) {}
    }

    @Test(arguments: [
        (#"[]"#, "claims no profile"), (#"["old"]"#, "claims no other profile"),
        (#"{"core": true}"#, "does not answer 'conformance.profiles' with a list of profiles"),
        (#"[1]"#, "does not answer 'conformance.profiles' with a list of profiles"),
    ])
    func whatATargetClaimsInVainIsSaid(_ answer: String, _ what: String) async throws {
        try folder.write(#"{"conformance.profiles": {"response": \#(answer)}}"#, to: "answers.json")
        let (tool, port) = try await Tool.serve(["--answers", folder.path("answers.json"), "--quiet"])
        let result = try await conformance(of: port, "--format", "json")
        let warnings = result.error.split(separator: "\n")
        #expect(warnings.last == "Warning: The target \(what); this runs core alone.")
        #expect(
            (warnings.first == "Warning: The target claims the profile 'old', which is none.")
                == (answer == #"["old"]"#))
        #expect(try JSON(parsing: result.output)["profiles"] == ["core"])
        withExtendedLifetime(tool) {}
    }

    /// `| head`: what the run has shown is its exit code all the same.
    @Test func whoStopsReadingGetsTheVerdict() async throws {
        for (answer, status) in [(#"{"n":1}"#, 0), (#"{"n":2}"#, 1)] as [(String, Int32)] {
            let (server, port) = try await wrongServer(answer)
            let tool = try Tool([
                "conformance", "--target", "ws://127.0.0.1:\(port)", "--filter", Self.vector, "--timeout", "20",
            ])
            tool.closeOutput()
            let result = try await tool.result()
            #expect(result.status == status)
            #expect(result.error.isEmpty)
            withExtendedLifetime(server) {}
        }
    }

    /// Of its own servers, and of the machine.
    @Test func tooFewDescriptorsAre71() async throws {
        let result = try await Tool.run(
            ["-c", #"ulimit -n 64; exec "$0" conformance --self --filter L3"#, Tool.executable.path()],
            executable: URL(filePath: "/bin/sh"))
        #expect(result.status == 71)
        #expect(result.output.isEmpty)
        #expect(
            result.error.firstMatch(of: /^Error: '--self' needs \d+ open files, and the limit \(ulimit -n\) is 64\.\n$/)
                != nil)
    }

    /// Most of a profile about bytes is skipped over lines: few that passed are not to look like all.
    @Test func thatMostWasSkippedIsSaidAtTheEnd() async throws {
        let (tool, _) = try await Tool.serve(["--lines", "0", "--quiet"])
        let lines = try #require(tool.text(.output).firstMatch(of: /Lines on port (\d+)/)?.1)
        let target = ["--target", "lines://127.0.0.1:\(lines)", "--timeout", "20"]
        func last(_ arguments: String...) async throws -> Substring? {
            try await Tool.run(["conformance"] + target + arguments).output.split(separator: "\n").last
        }
        let most = try await last("--profile", "transport")
        #expect(most?.hasPrefix("Most could not be tested over lines://127.0.0.1:\(lines). ") == true, "\(most ?? "")")
        #expect(try await last("--filter", Self.vector)?.hasPrefix("Profiles: ") == true)
        withExtendedLifetime(tool) {}
    }

    @Test(arguments: ["ws://127.0.0.1:1", "http://127.0.0.1:1", "lines://127.0.0.1:1", "unix:/nowhere/socket"])
    func whoIsNotThereIs69(_ url: String) async throws {
        let result = try await conformance("--target", url)
        #expect(result.status == 69)
        #expect(result.output.isEmpty)
        #expect(result.error.hasPrefix("Error: No bridge answers at \(url): "))
    }

    @Test func nothingToRunIsNoSuccess() async throws {
        let (tool, port) = try await Tool.serve(["--quiet"])
        let result = try await conformance("--target", "ws://127.0.0.1:\(port)", "--filter", "no such vector")
        #expect(result.status == 64)
        #expect(result.error.contains("'no such vector'"))
        withExtendedLifetime(tool) {}
    }
}

private final class JUnitDocument: NSObject, XMLParserDelegate {
    var elements: [(name: String, attributes: [String: String])] = []
    var text = ""

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append((name, attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
    }
}
