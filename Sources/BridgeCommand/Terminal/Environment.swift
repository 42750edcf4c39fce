import BridgeWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The environment variables the commands look at.
struct Environment: Sendable {
    /// Every name the product reads that begins with `BRIDGEHEAD_`.
    static let known = ["BRIDGEHEAD_PORT", "BRIDGEHEAD_TOKEN", "BRIDGEHEAD_LOG_LEVEL", "BRIDGEHEAD_BROWSER"]

    private let variables: [String: String]

    init(_ variables: [String: String] = ProcessInfo.processInfo.environment) {
        self.variables = variables
    }

    /// The value of a variable; nil when it is not set or empty.
    subscript(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// All of them as `NAME=value`, for a program to be started.
    var assignments: [String] { variables.map { "\($0.key)=\($0.value)" } }

    /// Playwright's order: `FORCE_COLOR=0` and `false` are off, any other value of it is on, then `NO_COLOR`
    /// is off, then it is whether somebody looks at a terminal.
    func usesColor(onTerminal isTerminal: Bool) -> Bool {
        if let force = self["FORCE_COLOR"] { return force != "0" && force != "false" }
        if self["NO_COLOR"] != nil { return false }
        return isTerminal && self["TERM"] != "dumb"
    }

    /// One warning for each `BRIDGEHEAD_…` that nothing reads, so that a typo is not silence.
    var warnings: [String] {
        let prefix = "BRIDGEHEAD_"
        // What all of them have in common makes no two alike.
        let names = Self.known.map { String($0.dropFirst(prefix.count)) }
        return variables.keys.filter { $0.hasPrefix(prefix) && !Self.known.contains($0) }.sorted().map { name in
            let near = nearestNames(to: String(name.dropFirst(prefix.count)), in: names).first
            let hint = near.map { " Did you mean \(prefix)\($0.name)?" } ?? ""
            return "The environment variable \(name) is not known.\(hint)"
        }
    }
}
