import Foundation
import Synchronization
import Testing

/// The built `bridgehead`, run as a user runs it.
final class Tool: Sendable {
    enum Stream: Sendable { case output, error }

    struct Result: Sendable {
        var status: Int32
        var output: String
        var error: String
    }

    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    /// What only a wait meets that would never end, however slow the machine.
    static let patience = Duration.seconds(600)

    private let process: Mutex<Process>
    private let pipes: (output: Reader, error: Reader)
    private let ended = Latch<Int32>()
    let processID: Int32

    /// Beside the test bundle, in whatever folder this configuration was built into.
    static let executable: URL = {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let test = bundle ?? URL(filePath: CommandLine.arguments[0])
        return test.deletingLastPathComponent().appending(path: "bridgehead")
    }()

    /// With what sanitizers are told, where the tests run under one, for the tool is built for it too; and it has to leave
    /// nothing behind.
    private static let bareEnvironment: [String: String] = {
        var all = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        if let options = all["ASAN_OPTIONS"] { all["ASAN_OPTIONS"] = options + " detect_leaks=1" }
        return all.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    }()

    /// - Parameters:
    ///   - environment: added to a bare one, in which nothing of the machine's own shows.
    ///   - terminal: what takes the place of standard output, for tests of what people see.
    ///   - errorTerminal: what takes the place of standard error.
    ///   - executable: what starts it, if not it itself.
    ///   - firstSignal: sent as soon as something comes out.
    init(
        _ arguments: [String], environment: [String: String] = [:], input: String = "", terminal: Terminal? = nil,
        errorTerminal: Terminal? = nil, firstSignal: Int32? = nil, executable: URL = Tool.executable
    ) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = Self.bareEnvironment.merging(environment) { $1 }
        let (output, error, standardInput) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = terminal.map { FileHandle(fileDescriptor: $0.inside) as Any } ?? output
        process.standardError = errorTerminal.map { FileHandle(fileDescriptor: $0.inside) as Any } ?? error
        let ended = ended
        process.terminationHandler = { ended.set($0.terminationStatus) }
        try process.run()
        // The terminal ends for its reader when nobody holds this end any more.
        for terminal in [terminal, errorTerminal] { if let terminal { close(terminal.inside) } }
        processID = process.processIdentifier
        let begins = firstSignal.map { [processID] number in { @Sendable in _ = kill(processID, number) } }
        pipes = (
            Reader(
                terminal.map { FileHandle(fileDescriptor: $0.outside) } ?? output.fileHandleForReading, begins: begins),
            Reader(errorTerminal.map { FileHandle(fileDescriptor: $0.outside) } ?? error.fileHandleForReading)
        )
        self.process = Mutex(process)
        try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? standardInput.fileHandleForWriting.close()
    }

    deinit {
        process.withLock { if $0.isRunning { kill($0.processIdentifier, SIGKILL) } }
    }

    /// Runs it to its end.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: String = "",
        executable: URL = Tool.executable
    ) async throws -> Result {
        try await Tool(arguments, environment: environment, input: input, executable: executable).result()
    }

    /// Starts `serve` on a free port and waits until it listens.
    static func serve(
        _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> (tool: Tool, port: Int) {
        let tool = try Tool(["serve", "--port", "0"] + arguments, environment: environment)
        let line = try await tool.line { $0.hasPrefix("Listening on port ") }
        return (tool, try #require(Int(line.dropFirst("Listening on port ".count))))
    }

    /// The first line that was not handed out before and matches; waits for it.
    func line(_ stream: Stream = .output, where matches: @escaping @Sendable (String) -> Bool) async throws -> String {
        let reader = stream == .output ? pipes.output : pipes.error
        return try await awaiting("a line; standard output: \(self.text(.output)), error: \(self.text(.error))") {
            try await reader.line(where: matches)
        }
    }

    func signal(_ number: Int32) {
        kill(processID, number)
    }

    /// Waits for its end, which is forced when it does not come.
    func result() async throws -> Result {
        let processID = processID
        let overdue = Task {
            try await Task.sleep(for: Self.patience)
            Issue.record("\(processID) did not end")
            kill(processID, SIGKILL)
        }
        let status = await ended.value
        overdue.cancel()
        await pipes.output.end()
        await pipes.error.end()
        return Result(status: status, output: text(.output), error: text(.error))
    }

    /// What has come so far.
    func text(_ stream: Stream) -> String {
        (stream == .output ? pipes.output : pipes.error).text
    }

    /// Lets nobody read standard output any more.
    func closeOutput() {
        pipes.output.close()
    }
}

/// Fails a wait that would hang the tests.
func awaiting<T: Sendable>(
    _ what: @autoclosure @escaping @Sendable () -> String, _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
    try await withThrowingTaskGroup(of: T.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: Tool.patience)
            throw Tool.Missing(description: "gave up waiting for \(what())")
        }
        defer { group.cancelAll() }
        return try #require(try await group.next())
    }
}
