/// The command line.
struct Options: Sendable {
    static let help = """
        OVERVIEW: Measure Bridgehead beside Node with ws, on loopback.

        USAGE: swift run -c release BridgeBenchmark [--rounds <n>] [--seconds <s>] [--only <name>] [--quick] [--json]

        OPTIONS:
          --rounds <n>    Interleaved runs of each side, 1 to 50. (default: 5)
          --seconds <s>   Length of a run, 0.1 to 30. (default: 1.5)
          --only <name>   Only what has this in its name, such as 'ws 50x16', 'idle', 'start', 'page', 'in-page'.
          --quick         2 rounds of half a second.
          --json          Print JSON instead of a table.
          -h, --help      Show help information.

        `bridgehead` is taken from the folder of this program: build it first, `swift build -c release`.
        Exit code: 0 measured, whether targets are met or not; 1 a server failed; 64 wrong use.
        """

    var rounds = 5
    var seconds = 1.5
    var only: String?
    var json = false
    var help = false

    init(_ arguments: [String]) throws(BenchmarkError) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--rounds":
                guard let value = rest.popFirst().flatMap({ Int($0) }), (1...50).contains(value) else {
                    throw BenchmarkError("--rounds takes a number from 1 to 50")
                }
                rounds = value
            case "--seconds":
                guard let value = rest.popFirst().flatMap({ Double($0) }), (0.1...30).contains(value) else {
                    throw BenchmarkError("--seconds takes a number from 0.1 to 30")
                }
                seconds = value
            case "--only":
                guard let value = rest.popFirst() else { throw BenchmarkError("--only takes a name") }
                only = value
            case "--quick": (rounds, seconds) = (2, 0.5)
            case "--json": json = true
            case "-h", "--help": help = true
            default: throw BenchmarkError("Unknown option '\(option)'")
            }
        }
    }

    func wants(_ name: String) -> Bool { only.map(name.contains) ?? true }
}
