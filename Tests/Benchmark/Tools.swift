import Foundation

/// What is measured, and what it is measured with, as far as this machine has it.
struct Tools: Sendable {
    let bridgehead: URL
    let node: URL?
    let chromium: URL?
    /// Debian's place for `ws`.
    private let modules = "/usr/share/nodejs"
    private let folder = URL(filePath: #filePath).deletingLastPathComponent()

    init() throws(BenchmarkError) {
        let own = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments.first ?? "")
        bridgehead = own.deletingLastPathComponent().appending(path: "bridgehead")
        guard FileManager.default.isExecutableFile(atPath: bridgehead.path) else {
            throw BenchmarkError("\(bridgehead.path) is missing: swift build -c release")
        }
        node = Self.find("node")
        chromium = Self.find("chromium")
    }

    var hasNodeServer: Bool { node != nil && FileManager.default.fileExists(atPath: "\(modules)/ws/package.json") }

    func startBridgehead() throws -> ServerProcess {
        try ServerProcess(
            bridgehead, ["serve", "--port", "0", "--lines", "0", "--quiet", "--log-level", "error"])
    }

    func startNode() throws -> ServerProcess {
        guard let node else { throw BenchmarkError("node is not installed") }
        let script = folder.appending(path: "node-server.cjs").path
        return try ServerProcess(node, [script], environment: ["NODE_PATH": modules])
    }

    /// What the round trips inside Chromium took, microseconds a block.
    struct Trips: Decodable {
        var bridge: [Double]
        var bare: [Double]
    }

    func tripsInPage(blocks: Int, trips: Int) throws -> Trips {
        let process = Process()
        let output = Pipe()
        process.executableURL = node
        process.arguments = [folder.appending(path: "in-page.mjs").path, String(blocks), String(trips)]
        process.environment = ProcessInfo.processInfo.environment.merging(["BRIDGEHEAD": bridgehead.path]) { $1 }
        process.standardOutput = output
        try process.run()
        Children.add(process.processIdentifier)
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        Children.remove(process.processIdentifier)
        guard process.terminationStatus == 0 else { throw BenchmarkError("in-page.mjs failed") }
        return try JSONDecoder().decode(Trips.self, from: data)
    }

    private static func find(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { URL(filePath: "\($0)/\(name)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
