import BridgeWire

/// Reads a command line against a `Command` tree, by swift-argument-parser's rules: `--name value` and
/// `--name=value`, `--` ends the options, `-` alone is a positional, `--help` anywhere wins.
enum CommandLineParser {
    enum Outcome: Sendable {
        case run(CommandPath, ParsedArguments)
        case help(CommandPath)
        case version
    }

    static func parse(_ arguments: [String], root: Command) throws(UsageError) -> Outcome {
        var path = CommandPath(root: root)
        var rest = arguments[...]
        while !path.command.subcommands.isEmpty {
            guard let word = rest.first else { return .help(path) }
            if word == "help" { return try help(Array(rest.dropFirst()), path) }
            if let next = path.subcommand(word) {
                path = next
                rest = rest.dropFirst()
            } else if isHelp(word) {
                return .help(path)
            } else if word == "--version" {
                return .version
            } else if isOption(word) {
                throw unknownOption(word, path)
            } else {
                throw unexpected([word], path, candidates: path.command.subcommands.map(\.name) + ["help"])
            }
        }
        return try parse(rest, path)
    }

    private static func help(_ words: [String], _ root: CommandPath) throws(UsageError) -> Outcome {
        var path = root
        for word in words where !isHelp(word) {
            guard let next = path.subcommand(word) else {
                throw unexpected([word], root, candidates: path.command.subcommands.map(\.name))
            }
            path = next
        }
        return .help(path)
    }

    private static func parse(_ arguments: ArraySlice<String>, _ path: CommandPath) throws(UsageError) -> Outcome {
        let optionsEnd = arguments.firstIndex(of: "--") ?? arguments.endIndex
        if arguments[..<optionsEnd].contains(where: isHelp) { return .help(path) }
        if arguments[..<optionsEnd].contains("--version") { return .version }

        var result = ParsedArguments()
        var rest = arguments
        while let word = rest.popFirst() {
            if word == "--" {
                result.positionals += rest
                break
            }
            guard isOption(word) else {
                result.positionals.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let inline: String? = parts.count == 2 ? String(parts[1]) : nil
            guard let option = path.command.options.first(where: { "--\($0.name)" == parts[0] }) else {
                throw unknownOption(String(parts[0]), path)
            }
            if option.value == nil {
                guard inline == nil else {
                    throw UsageError(message: "The flag '--\(option.name)' takes no value", path: path)
                }
                result.flags.insert(option.name)
            } else if let inline {
                result.values[option.name, default: []].append(inline)
            } else if let next = rest.first, !isOption(next), next != "--" {
                result.values[option.name, default: []].append(next)
                rest = rest.dropFirst()
            } else {
                throw UsageError(message: "Missing value for '\(option.label)'", path: path)
            }
            if option.isPath, result.values[option.name]?.last == "" {
                throw UsageError(message: "The value of '\(option.label)' is empty", path: path)
            }
        }

        let positionals = path.command.positionals
        if result.positionals.count > positionals.count {
            throw unexpected(Array(result.positionals.dropFirst(positionals.count)), path, candidates: [])
        }
        if let missing = positionals.dropFirst(result.positionals.count).first(where: \.isRequired) {
            throw UsageError(message: "Missing expected argument '<\(missing.name)>'", path: path)
        }
        return .run(path, result)
    }

    private static func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

    /// `-` is standard input, and `-1` is a (bad) payload rather than an option nobody declared.
    private static func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), word != "-", word != "--" else { return false }
        return !(word.dropFirst().first?.isNumber ?? false)
    }

    private static func unknownOption(_ word: String, _ path: CommandPath) -> UsageError {
        // The dashes, which all of them have, make no two alike.
        let names = path.command.options.map(\.name) + ["help", "version"]
        let near = nearestNames(to: String(word.drop { $0 == "-" }), in: names).first
        let hint = near.map { ". Did you mean '--\($0.name)'?" } ?? ""
        return UsageError(message: "Unknown option '\(word)'\(hint)", path: path)
    }

    private static func unexpected(_ words: [String], _ path: CommandPath, candidates: [String]) -> UsageError {
        let list = words.map { "'\($0)'" }.joined(separator: ", ")
        let hint = nearestNames(to: words[0], in: candidates).first.map { ". Did you mean '\($0.name)'?" } ?? ""
        let message = words.count == 1 ? "Unexpected argument \(list)" : "\(words.count) unexpected arguments: \(list)"
        return UsageError(message: message + hint, path: path)
    }
}
