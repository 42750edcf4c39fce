import Foundation
import Testing

@Suite struct AnswersTests {
    let folder: TemporaryFolder
    var file: String { folder.path("answers.json") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func call(_ port: Int, _ arguments: String...) async throws -> Tool.Result {
        try await Tool.run(["call"] + arguments, environment: ["BRIDGEHEAD_PORT": "\(port)"])
    }

    @Test func answersGoBeforeSwiftHandlers() async throws {
        try folder.write(
            """
            {
              // Comments and trailing commas are tolerated.
              "$schema": "https://example.test/schema.json",
              "getDeviceInfo": { "response": { "system": "iOS" } },
              "signIn": { "response": true },
              "pay": { "error": { "code": 402, "message": "No money", "data": { "missing": 3 } }, },
              "quiet": {},
              "slow": { "response": "done", "delay": 90, "progress": [1, { "half": true }] },
              "turns": [ { "response": 1 }, { "error": { "code": 7, "message": "second" } }, { "response": 3 } ],
              "subtract": { "response": -1 },
            }
            """, to: "answers.json")
        let (tool, port) = try await Tool.serve(["--answers", file])
        _ = try await tool.line { $0.contains("answers loaded file=\(file) events=7") }
        #expect(try await call(port, "getDeviceInfo").output == "{\"system\":\"iOS\"}\n")
        #expect(try await call(port, "signIn").output == "true\n")
        #expect(try await call(port, "quiet").output == "null\n")
        let pay = try await call(port, "pay")
        #expect(pay.error == "Error: No money\n  code: 402\n  data: {\"missing\":3}\n")
        let slow = try await call(port, "slow")
        #expect(slow.output == "\"done\"\n")
        #expect(slow.error == "progress 1\nprogress {\"half\":true}\n")
        #expect(try await call(port, "subtract", "[1, 2]", "--json-rpc").output == "-1\n")
        for expected in ["1\n", "", "3\n", "3\n"] { #expect(try await call(port, "turns").output == expected) }
        #expect(try await call(port, "echo", "{\"a\":1}").output == "{\"a\":1}\n", "others are as they were")
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    /// Editors save in three ways: over the file, by renaming another over it, by removing it first.
    @Test func aSaveIsReadAgain() async throws {
        try folder.write(#"{"a": {"response": 0}}"#, to: "answers.json")
        let (tool, port) = try await Tool.serve(["--answers", file])
        #expect(try await call(port, "a").output == "0\n")

        try folder.write(#"{"a": {"response": 1}}"#, to: "answers.json")
        _ = try await tool.line { $0.contains("answers reloaded") && $0.contains("events=1") }
        #expect(try await call(port, "a").output == "1\n")

        try folder.write(#"{"a": {"response": 2}, "b": {"response": 22}}"#, to: "next")
        #expect(rename(folder.path("next"), file) == 0)
        _ = try await tool.line { $0.contains("answers reloaded") && $0.contains("events=2") }
        #expect(try await call(port, "a").output == "2\n")
        #expect(try await call(port, "b").output == "22\n")

        try FileManager.default.removeItem(atPath: file)
        #expect(try await call(port, "a").output == "2\n")
        try folder.write("{}", to: "answers.json")
        _ = try await tool.line { $0.contains("answers reloaded") && $0.contains("events=0") }
        #expect(try await call(port, "a").status == 1)
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    @Test func aBrokenSaveLeavesTheLastGoodOne() async throws {
        try folder.write(#"{"a": {"response": 0}}"#, to: "answers.json")
        let (tool, port) = try await Tool.serve(["--answers", file])
        try folder.write("{\n  \"a\": {\"respons\": 1}\n}", to: "answers.json")
        let line = try await tool.line(.error) { $0.contains("answers.json:2:9") }
        #expect(
            line.contains("unknown key \"respons\"; did you mean \"response\"?; the answers read before stay in force"))
        #expect(try await call(port, "a").output == "0\n")
        try folder.write(#"{"a": {"response": 1}}"#, to: "answers.json")
        _ = try await tool.line { $0.contains("answers reloaded") }
        #expect(try await call(port, "a").output == "1\n")
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    /// What may stand where the file was.
    enum Place: CaseIterable, Sendable {
        case nothing, folder, pipe, socket, linkToNothing, linkToItself

        var reason: String {
            switch self {
            case .nothing, .linkToNothing: "No such file or directory"
            case .folder: "Is a directory"
            case .pipe, .socket: "Not a regular file"
            case .linkToItself: "Too many levels of symbolic links"
            }
        }

        func take(_ path: String) throws {
            switch self {
            case .nothing: break
            case .folder: #expect(mkdir(path, 0o755) == 0)
            case .pipe: #expect(mkfifo(path, 0o600) == 0)
            case .socket: try makeSocketFile(path)
            case .linkToNothing: #expect(symlink("/nowhere/answers.json", path) == 0)
            case .linkToItself: #expect(symlink(path, path) == 0)
            }
        }
    }

    @Test(arguments: Place.allCases)
    func whatIsNoFileAnyMoreIsSaidOnceAndReadWhenItIsBack(_ place: Place) async throws {
        try folder.write(#"{"a": {"response": 0}}"#, to: "answers.json")
        let (tool, port) = try await Tool.serve(["--answers", file])
        #expect(rename(file, folder.path("aside")) == 0)
        try place.take(file)
        let warning = try await tool.line(.error) { $0.contains("answers.json") }
        let said = "Cannot read the answers file '\(file)': \(place.reason); the answers read before stay in force"
        #expect(warning.hasSuffix(" warning \(said)"))
        #expect(try await call(port, "a").output == "0\n")

        // The very file that was there before.
        if place == .folder { #expect(rmdir(file) == 0) }
        #expect(rename(folder.path("aside"), file) == 0)
        _ = try await tool.line { $0.contains("answers reloaded") }
        // In one step: a file that is seen half written is rightly complained of.
        try folder.write(#"{"a": {"response": 1}}"#, to: "aside")
        #expect(rename(folder.path("aside"), file) == 0)
        _ = try await tool.line { $0.contains("answers reloaded") }
        #expect(try await call(port, "a").output == "1\n")
        tool.signal(SIGTERM)
        let result = try await tool.result()
        #expect(result.status == 0)
        #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
    }

    @Test(arguments: Place.allCases)
    func whatIsNoFileIsAnErrorAtTheStart(_ place: Place) async throws {
        try place.take(file)
        let result = try await Tool.run(["serve", "--port", "0", "--answers", file])
        #expect(result.status == 66)
        #expect(result.error == "Error: Cannot read the answers file '\(file)': \(place.reason).\n")
        #expect(result.output.isEmpty)
    }

    /// Nobody but root reads everything.
    @Test(.enabled(if: geteuid() != 0))
    func permissionsThatComeBackAreSeen() async throws {
        try folder.write(#"{"a": {"response": 0}}"#, to: "answers.json")
        let (tool, _) = try await Tool.serve(["--answers", file])
        #expect(chmod(file, 0) == 0)
        _ = try await tool.line(.error) { $0.contains("Permission denied; the answers read before stay in force") }
        #expect(chmod(file, 0o600) == 0)
        _ = try await tool.line { $0.contains("answers reloaded") }
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        var text: String
        var error: String
        var testDescription: String { error }
    }

    @Test(arguments: [
        Broken(text: "[]", error: "1:1: the file must be an object: event name to answer"),
        Broken(
            text: "{\n  \"a\": {\n    \"response\": 1,\n    \"dely\": 3 }}",
            error: "4:5: unknown key \"dely\"; did you mean \"delay\"?"),
        Broken(text: "{\"a\": {\"zzzzzz\": 3}}", error: "1:8: unknown key \"zzzzzz\""),
        Broken(
            text: "{\"a\": [{}, {\"error\": {\"code\": 1, \"mesage\": \"x\"}}]}",
            error: "1:34: unknown key \"mesage\"; did you mean \"message\"?"),
        Broken(text: "{\"a\": 1}", error: "1:2: expected an object with response, error, delay, progress"),
        Broken(text: "{\"a\": []}", error: "1:2: the list of answers is empty"),
        Broken(
            text: "{\"a\": {\"response\": 1, \"error\": {\"code\": 1, \"message\": \"\"}}}",
            error: "1:23: an answer is a response or an error, not both"),
        Broken(text: "{\"a\": {\"error\": {\"message\": \"\"}}}", error: "1:8: an error needs a code"),
        Broken(text: "{\"a\": {\"error\": {\"code\": 1}}}", error: "1:8: an error needs a message"),
        Broken(
            text: "{\"a\": {\"error\": {\"code\": 2147483648, \"message\": \"\"}}}",
            error: "1:18: code must be a 32-bit integer"),
        Broken(
            text: "{\"a\": {\"delay\": -1}}", error: "1:8: delay must be a number of milliseconds, at most a day"),
        Broken(text: "{\"a\": {\"progress\": 1}}", error: "1:8: progress must be a list of values"),
        Broken(
            text: "{\"a\": {},\n  \"$/hello\": {}}",
            error: "2:3: \"$/hello\" is the protocol's own, which is never answered from a file"),
        Broken(
            text: "{\"$/x\": {}}", error: "1:2: \"$/x\" is the protocol's own, which is never answered from a file"),
        // A name that comes twice is a slip, wherever it is and however it is written.
        Broken(text: "{\"a\": {},\n  \"a\": {}, \"a\": {}}", error: "2:3: \"a\" is there already"),
        Broken(
            text: "{ // \"a\": {\n /* \"a\": \"*/ \"a\": {},\n \"\u{E9}\": {}, \"\\u0061\": 1}",
            error: "3:11: \"a\" is there already"),
        Broken(
            text: "{\"a\": [{\"response\": 1}, {\"response\": 2, \"response\": 3}]}",
            error: "1:41: \"response\" is there already"),
        Broken(
            text: #"{"a": {"response": {"a": "}\"", "b": [{"x": "x"}, {"x": 0}], "b": ":"}}}"#,
            error: "1:62: \"b\" is there already"),
    ])
    func whatIsWrongIsNamedWithItsPlace(_ broken: Broken) async throws {
        try folder.write(broken.text, to: "answers.json")
        let result = try await Tool.run(["serve", "--port", "0", "--answers", file])
        #expect(result.status == 65)
        #expect(result.error == "Error: \(file):\(broken.error)\n")
        #expect(result.output.isEmpty)
    }

    @Test func whatIsNoJSONIsNamedWithItsPlace() async throws {
        try folder.write("{\n  \"a\": {,}\n}", to: "answers.json")
        let result = try await Tool.run(["serve", "--port", "0", "--answers", file])
        #expect(result.status == 65)
        #expect(result.error.hasPrefix("Error: \(file):2:9: "))
    }
}

/// A file that is a socket, which nobody listens on.
private func makeSocketFile(_ path: String) throws {
    let descriptor = streamSocket(AF_UNIX)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    try #require(bound == 0)
}
