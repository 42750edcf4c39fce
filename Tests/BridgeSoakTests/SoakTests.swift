import Foundation
import Testing

/// The command itself, beside the test bundle in whatever folder this configuration was built into.
@Suite struct SoakTests {
    private static let executable: URL = {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let test = bundle ?? URL(filePath: CommandLine.arguments[0])
        return test.deletingLastPathComponent().appending(path: "BridgeSoak")
    }()

    private func run(_ arguments: [String]) throws -> (status: Int32, output: String, error: String) {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        let complained = try error.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: printed, as: UTF8.self),
            String(decoding: complained, as: UTF8.self)
        )
    }

    @Test func aShortRunAgrees() throws {
        let (status, output, error) = try run(["--sessions", "6", "--seconds", "4", "--seed", "7"])
        #expect(status == 0, "\(output)\(error)")
        #expect(output.hasSuffix("The ledgers agree.\n"))
        // What there is nothing of proves nothing.
        for part in ["sessions ", "answered ", "failed as asked ", "executed ", "ok "] {
            #expect(output.firstMatch(of: try Regex("\(part) *[1-9]")) != nil, "\(output)")
        }
    }

    @Test func helpIsPrinted() throws {
        let (status, output, error) = try run(["--help"])
        #expect(status == 0 && output.contains("USAGE: swift run -c release BridgeSoak") && error.isEmpty)
    }

    @Test(arguments: [
        ["--sessions"], ["--sessions", "1"], ["--sessions", "many"], ["--seconds", "0"], ["--seconds"],
        ["--seed", "-1"], ["--seed"], ["--serve"], ["--nonsense"], ["4"],
    ])
    func wrongUse(_ arguments: [String]) throws {
        let (status, output, error) = try run(arguments)
        #expect(status == 64 && output.isEmpty)
        #expect(error.hasPrefix("Error: ") && error.contains("USAGE:"), "\(error)")
    }
}
