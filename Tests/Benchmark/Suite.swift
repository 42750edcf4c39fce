import Foundation

/// Runs what is measured, ours and Node's in turns so that what else the machine does meets both.
struct Suite {
    let rounds: Int
    let time: Duration
    let load: Load

    private static let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()

    private func ours() throws -> ServerProcess {
        try ServerProcess(
            Self.folder.appending(path: "bridgehead").path, ["serve", "--port", "0", "--lines", "0", "--quiet"])
    }

    private func node() throws -> ServerProcess {
        try ServerProcess(
            "/usr/bin/env", ["node", Self.here.appending(path: "node-server.cjs").path],
            environment: ["NODE_PATH": "/usr/share/nodejs"])
    }

    func compare(_ scenario: Scenario, _ report: inout Report) async throws {
        let ours = try ours()
        defer { ours.stop() }
        let node = scenario.comparesWithNode ? try? node() : nil
        defer { node?.stop() }
        var row = Report.Comparison(name: scenario.name, target: scenario.target)
        for _ in 0..<rounds {
            row.ours.append(try await load.run(scenario, on: ours, for: time))
            if let node { row.node.append(try await load.run(scenario, on: node, for: time)) }
        }
        report.comparisons.append(row)
    }

    func idleMemory(_ report: inout Report) async throws {
        for count in [2000, 5000] {
            let server = try ours()
            defer { server.stop() }
            let scenario = Scenario(name: "idle", connections: count, depth: 1, message: Scenario.echo)
            for connection in try await load.connect(50, scenario, to: server) { await connection.close() }
            let before = server.residentMemory
            let connections = try await load.connect(count, scenario, to: server)
            for connection in connections { await connection.run() }
            for connection in connections { await connection.stop() }
            try await Task.sleep(for: .seconds(1))
            report.values.append(
                .init(
                    name: "idle memory, \(count) connections (KiB each)",
                    values: [(server.residentMemory - before) / Double(count)], target: 8))
            for connection in connections { await connection.close() }
        }
    }

    func start(_ report: inout Report) throws {
        var times: [Double] = []
        for _ in 0..<10 {
            let server = try ours()
            server.stop()
            times.append(server.startTime / .milliseconds(1))
        }
        report.values.append(.init(name: "start (ms)", values: times, target: 100))
    }

    /// What users feel: the bundled client in a page against a bare echo in the same page.
    func inPage(_ report: inout Report) throws {
        let server = try ours()
        defer { server.stop() }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["node", Self.here.appending(path: "in-page.mjs").path, "\(server.port)", "\(2 * rounds)"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return }
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard let blocks = try? JSONDecoder().decode([[String: Double]].self, from: data) else { return }
        let pairs = blocks.compactMap { block in block["client"].flatMap { c in block["bare"].map { (c, $0) } } }
        report.values.append(.init(name: "in-page round trip, client (µs)", values: pairs.map(\.0)))
        report.values.append(.init(name: "in-page round trip, bare echo (µs)", values: pairs.map(\.1)))
        report.values.append(.init(name: "in-page ratio", values: pairs.map { $0.0 / $0.1 }, target: 1.3))
    }
}
