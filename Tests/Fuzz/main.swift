import Foundation

/// Runs what the command line asks for; returns the exit code.
func run(_ options: FuzzOptions) async throws -> Int32 {
    if options.help { return say(FuzzOptions.help) }
    if options.lists { return say((FuzzTarget.codecs.map(\.name) + ["server"]).joined(separator: "\n")) }
    let known = FuzzTarget.codecs.map(\.name) + ["server"]
    if let unknown = options.targets.first(where: { !known.contains($0) }) {
        throw FuzzOptions.Mistake(reason: "There is no target '\(unknown)'")
    }
    let server = options.targets.contains("server") ? try await ServerUnderFuzz() : nil
    let all = FuzzTarget.codecs + (server.map { [FuzzTarget.server($0)] } ?? [])
    let targets = options.targets.isEmpty ? all : all.filter { options.targets.contains($0.name) }
    if let target = targets.first {
        if let arguments = options.libFuzzer { return LibFuzzer.run(target, arguments) }
        if let folder = options.corpus { return try write(target, options, to: URL(filePath: folder)) }
        if let input = options.input {
            try target.check(input)
            return say("\(target.name): this input holds")
        }
    }
    let watch = InputWatch()
    var isFine = true
    var total = 0
    let start = ContinuousClock.now
    for target in targets {
        var run = FuzzRun(target)
        run.seed = options.seed
        run.first = options.first
        run.count = (options.count + targets.count - 1) / targets.count
        run.time = options.seconds.map { .seconds($0) }
        let before = ContinuousClock.now
        let outcome = await run.run(watch)
        _ = say("\(outcome)  (seed \(options.seed), from \(options.first), \(ContinuousClock.now - before))")
        total += outcome.count
        if outcome.fault != nil { isFine = false }
    }
    if let server { try server.checkHealth() }
    _ = say(
        "\(total) inputs held in \(ContinuousClock.now - start), \(ServerUnderFuzz.memory >> 20) MiB of memory at the end"
    )
    return isFine ? 0 : 1
}

func say(_ text: String) -> Int32 {
    // Not `print`, which keeps what goes to a file until the end.
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
    return 0
}

func write(_ target: FuzzTarget, _ options: FuzzOptions, to folder: URL) throws -> Int32 {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in options.first..<(options.first + options.count) {
        try Data(target.input(seed: options.seed, number: number)).write(to: folder.appending(path: "\(number)"))
    }
    return 0
}

do {
    exit(try await run(FuzzOptions(Array(CommandLine.arguments.dropFirst()))))
} catch let mistake as FuzzOptions.Mistake {
    FileHandle.standardError.write(Data("Error: \(mistake.reason)\n".utf8))
    exit(64)
} catch {
    FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
    exit(1)
}
