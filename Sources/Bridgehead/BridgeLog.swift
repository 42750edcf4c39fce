/// Where the bridge says what happened. Costs one comparison where a level is off.
package struct BridgeLog: Sendable {
    package enum Level: Int, Sendable, Comparable {
        case debug, info, warning, error

        package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    package typealias Fields = [(key: String, value: String)]

    package enum Direction: Sendable {
        /// From the other side.
        case received
        /// To it.
        case sent
    }

    /// A message, as its JSON text; the bytes are valid during the call only.
    package typealias Traffic =
        @Sendable (_ session: String, _ direction: Direction, _ text: UnsafeRawBufferPointer) -> Void

    package typealias Write = @Sendable (Level, String, Fields) -> Void

    /// Sees every message of every session, in order, on the session's executor. Nil costs one comparison.
    package var traffic: Traffic?
    private let minimum: Level?
    private let write: Write

    /// - Parameter write: called from any thread; text may hold anything a page sent, escape it for where it goes.
    package init(minimum: Level, _ write: @escaping Write) {
        self.minimum = minimum
        self.write = write
    }

    private init() {
        minimum = nil
        write = { _, _, _ in }
    }

    package static let none = BridgeLog()

    package func callAsFunction(
        _ level: Level, _ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = []
    ) {
        if let minimum, level >= minimum { write(level, message(), fields()) }
    }
}
