import Foundation

/// One soak from its beginning to its end.
struct Run {
    /// What is shown of what does not agree.
    private static let shownFaults = 40

    let options: Options

    init(_ options: Options) { self.options = options }

    /// - Returns: whether all is as it should be. The table is printed, and what is not.
    func result() throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bridgehead-soak-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        Soak.write(
            "\(options.sessions) sessions at a time for \(options.seconds.formatted()) s, seed \(options.seed)")

        let executable = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        let fleet = try Fleet(executable: executable, folder: folder)
        var measurement = Measurement()
        let first = warmUp(fleet)
        measurement.ownDescriptorsBefore = Figures(process: "self")?.descriptors ?? 0
        measurement.descriptorsBefore = fleet.steady.figures?.descriptors ?? 0

        let workers = Workers("", options.sessions, seed: options.seed, fleet: fleet)
        workers.start()
        try soak(fleet, &measurement)
        let sessions = workers.finish()
        measurement.descriptorsAfter = settledDescriptors(of: fleet.steady, wanted: measurement.descriptorsBefore)
        // There are two servers again, as before.
        measurement.ownDescriptorsAfter = Figures(process: "self")?.descriptors ?? 0
        fleet.end()

        let comparison = Comparison(first + sessions, try fleet.ledger(), servers: fleet.servers.count)
        Soak.write(comparison.tally.table)
        Soak.write("servers         drained and started again \(fleet.servers.count - 2) times")
        Soak.write(measurement.table)
        return report(fleet.faults + comparison.faults + measurement.faults)
    }

    /// A session of each kind: what is made once, such as Dispatch's own descriptors, is made before it is counted.
    private func warmUp(_ fleet: Fleet) -> [SessionLedger] {
        let workers = Workers("warm-up-", 12, seed: options.seed, fleet: fleet)
        workers.start()
        Thread.sleep(forTimeInterval: 0.5)
        return workers.finish()
    }

    /// Watches the one server, and changes the other at random times.
    private func soak(_ fleet: Fleet, _ measurement: inout Measurement) throws {
        var random = SeededRandom(options.seed)
        let start = ContinuousClock.now
        func elapsed() -> Double { (ContinuousClock.now - start) / .seconds(1) }
        var next = Double.random(in: 0.5...2, using: &random)
        while elapsed() < options.seconds {
            Thread.sleep(forTimeInterval: min(0.5, max(options.seconds - elapsed(), 0)))
            measurement.add(fleet.steady.figures, at: elapsed())
            if elapsed() > next {
                try fleet.change()
                next = elapsed() + Double.random(in: 0.5...5, using: &random)
            }
        }
    }

    /// Connections that this side has closed are closed over there once the server comes to it.
    private func settledDescriptors(of server: ServerProcess, wanted: Int) -> Int {
        for _ in 0..<300 where (server.figures?.descriptors ?? 0) > wanted { Thread.sleep(forTimeInterval: 0.05) }
        return server.figures?.descriptors ?? 0
    }

    private func report(_ faults: [String]) -> Bool {
        if faults.isEmpty {
            Soak.write("The ledgers agree.")
            return true
        }
        Soak.write("\(faults.count) faults, seed \(options.seed):")
        for fault in faults.prefix(Self.shownFaults) { Soak.write("  \(fault)") }
        return false
    }
}
