import Foundation
import Testing

/// The suites that need more than the Swift toolchain, so that plain `swift test` runs them where they can run
/// and says where they cannot. `Tests/run` installs what they need and runs them by themselves.
@Suite(.serialized) struct ExternalTests {
    @Test(.enabled(if: Tools.has("node"), "Node is not installed: Tests/run installs it"))
    func theClientUnderNode() async throws {
        try await Tools.run("client")
    }

    @Test(
        .enabled(
            if: Tools.has("node") && Tools.has("chromium") && Tools.hasPackages,
            "needs Node, Chromium and axe-core: Tests/run installs them"))
    func thePagesInChromium() async throws {
        try await Tools.run("browser")
    }

    @Test(.enabled(if: Tools.has("python3"), "Python is not installed"))
    func theEdges() async throws {
        try await Tools.run("edges")
    }

    @Test(.enabled(if: Tools.hasPackages, "needs clients from PyPI: Tests/run installs them"))
    func thirdPartyClients() async throws {
        try await Tools.run("third-party")
    }

    @Test(.enabled(if: Tools.has("node"), "Node is not installed: Tests/run installs it"))
    func theConformanceSuiteOnOtherBridges() async throws {
        try await Tools.run("conformance")
    }
}

private enum Tools {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func has(_ name: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// What comes from PyPI.
    static var hasPackages: Bool {
        FileManager.default.fileExists(atPath: root.appending(path: ".build/tests-venv/ready").path)
    }

    static func run(_ suite: String) async throws {
        let process = Process()
        process.executableURL = root.appending(path: "Tests/run")
        process.arguments = ["--no-skip", "--no-build", "--only", suite]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(String(decoding: printed, as: UTF8.self).suffix(4000))")
    }
}
