import BridgeSockets
import Foundation

/// `swift run -c release BridgeBenchmark`: what a request costs the server, beside Node with `ws` doing the same.
@main
struct Benchmark {
    static let usage = """
        OVERVIEW: Measure the server beside Node with `ws`, in runs that take turns.

        USAGE: BridgeBenchmark [--rounds <n>] [--seconds <s>] [--only <text>] [--json]

        OPTIONS:
          --rounds <n>    Runs of each scenario and server. (default: 5)
          --seconds <s>   Length of a run. (default: 1.5)
          --only <text>   Only what has this in its name.
          --json          Print JSON instead of tables.
          -h, --help      Show help information.

        Linux only: processor time comes from /proc. Needs a release build of bridgehead beside it, and
        for the comparisons Node with ws (Debian: node-ws) and Chromium; what is missing is left out.

        """

    static func main() async throws {
        var rounds = 5
        var seconds = 1.5
        var only = ""
        var isJSON = false
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--rounds": rounds = arguments.popFirst().flatMap { Int($0) } ?? rounds
            case "--seconds": seconds = arguments.popFirst().flatMap { Double($0) } ?? seconds
            case "--only": only = arguments.popFirst() ?? ""
            case "--json": isJSON = true
            case "-h", "--help":
                print(usage)
                return
            default:
                FileHandle.standardError.write(Data("Error: Unknown option '\(argument)'\n".utf8))
                exit(64)
            }
        }
        raiseDescriptorLimit()
        let suite = Suite(rounds: max(1, rounds), time: .seconds(seconds), load: Load(loop: try EventLoop()))
        var report = Report()
        for scenario in Scenario.all where only.isEmpty || scenario.name.contains(only) {
            try await suite.compare(scenario, &report)
        }
        if only.isEmpty || "idle memory".contains(only) { try await suite.idleMemory(&report) }
        if only.isEmpty || "start".contains(only) { try suite.start(&report) }
        if only.isEmpty || "in-page".contains(only) { try suite.inPage(&report) }
        print(isJSON ? try report.json() : report.table)
    }
}
