/// Help in swift-argument-parser's layout: labels indented by two, their text at column 26, 80 columns wide.
enum HelpText {
    private static let textColumn = 26
    private static let width = 80

    static func render(_ path: CommandPath) -> String {
        let command = path.command
        var sections = [wrap("OVERVIEW: \(command.abstract)", indent: 0)]
        if !command.discussion.isEmpty { sections.append(command.discussion) }
        sections.append("USAGE: \(synopsis(path))")
        if !command.positionals.isEmpty {
            sections.append(section("ARGUMENTS:", command.positionals.map { ("<\($0.name)>", $0.help) }))
        }
        let common = [("--version", "Show the version."), ("-h, --help", "Show help information.")]
        sections.append(section("OPTIONS:", command.options.map { ($0.label, $0.help) } + common))
        if !command.subcommands.isEmpty {
            sections.append(section("SUBCOMMANDS:", command.subcommands.map { ($0.name, $0.abstract) }))
            sections.append("  See '\(path.words) help <subcommand>' for detailed help.")
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// `bridgehead call [--url <url>] <event> [<payload>]`; many options become `[<options>]`.
    static func synopsis(_ path: CommandPath) -> String {
        let command = path.command
        if !command.subcommands.isEmpty { return "\(path.words) <subcommand>" }
        let options = command.options.count > 12 ? ["[<options>]"] : command.options.map(\.synopsis)
        let positionals = command.positionals.map { $0.isRequired ? "<\($0.name)>" : "[<\($0.name)>]" }
        return ([path.words] + options + positionals).joined(separator: " ")
    }

    private static func section(_ title: String, _ rows: [(label: String, help: String)]) -> String {
        title + "\n" + rows.map(row).joined(separator: "\n")
    }

    private static func row(label: String, help: String) -> String {
        let padded = "  \(label)"
        let text = wrap(help, indent: textColumn)
        guard padded.count < textColumn else { return padded + "\n" + text }
        return padded + String(text.dropFirst(padded.count))
    }

    private static func wrap(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(margin + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        lines.append(margin + line)
        return lines.joined(separator: "\n")
    }
}
