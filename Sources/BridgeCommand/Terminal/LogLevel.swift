import Bridgehead

/// The levels that `--log-level` takes. The bridge itself logs at four of them.
enum LogLevel: Int, CaseIterable, Sendable {
    case trace, debug, info, notice, warning, error, critical

    static let names = allCases.map { "\($0)" }

    init?(_ name: String) {
        guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = level
    }

    /// The lowest of the bridge's own levels that is shown; nil shows none.
    var minimum: BridgeLog.Level? {
        switch self {
        case .trace, .debug: .debug
        case .info: .info
        case .notice, .warning: .warning
        case .error: .error
        case .critical: nil
        }
    }
}
