import BridgeJSON

/// A limit that a vector tests on a target.
struct TestedLimit {
    /// How many there may be; of times, milliseconds.
    let value: Int
    private let kind: Kind

    private enum Kind {
        case time
        case bytes
        case count
        case connections
    }

    /// - Parameters:
    ///   - name: as in PROTOCOL.md, section 8.
    ///   - told: its value there; times are in seconds.
    init?(_ name: String, _ told: JSON) {
        guard let number = told.double, number > 0, number < 1e12 else { return nil }
        switch name {
        case _ where name.hasSuffix("Timeout") || name.hasSuffix("Interval"): kind = .time
        case "message", "requestLine", "headerBlock", "slowReader", "unreadOutput": kind = .bytes
        case "connections": kind = .connections
        default: kind = .count
        }
        value = Int(kind == .time ? number * 1_000 : number)
    }

    /// Whether the limit of that name is about time.
    static func isTime(_ name: String) -> Bool {
        name.hasSuffix("Timeout") || name.hasSuffix("Interval") || name == "unansweredPings"
    }

    /// Whether it can be reached, and seen to hold, within that time on any machine.
    func fits(_ timeout: Duration) -> Bool {
        let milliseconds = Int(timeout / .milliseconds(1))
        return switch kind {
        case .time: value * 3 <= milliseconds
        // Half a mebibyte a second: several vectors run at once, on targets that were not built for speed.
        case .bytes: value <= milliseconds * 512
        case .count: value <= milliseconds
        case .connections: value <= milliseconds / 20
        }
    }
}
