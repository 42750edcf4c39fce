import WebFixtures

/// The numbered rules of PROTOCOL.md.
package struct Rules: Sendable {
    package struct Rule: Sendable {
        /// A letter and a number.
        package let id: String
        /// In Markdown.
        package let text: String
    }

    /// In the order of the text.
    package let all: [Rule]

    /// Reads `| L1 | … |`: the rows of the tables whose first cell is a letter and a number.
    package init(markdown: String) {
        all = markdown.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| "), line.hasSuffix(" |") else { return nil }
            let cells = line.dropFirst(2).dropLast(2).split(separator: " | ", maxSplits: 1)
            guard cells.count == 2, let letter = cells[0].first, letter.isASCII, letter.isUppercase,
                Int(cells[0].dropFirst()) != nil
            else { return nil }
            return Rule(id: String(cells[0]), text: String(cells[1]).replacing("\\|", with: "|"))
        }
    }

    /// Those of this release.
    package static let embedded = Rules(
        markdown: String(decoding: WebFixtures.contents("PROTOCOL.md") ?? [], as: UTF8.self))

    package func text(_ id: String) -> String? { all.first { $0.id == id }?.text }
}
