/// How often what happened.
package struct Tally: Sendable {
    private var counts: [String: [String: Int]] = [:]

    package init() {}

    package subscript(_ row: String, _ column: String) -> Int { counts[row]?[column] ?? 0 }

    private mutating func add(_ row: String, _ column: String) { counts[row, default: [:]][column, default: 0] += 1 }

    mutating func count(_ session: SessionLedger) {
        add("sessions", session.transport.rawValue)
        switch session.end {
        case .settled: add("ended", "settled")
        case .left: add("ended", "reloaded or left")
        case .cut: add("ended", "cut")
        case .stalled: add("ended", "given up as slow readers")
        case .drained: add("ended", "drained")
        case .broken: add("ended", "unexplained")
        }
    }

    mutating func count(_ record: Record, times: Int) {
        if record.kind.isNotification {
            add("notifications", times > 0 ? "executed" : "lost")
            return
        }
        switch record.answer {
        case nil: add("requests", times > 0 ? "lost (-32004), executed" : "lost (-32004), not executed")
        case .result: add("requests", "answered")
        case .wrong: add("requests", "answered wrongly")
        case .failure(-32000): add("requests", "refused by draining")
        case .failure(-32800): add("requests", "cancelled (-32800)")
        case .failure(-32600): add("requests", "refused as duplicates")
        case .failure(-32008): add("requests", "refused as too many")
        case .failure: add("requests", "failed as asked")
        }
    }

    mutating func count(call outcome: String) { add("calls to pages", outcome) }

    /// A line a row: its sum, then its columns, the largest first.
    package var table: String {
        ["sessions", "ended", "requests", "notifications", "calls to pages"].map { row in
            let columns = (counts[row] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let sum = columns.reduce(0) { $0 + $1.value }
            let name = row + String(repeating: " ", count: 16 - row.count)
            let total = String(repeating: " ", count: max(9 - "\(sum)".count, 0)) + "\(sum)"
            return name + total + "  " + columns.map { "\($0.key) \($0.value)" }.joined(separator: " · ")
        }.joined(separator: "\n")
    }
}
