import BridgeConformance
import Bridgehead

/// What a run prints: a list as it goes, or a document at its end; on a terminal, how far it is.
struct ConformanceOutput {
    private let console: Console
    private let format: ConformanceOptions.Format
    private let count: Int
    private var done = 0
    /// Results whose turn in the list has not come.
    private var waiting: [Int: VectorResult] = [:]
    private var next = 0
    /// How many are skipped for a reason: hundreds of lines would hide what is to be seen.
    private var skipped: [(reason: String, count: Int)] = []

    init(_ console: Console, _ format: ConformanceOptions.Format, count: Int) {
        self.console = console
        self.format = format
        self.count = count
    }

    mutating func take(_ index: Int, _ result: VectorResult) {
        done += 1
        waiting[index] = result
        clearProgress()
        while let result = waiting.removeValue(forKey: next) {
            next += 1
            if format == .list { list(result) }
        }
        if console.errorIsTerminal, done < count {
            console.write(raw: "\(done)/\(count) \(LogLine.printable(result.title).prefix(60))", to: .error)
        }
    }

    /// - Returns: what the report means for whoever started the run.
    func finish(_ report: Report) -> ExitCode {
        clearProgress()
        if Task.isCancelled {
            let count = report.results.count - report.results.count { $0.isInterrupted }
            console.write("Interrupted after \(count) of \(report.results.count) vectors.", to: .error)
        }
        switch format {
        case .list: summary(report)
        case .junit: console.write(report.junit)
        case .json: console.write(report.json.text)
        }
        return report.counts.failed == 0 ? .success : .failure
    }

    /// The line is the terminal's own: nothing of it is left.
    private func clearProgress() {
        if console.errorIsTerminal { console.write(raw: "\r\u{1B}[K", to: .error) }
    }

    // MARK: The list

    private mutating func list(_ result: VectorResult) {
        let style = console.outputStyle
        let name = "\(result.vector.rule) \(result.title)"
        switch result.outcome {
        case .passed:
            console.write("\(style.green("✓")) \(name)")
        // The failure, or the interruption, says it already.
        case .skipped(ConformanceRun.bailed), .skipped(VectorResult.interrupted): break
        case .skipped(let reason):
            if let index = skipped.firstIndex(where: { $0.reason == reason }) {
                skipped[index].count += 1
            } else {
                skipped.append((reason, 1))
            }
        case .failed(let failure):
            var lines = ["\(style.red("×")) \(name)"]
            if let rule = Rules.embedded.text(result.vector.rule) {
                lines.append("    Rule \(result.vector.rule): \(rule)")
            }
            lines += result.shortWire.map { "    \(arrow($0)) \(LogLine.cut(LogLine.printable($0.text), 2_000))" }
            lines += failure.lines.map { "    \(LogLine.cut(LogLine.printable($0), 2_000))" }
            console.write(lines.joined(separator: "\n"))
        }
    }

    private func arrow(_ line: WireRecord.Line) -> String {
        let style = console.outputStyle
        return switch line.direction {
        case .up: style.green("⬆")
        case .down: style.red("⬇")
        case .note: style.dim("·")
        }
    }

    private func summary(_ report: Report) {
        let style = console.outputStyle
        let counts = report.counts
        let passed = "\(counts.passed) passed"
        let failed = "\(counts.failed) failed"
        for (reason, count) in skipped {
            console.write("\(style.yellow("-")) \(count) skipped: \(LogLine.printable(reason))")
        }
        let seed = report.seed.map { "; seed \($0)" } ?? ""
        console.write(
            """

            \(style.green(passed)), \(counts.failed > 0 ? style.red(failed) : failed), \(counts.skipped) skipped
            Profiles: \(report.profiles.map(\.rawValue).joined(separator: ", "))\(seed)
            """)
        // A few that passed are no proof of the rest.
        guard skipped.reduce(0, { $0 + $1.count }) * 2 > report.results.count,
            let first = skipped.max(by: { $0.count < $1.count })
        else { return }
        let others = skipped.count - 1
        console.write(
            "Most could not be tested over \(report.target). \(first.count) of them: \(LogLine.printable(first.reason))"
                + (others == 0 ? "." : "; the others for the \(others) other reason\(others == 1 ? "" : "s") above."))
    }
}
