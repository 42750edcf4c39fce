import BridgeConformance
import Testing

/// The rules and their vectors.
@Suite struct CoverageTests {
    @Test func everyRuleHasAVector() throws {
        let shown = Set(try VectorFile.embedded().flatMap(\.vectors).map(\.rule))
        let missing = Rules.embedded.all.map(\.id).filter { !shown.contains($0) }
        #expect(missing.isEmpty, "rules without a vector: \(missing.joined(separator: ", "))")
    }

    @Test func everyVectorIsOfARuleThatExists() throws {
        let rules = Set(Rules.embedded.all.map(\.id))
        let strays = try VectorFile.embedded().flatMap(\.vectors).filter { !rules.contains($0.rule) }
        #expect(strays.isEmpty, "\(strays.map { "\($0.name): \($0.rule)" })")
    }

    /// A row that is not read is a rule that nobody looks at.
    @Test func everyNumberedRowIsARule() throws {
        let rules = Rules.embedded.all
        #expect(rules.count > 80)
        #expect(Set(rules.map(\.id)).count == rules.count)
        #expect(rules.allSatisfy { !$0.text.isEmpty })
    }
}
