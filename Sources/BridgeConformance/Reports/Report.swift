/// What a run showed.
package struct Report: Sendable {
    /// Where the target is, as it was named.
    package let target: String
    package let profiles: [Profile]
    /// nil: the run depends on none.
    package let seed: UInt64?
    package let duration: Duration
    package let results: [VectorResult]
    package let rules: [RuleState]

    package init(
        target: String, profiles: [Profile], seed: UInt64?, duration: Duration, results: [VectorResult],
        vectors: [Vector], rules: Rules = .embedded
    ) {
        self.target = target
        self.profiles = profiles
        self.seed = seed
        self.duration = duration
        self.results = results
        let byRule = Dictionary(grouping: results, by: \.vector.rule)
        let all = Dictionary(grouping: vectors, by: \.rule)
        self.rules = rules.all.map { rule in
            RuleState(
                rule: rule, vectors: all[rule.id, default: []].map(\.name),
                state: .init(byRule[rule.id, default: []]))
        }
    }

    package var counts: (passed: Int, failed: Int, skipped: Int) {
        results.reduce(into: (0, 0, 0)) { counts, result in
            switch result.outcome {
            case .passed: counts.0 += 1
            case .failed: counts.1 += 1
            case .skipped: counts.2 += 1
            }
        }
    }
}

/// A rule, the vectors that there are for it, and what the run says of it.
package struct RuleState: Sendable {
    package enum State: String, Sendable {
        case passed, failed, skipped
        /// None of its vectors was among those to run.
        case untested

        init(_ results: [VectorResult]) {
            self = .untested
            for result in results {
                switch (result.outcome, self) {
                case (.failed, _): self = .failed
                case (.passed, .untested), (.passed, .skipped): self = .passed
                case (.skipped, .untested): self = .skipped
                case (.passed, _), (.skipped, _): continue
                }
            }
        }
    }

    package let rule: Rules.Rule
    package let vectors: [String]
    package let state: State
}
