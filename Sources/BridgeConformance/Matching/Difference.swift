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

    package var description: String {
        "\(path): expected \(expected?.text ?? "nothing"), got \(actual?.text ?? "nothing")"
    }
}

/// A vector asks for what cannot be done.
package struct StepFault: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
