import Foundation

/// Several runs of one figure.
struct Spread: Encodable, Sendable {
    var min: Double
    var median: Double
    var max: Double

    init(_ values: [Double]) {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        min = sorted.first ?? .nan
        max = sorted.last ?? .nan
        median =
            sorted.isEmpty
            ? .nan : sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    func text(_ digits: Int) -> String {
        "\(number(min, digits))–\(number(median, digits))–\(number(max, digits))"
    }
}

/// A figure of ours, beside its reference where it has one, and judged by its median where it has a target.
struct Result: Encodable, Sendable {
    /// A server's runs of one scenario, medians but for the CPU.
    struct Side: Encodable, Sendable {
        var cpuMicroseconds: Spread
        var requestsPerSecond: Double
        var p50Microseconds: Double
        var p99Microseconds: Double

        init(_ samples: [Sample]) {
            cpuMicroseconds = Spread(samples.map(\.cpu))
            requestsPerSecond = Spread(samples.map(\.rate)).median
            p50Microseconds = Spread(samples.map(\.p50)).median
            p99Microseconds = Spread(samples.map(\.p99)).median
        }

        var text: String {
            let columns = [
                number(cpuMicroseconds.median, 2), number(requestsPerSecond, 0), number(p50Microseconds, 0),
                number(p99Microseconds, 0),
            ]
            return zip(columns, [7, 9, 7, 7]).map { pad($0, left: $1) }.joined()
        }
    }

    var name: String
    /// Of `value`: a unit, or what it is a share of.
    var unit: String
    var value: Spread
    var target: Double?
    var ok: Bool?
    var ours: Side?
    var reference: Side?

    init(_ name: String, _ unit: String, _ values: [Double], target: Double? = nil) {
        self.name = name
        self.unit = unit
        value = Spread(values)
        self.target = target
        ok = target.map { value.median <= $0 }
    }

    static let header =
        pad("", 24) + pad("min–median–max", 20) + pad("unit", 16) + pad("target", 12)
        + "  CPU µs    req/s    p50    p99   (ours | reference, medians)"

    var row: String {
        let verdict = target.map { "≤ \(number($0, $0 < 2 ? 2 : 0)) \(ok == true ? "ok" : "OVER")" } ?? ""
        let digits = value.median < 10 ? 2 : 1
        let sides = [ours, reference].compactMap { $0?.text }.joined(separator: "  |")
        return pad(name, 24) + pad(value.text(digits), 20) + pad(unit, 16) + pad(verdict, 12) + sides
    }
}

private func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
}

private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 1))
}

private func pad(_ text: String, left width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 1)) + text
}
