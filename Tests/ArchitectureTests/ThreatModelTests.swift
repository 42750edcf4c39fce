import Foundation
import Testing

/// Every line of the threat model names tests, and they are there.
@Suite struct ThreatModelTests {
    private struct Line {
        let number: Int
        /// File and name.
        let tests: [(file: String, name: String)]
    }

    private static func lines() throws -> [Line] {
        try SourceTree.text("web-fixtures/THREAT_MODEL.md").split(separator: "\n").compactMap { line in
            guard let match = line.firstMatch(of: /^\| M(\d+) \|/), let number = Int(match.1) else { return nil }
            let cells = line.split(separator: "|").map(String.init)
            var file = ""
            var tests: [(file: String, name: String)] = []
            for word in cells.last?.matches(of: /`([^`]+)`/).map({ String($0.1) }) ?? [] {
                if word.contains("/") { file = word } else { tests.append((file, word)) }
            }
            return Line(number: number, tests: cells.count == 4 ? tests : [])
        }
    }

    @Test func theLinesAreNumberedInOrder() throws {
        let numbers = try Self.lines().map(\.number)
        #expect(!numbers.isEmpty && numbers == Array(1...numbers.count))
    }

    @Test func everyLineNamesTestsThatExist() throws {
        for line in try Self.lines() {
            #expect(!line.tests.isEmpty, "M\(line.number) names no test, or its row has not four cells")
            for (file, name) in line.tests {
                let text = try? SourceTree.text(file)
                let declaration = file.hasSuffix(".py") ? "def \(name)(self" : "func \(name)("
                #expect(text?.contains(declaration) == true, "M\(line.number): \(file) has no \(name)")
            }
        }
    }
}
