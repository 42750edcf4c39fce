package import BridgeJSON

/// The first place in which what came is not what was expected.
package struct Difference: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: JSONPath
    /// nil: nothing, there.
    package let expected: JSON?
    package let actual: JSON?

    package init(path: JSONPath = JSONPath(), expected: JSON?, actual: JSON?) {
        self.path = path
        self.expected = expected
        self.actual = actual
    }

    /// Without what is too long for a report: of that, the beginning.
    var short: Difference { Difference(path: path, expected: expected?.short, actual: actual?.short) }

    package var description: String {
        "\(path): expected \(expected?.text ?? "nothing"), got \(actual?.text ?? "nothing")"
    }
}

extension JSON {
    fileprivate var short: JSON {
        let text = Array(text.utf8)
        return text.count > 4_096 ? JSON(showing: text) : self
    }

    /// Bytes in a difference: as text where they are, else in hexadecimal; the beginning of what is long.
    init(showing bytes: [UInt8]) {
        var beginning = bytes.prefix(1_000)
        // No half of a character.
        if bytes.count > beginning.count {
            while beginning.last.map({ $0 & 0xC0 == 0x80 }) ?? false { beginning.removeLast() }
            if beginning.last.map({ $0 >= 0xC0 }) ?? false { beginning.removeLast() }
        }
        let rest = bytes.count > beginning.count ? "… (\(bytes.count) bytes)" : ""
        if let text = String(validating: beginning, as: UTF8.self) {
            self = JSON(text + rest)
        } else {
            let hex = beginning.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            self = ["hex": JSON(hex + rest)]
        }
    }
}

/// A vector asks for what cannot be done.
package struct StepFault: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
