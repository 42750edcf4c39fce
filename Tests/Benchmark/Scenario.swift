/// The transports that are loaded.
enum Wire: String, Sendable {
    case webSocket = "ws"
    case http
    case lines
}

/// What is asked: the demo's events, which the Node server knows too.
enum Work: String, Sendable {
    /// Untyped: the payload comes back.
    case echo
    /// Decoded into a struct, answered with another.
    case typed
    /// A page's greeting.
    case hello
}

/// A load: so many connections, each with so many requests in flight.
struct Scenario: Sendable {
    var wire = Wire.webSocket
    var work = Work.echo
    var connections: Int
    var inFlight: Int
    var textLength = 64
    /// The largest share of Node's CPU a request that is wanted.
    var target: Double?

    var name: String {
        let text = textLength >= 1024 ? " \(textLength / 1024) KiB" : ""
        return "\(wire.rawValue) \(connections)x\(inFlight)\(text) \(work.rawValue)"
    }

    static let all: [Scenario] = [
        Scenario(connections: 50, inFlight: 16, target: 0.25),
        Scenario(work: .typed, connections: 50, inFlight: 16, target: 0.25),
        Scenario(connections: 50, inFlight: 1, target: 0.8),
        Scenario(connections: 1000, inFlight: 1),
        Scenario(connections: 10, inFlight: 4, textLength: 4096, target: 0.5),
        Scenario(connections: 1, inFlight: 1),
        Scenario(wire: .lines, connections: 50, inFlight: 16),
        Scenario(wire: .lines, connections: 50, inFlight: 1),
        Scenario(wire: .http, connections: 50, inFlight: 16),
        Scenario(wire: .http, connections: 50, inFlight: 1),
    ]

    /// What is measured beside a crowd of idle connections.
    static let active = Scenario(connections: 50, inFlight: 1)

    /// What a page says when it connects.
    static let page = Scenario(work: .hello, connections: 1, inFlight: 1)
}
