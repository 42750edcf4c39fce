import Bridgehead

/// What a command line offers, as data: one tree describes the parser, the help and the suggestions.
struct Command: Sendable {
    /// The word that selects it; for the root, the program's name.
    let name: String
    let abstract: String
    /// Shown below the abstract: examples, as a user would type them.
    var discussion = ""
    var positionals: [Positional] = []
    var options: [Option] = []
    var subcommands: [Command] = []

    struct Positional: Sendable {
        let name: String
        var isRequired = true
        let help: String
    }

    struct Option: Sendable {
        /// Without dashes.
        let name: String
        /// What the placeholder in the help says; nil makes it a flag.
        var value: String?
        var repeats = false
        let help: String

        /// Whether it says where something is, which nothing at all does not.
        var isPath: Bool { ["file", "dir", "path"].contains(value) }
        /// `--port <port>`, as help and errors write it.
        var label: String { value.map { "--\(name) <\($0)>" } ?? "--\(name)" }
        /// `[--allow-host <name> ...]`
        var synopsis: String { repeats ? "[\(label) ...]" : "[\(label)]" }
    }
}

/// A command as it was found on the command line: the words that lead to it, for usage lines.
struct CommandPath: Sendable {
    let command: Command
    /// `bridgehead serve`
    let words: String

    init(root: Command) {
        command = root
        words = root.name
    }

    private init(command: Command, words: String) {
        self.command = command
        self.words = words
    }

    func subcommand(_ name: String) -> CommandPath? {
        command.subcommands.first { $0.name == name }.map { CommandPath(command: $0, words: "\(words) \(name)") }
    }
}

/// The values that a command line gave, by name, in the order given.
struct ParsedArguments: Sendable {
    var positionals: [String] = []
    var flags: Set<String> = []
    var values: [String: [String]] = [:]

    func has(_ flag: String) -> Bool { flags.contains(flag) }
    /// The last value of an option: as everywhere, a later one wins.
    func value(_ option: String) -> String? { values[option]?.last }
    func all(_ option: String) -> [String] { values[option] ?? [] }
}

/// A command line that cannot be understood: exit 64.
struct UsageError: Error {
    let message: String
    let path: CommandPath

    /// The three lines that standard error gets, in swift-argument-parser's form.
    var text: String {
        "Error: \(LogLine.printable(message))\nUsage: \(HelpText.synopsis(path))\n  See '\(path.words) --help' for more information.\n"
    }
}
