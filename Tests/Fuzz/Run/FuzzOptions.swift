/// The command line.
struct FuzzOptions {
    static let help = """
        OVERVIEW: Feed inputs that are nearly right to every codec, machine and server of Bridgehead.

        USAGE: BridgeFuzz [--target <name>]… [--count <n>] [--seed <n>] [--first <n>] [--seconds <s>] [--input <hex>]
               BridgeFuzz --target <name> --corpus <folder> [--count <n>]
               BridgeFuzz --target <name> --libfuzzer [<argument of libFuzzer>]…

        OPTIONS:
          --target <name>    One of those that --list names; may be repeated. (default: all but server)
          --list             Print the names of the targets.
          --count <n>        How many inputs in all, shared by the targets. (default: 100000)
          --seed <n>         What they are made from. (default: 1)
          --first <n>        The number of the first. (default: 0)
          --seconds <s>      End each target after that time.
          --input <hex>      Check this input alone.
          --corpus <folder>  Write the inputs there, a file each, and check none.
          --libfuzzer …      Let libFuzzer make the inputs; it takes the arguments that follow.
          -h, --help         Show help information.

        Exit code: 0 all hold; 1 one does not, and how to have it again is printed; 64 wrong use; 70 one never ended.
        """

    struct Mistake: Error { let reason: String }

    var targets: [String] = []
    var count = 100_000
    var seed: UInt64 = 1
    var first = 0
    var seconds: Double?
    var input: [UInt8]?
    var corpus: String?
    var libFuzzer: [String]?
    var lists = false
    var help = false

    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--target": targets.append(try Self.value(option, &rest) { $0 })
            case "--count": count = try Self.value(option, &rest) { Int($0).flatMap { $0 > 0 ? $0 : nil } }
            case "--seed": seed = try Self.value(option, &rest) { UInt64($0) }
            case "--first": first = try Self.value(option, &rest) { Int($0).flatMap { $0 >= 0 ? $0 : nil } }
            case "--seconds": seconds = try Self.value(option, &rest) { Double($0).flatMap { $0 > 0 ? $0 : nil } }
            case "--input": input = try Self.value(option, &rest) { [UInt8](hexadecimal: $0) }
            case "--corpus": corpus = try Self.value(option, &rest) { $0 }
            case "--libfuzzer":
                libFuzzer = Array(rest)
                rest = []
            case "--list": lists = true
            case "-h", "--help": help = true
            default: throw Mistake(reason: "Unknown option '\(option)'")
            }
        }
        if libFuzzer != nil || input != nil || corpus != nil, targets.count != 1 {
            throw Mistake(reason: "one --target, please")
        }
    }

    private static func value<Value>(
        _ option: String, _ rest: inout ArraySlice<String>, _ read: (String) -> Value?
    ) throws(Mistake) -> Value {
        guard let text = rest.popFirst(), let value = read(text) else {
            throw Mistake(reason: "\(option) wants a value that is one")
        }
        return value
    }
}
