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

        // For the servers' processes. Of further arenas glibc does not give back what is free at their end, up to some MiB;
        // and what threads keep for their next allocation counts as allocated.
        setenv("GLIBC_TUNABLES", "glibc.malloc.arena_max=1:glibc.malloc.tcache_count=0", 1)
        let executable = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        let fleet = try Fleet(executable: executable, folder: folder)
        var sessions = warmUp(fleet)
        let before = fleet.steady.rest()
        var measurement = Measurement(before: before, load: Self.descriptors)
        var random = SeededRandom(options.seed)
        let phases = max(Int(options.seconds / Measurement.phase), 1)
        let start = ContinuousClock.now
        for phase in 1...phases {
            let workers = Workers("\(phase).", options.sessions, seed: random.next(), fleet: fleet)
            workers.start()
            try change(fleet, &random, until: start + .seconds(options.seconds) * phase / phases)
            sessions += workers.finish()
            let rest = fleet.steady.rest(like: before)
            measurement.add(rest)
            // What was waited for so long will not come.
            guard rest.isQuiet, rest.descriptors <= before.descriptors else { break }
        }
        let most = fleet.steady.figures?.most ?? 0
        fleet.end()

        let comparison = Comparison(sessions, try fleet.ledger(), servers: fleet.servers.count)
        Soak.write(comparison.tally.table)
        Soak.write("servers         drained and started again \(fleet.servers.count - 2) times")
        Soak.write(measurement.table(load: Self.descriptors, most: most))
        return report(fleet.faults + comparison.faults + measurement.faults(load: Self.descriptors))
    }

    /// A session of each kind: what is made once, such as Dispatch's own descriptors, is made before it is counted.
    private func warmUp(_ fleet: Fleet) -> [SessionLedger] {
        let workers = Workers("warm-up-", 12, seed: options.seed, fleet: fleet)
        workers.start()
        Thread.sleep(forTimeInterval: 0.5)
        return workers.finish()
    }

    /// Drains one of the servers at random times, until the time is over.
    private func change(_ fleet: Fleet, _ random: inout SeededRandom, until end: ContinuousClock.Instant) throws {
        while ContinuousClock.now < end {
            let pause = Double.random(in: 0.5...5, using: &random)
            Thread.sleep(forTimeInterval: min(pause, max((end - .now) / .seconds(1), 0)))
            if ContinuousClock.now < end { try fleet.change() }
        }
    }

    private static var descriptors: Int { Figures(process: "self")?.descriptors ?? 0 }

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
