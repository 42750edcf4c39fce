// A failure in words, for people.

import BridgeJSON

extension VectorResult {
    /// Its name, and over what it was run.
    package var title: String { transport.map { "\(vector.name) (\($0))" } ?? vector.name }

    /// The wire as a person reads it: how it began, and what came before the end.
    package var shortWire: [WireRecord.Line] {
        let (first, last) = (10, 30)
        guard wire.count > first + last else { return wire }
        let left = WireRecord.Line(direction: .note, text: "\(wire.count - first - last) more")
        return wire.prefix(first) + [left] + wire.suffix(last)
    }
}

extension VectorResult.Failure {
    /// What happened, and the first difference.
    package var lines: [String] {
        let place = step.map { "Step \($0): " } ?? "Afterwards: "
        guard let difference else { return [place + message] }
        return [
            place + message, "at       \(difference.path)", "expected \(difference.expected?.text ?? "nothing")",
            "got      \(difference.actual?.text ?? "nothing")",
        ]
    }
}

extension WireRecord.Line {
    /// With the arrow of its direction.
    package var shown: String {
        switch direction {
        case .up: "⬆ \(text)"
        case .down: "⬇ \(text)"
        case .note: "· \(text)"
        }
    }
}
