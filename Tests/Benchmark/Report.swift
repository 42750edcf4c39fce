import Foundation

/// Numbers with their spread, as a table or as JSON.
struct Report {
    struct Comparison {
        var name: String
        var target: Double?
        var ours: [RunResult] = []
        var node: [RunResult] = []

        /// Ours by Node's of the same round.
        var ratios: [Double] { zip(ours, node).map { $0.processorTime / $1.processorTime } }
    }

    struct Values {
        var name: String
        var values: [Double]
        var target: Double?
    }

    var comparisons: [Comparison] = []
    var values: [Values] = []

    var table: String {
        var lines = [
            row(["scenario", "CPU µs", "Node µs", "ratio min–median–max", "target", "", "req/s", "p50 µs", "p99 µs"])
        ]
        for item in comparisons {
            let ratio = Spread(item.ratios)
            lines.append(
                row([
                    item.name, number(Spread(item.ours.map(\.processorTime)).median),
                    item.node.isEmpty ? "" : number(Spread(item.node.map(\.processorTime)).median),
                    item.node.isEmpty ? "" : ratio.text, item.target.map(number) ?? "", verdict(ratio, item.target),
                    String(Int(Spread(item.ours.map(\.requestsPerSecond)).median)),
                    number(Spread(item.ours.map(\.p50)).median), number(Spread(item.ours.map(\.p99)).median),
                ]))
        }
        lines.append("")
        for item in values {
            let spread = Spread(item.values)
            lines.append(
                row(
                    [item.name, spread.text, item.target.map(number) ?? "", verdict(spread, item.target)],
                    widths: [42, 22, 8, 6]))
        }
        return lines.joined(separator: "\n")
    }

    func json() throws -> String {
        var object: [String: Any] = [:]
        for item in comparisons {
            object[item.name] = [
                "cpuMicroseconds": item.ours.map(\.processorTime),
                "nodeCPUMicroseconds": item.node.map(\.processorTime),
                "ratios": item.ratios, "requestsPerSecond": item.ours.map(\.requestsPerSecond),
                "p50": item.ours.map(\.p50), "p99": item.ours.map(\.p99),
            ]
        }
        for item in values { object[item.name] = item.values }
        let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .prettyPrinted])
        return String(decoding: data, as: UTF8.self)
    }

    private func verdict(_ spread: Spread, _ target: Double?) -> String {
        target.map { spread.median <= $0 ? "ok" : "over" } ?? ""
    }

    private func row(_ cells: [String], widths: [Int] = [20, 8, 8, 22, 7, 5, 8, 8, 8]) -> String {
        zip(cells, widths).map { cell, width in cell + String(repeating: " ", count: max(1, width - cell.count)) }
            .joined()
    }
}

/// Least, middle and greatest of some numbers.
private struct Spread {
    let sorted: [Double]

    init(_ values: [Double]) { sorted = values.sorted() }

    var median: Double { sorted.isEmpty ? .nan : sorted[sorted.count / 2] }
    var text: String { "\(number(sorted.first ?? .nan))–\(number(median))–\(number(sorted.last ?? .nan))" }
}

private func number(_ value: Double) -> String {
    String(format: value < 10 ? "%.2f" : "%.0f", value)
}
