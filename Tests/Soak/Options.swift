/// The command line.
struct Options: Sendable {
    static let help = """
        OVERVIEW: Load servers of their own processes while everything around them fails, then compare both sides' ledgers.

        USAGE: swift run -c release BridgeSoak [--sessions <n>] [--seconds <s>] [--seed <n>]

        OPTIONS:
          --sessions <n>  Sessions at a time, 2 to 500, over WebSocket, HTTP and lines. (default: 48)
          --seconds <s>   How long, 1 to 86400. (default: 60)
          --seed <n>      Of all that is chosen at random; which answers and faults meet is up to the machine. (default: made up)
          -h, --help      Show help information.

        One server runs from the beginning to the end; another is drained with SIGTERM and started again, over and over.
        Connections are cut at any byte, pages reload, readers stall. Every ten seconds all sessions end: then the server
        that stays has no session, handler or call left and no more descriptors than before, and its memory, given back
        what is free, is at most 5 MiB more than the first time, and 0.5 MiB more of it allocated.

        Exit code: 0 the ledgers agree; 1 they do not, or memory or descriptors are not back, and the lines that show it
        are printed with the seed; 64 wrong use; 69 a server did not start.
        """

    var sessions = 48
    var seconds = 60.0
    var seed = UInt64.random(in: 1...999_999)
    var help = false
    /// The ledger's path, in the server's process.
    var serve: String?

    struct WrongUse: Error {
        let reason: String
    }

    init(_ arguments: [String]) throws(WrongUse) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--sessions":
                guard let value = rest.popFirst().flatMap({ Int($0) }), (2...500).contains(value) else {
                    throw WrongUse(reason: "--sessions takes a number from 2 to 500")
                }
                sessions = value
            case "--seconds":
                guard let value = rest.popFirst().flatMap({ Double($0) }), (1...86_400).contains(value) else {
                    throw WrongUse(reason: "--seconds takes a number from 1 to 86400")
                }
                seconds = value
            case "--seed":
                guard let value = rest.popFirst().flatMap({ UInt64($0) }) else {
                    throw WrongUse(reason: "--seed takes a whole number")
                }
                seed = value
            case "--serve":
                guard let path = rest.popFirst() else { throw WrongUse(reason: "--serve takes the ledger's path") }
                serve = path
            case "-h", "--help": help = true
            default: throw WrongUse(reason: "Unknown option '\(option)'")
            }
        }
    }
}
