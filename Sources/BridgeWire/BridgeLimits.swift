package import BridgeJSON

/// Every limit of the bridge (PROTOCOL.md, section 8), inclusive. Sizes are in bytes.
///
/// On the command line each is set by `--limit NAME=VALUE`, under the name it has here and in the answer to `$/hello`;
/// times are written in seconds there.
public struct BridgeLimits: Sendable, Hashable {
    /// One message, either way. WebSocket 1009, HTTP 413, lines −32600 and close; outgoing −32603.
    public var message = 16 << 20
    /// Arrays and objects inside one another (−32700).
    public var nesting = 512
    /// Elements of a JSON-RPC batch (−32600).
    public var batch = 1_000
    /// Requests of one session that are not yet answered (−32008). Notifications do not count; 64 times as many may be at
    /// work in all sessions together, and one more is dropped.
    public var inFlight = 1_024
    /// The request line of HTTP (414).
    public var requestLine = 8 << 10
    /// All header lines of a request (431).
    public var headerBlock = 32 << 10
    /// Header lines of a request, by number (431).
    public var headerFields = 100
    /// From the first byte of a request to the end of its head (408).
    public var headTimeout: Duration = .seconds(10)
    /// Without a byte of an expected body (408).
    public var bodyTimeout: Duration = .seconds(30)
    /// Without a request on a connection kept alive.
    public var idleTimeout: Duration = .seconds(60)
    /// Connections at a time (503).
    public var connections = 8_192
    /// Empty fragments of a WebSocket message in a row (1008).
    public var emptyFragments = 1_024
    /// Between two pings of a WebSocket.
    public var pingInterval: Duration = .seconds(20)
    /// Pings without an answer after which the peer counts as gone.
    public var unansweredPings = 2
    /// Output the peer has not read: the server stops reading from it above this.
    public var slowReader = 1 << 20
    /// Output the peer has not read, at most (1013).
    public var unreadOutput = 32 << 20
    /// After a fatal answer, input is discarded for at most this long so that the answer arrives.
    public var lingerTimeout: Duration = .seconds(2)

    /// The defaults.
    public init() {}

    /// Notifications, of all sessions, that handlers are at work on.
    package var notifications: Int { inFlight * 64 }

    /// Why `NAME=VALUE` was not taken.
    public struct AssignmentError: Error, Sendable, Hashable, CustomStringConvertible {
        /// What is wrong, with the name that was probably meant.
        public let description: String
    }

    /// Sets one limit from `NAME=VALUE`; times in seconds, with a fraction if wanted.
    public mutating func set(_ assignment: String) throws(AssignmentError) {
        guard let equals = assignment.firstIndex(of: "=") else {
            throw AssignmentError(description: "'\(assignment)' is not of the form NAME=VALUE")
        }
        let name = String(assignment[..<equals])
        let value = String(assignment[assignment.index(after: equals)...])
        guard let field = Self.fields.first(where: { $0.name == name }) else {
            let near = nearestNames(to: name, in: Self.fields.map(\.name)).map { "'\($0.name)'" }
            let hint = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
            throw AssignmentError(description: "there is no limit named '\(name)'\(hint)")
        }
        switch field.kind {
        case .count(let path):
            // The parser nests no deeper, whatever it is asked for.
            let highest = name == "nesting" ? JSON.highestMaximumDepth : 1 << 40
            guard let number = Int(value), number > 0, number <= highest else {
                throw AssignmentError(
                    description: "'\(name)' needs a whole number from 1 to \(highest), not '\(value)'")
            }
            self[keyPath: path] = number
        case .seconds(let path):
            guard let seconds = Double(value), seconds > 0, seconds <= 86_400 * 365 else {
                throw AssignmentError(
                    description: "'\(name)' needs a number of seconds, above zero and at most a year, not '\(value)'")
            }
            self[keyPath: path] = .seconds(seconds)
        }
    }

    /// The names, as `--limit` and `$/hello` use them, in the order of the documentation.
    public static var names: [String] { fields.map(\.name) }

    /// The whole table: the value of `limits` in the answer to `$/hello`.
    package var json: JSON {
        var object = JSONObject()
        for field in Self.fields {
            switch field.kind {
            case .count(let path):
                object[field.name] = JSON(self[keyPath: path])
            case .seconds(let path):
                let (seconds, attoseconds) = self[keyPath: path].components
                let value = Double(seconds) + Double(attoseconds) / 1e18
                object[field.name] = JSON(value) ?? .null
            }
        }
        return .object(object)
    }

    private struct Field: Sendable {
        enum Kind: Sendable {
            case count(any WritableKeyPath<BridgeLimits, Int> & Sendable)
            case seconds(any WritableKeyPath<BridgeLimits, Duration> & Sendable)
        }
        let name: String
        let kind: Kind
    }

    private static let fields: [Field] = [
        Field(name: "message", kind: .count(\.message)),
        Field(name: "nesting", kind: .count(\.nesting)),
        Field(name: "batch", kind: .count(\.batch)),
        Field(name: "inFlight", kind: .count(\.inFlight)),
        Field(name: "requestLine", kind: .count(\.requestLine)),
        Field(name: "headerBlock", kind: .count(\.headerBlock)),
        Field(name: "headerFields", kind: .count(\.headerFields)),
        Field(name: "headTimeout", kind: .seconds(\.headTimeout)),
        Field(name: "bodyTimeout", kind: .seconds(\.bodyTimeout)),
        Field(name: "idleTimeout", kind: .seconds(\.idleTimeout)),
        Field(name: "connections", kind: .count(\.connections)),
        Field(name: "emptyFragments", kind: .count(\.emptyFragments)),
        Field(name: "pingInterval", kind: .seconds(\.pingInterval)),
        Field(name: "unansweredPings", kind: .count(\.unansweredPings)),
        Field(name: "slowReader", kind: .count(\.slowReader)),
        Field(name: "unreadOutput", kind: .count(\.unreadOutput)),
        Field(name: "lingerTimeout", kind: .seconds(\.lingerTimeout)),
    ]
}
