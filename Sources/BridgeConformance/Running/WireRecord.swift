/// What went over the wire while a vector ran, for whoever has to find out why it failed.
package final class WireRecord {
    package struct Line: Hashable, Sendable {
        package enum Direction: String, Sendable {
            /// To the target: page → native.
            case up
            /// From the target: native → page.
            case down
            /// Neither: what happened to the connection.
            case note
        }

        package let direction: Direction
        /// Bytes that are no UTF-8 are U+FFFD here.
        package let text: String
    }

    /// Of what is long the beginning tells enough, and of a flood of lines the first ones.
    private static let longest = 4_096
    private static let mostLines = 1_000

    package private(set) var lines: [Line] = []

    package init() {}

    package func up(_ bytes: [UInt8]) { add(.up, Self.text(bytes)) }
    package func down(_ bytes: [UInt8]) { add(.down, Self.text(bytes)) }
    /// As words, where the bytes would say little: a frame, a status.
    package func up(_ words: String) { add(.up, words) }
    package func down(_ words: String) { add(.down, words) }
    package func note(_ words: String) { add(.note, words) }

    private func add(_ direction: Line.Direction, _ text: String) {
        guard lines.count < Self.mostLines else { return }
        lines.append(Line(direction: direction, text: text))
    }

    private static func text(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(longest), as: UTF8.self)
        return bytes.count > longest ? text + "… (\(bytes.count) bytes)" : text
    }
}
