package import BridgeJSON

extension Bindings {
    /// Compares what came with what is expected. Placeholders without a value get theirs, unless there is a difference.
    package mutating func match(_ expected: JSON, _ actual: JSON) throws(Difference) {
        var tentative = self
        try tentative.match(expected, actual, at: JSONPath())
        self = tentative
    }

    private mutating func match(_ expected: JSON, _ actual: JSON, at path: JSONPath) throws(Difference) {
        switch (expected, actual) {
        case (.string(let text), _):
            try match(text, actual, at: path)
        case (.array(let expected), .array(let actual)):
            for (index, element) in expected.enumerated() {
                guard index < actual.count else {
                    throw Difference(path: path.element(index), expected: element, actual: nil)
                }
                try match(element, actual[index], at: path.element(index))
            }
            guard actual.count == expected.count else {
                throw Difference(path: path.element(expected.count), expected: nil, actual: actual[expected.count])
            }
        case (.object(let expected), .object(let actual)):
            for member in expected where !member.name.equals(Placeholder.more) {
                guard let value = actual[member.name] else {
                    throw Difference(path: path.member(member.name), expected: member.value, actual: nil)
                }
                try match(member.value, value, at: path.member(member.name))
            }
            guard expected[Placeholder.more] == nil else { return }
            for member in actual where expected[member.name] == nil {
                throw Difference(path: path.member(member.name), expected: nil, actual: member.value)
            }
        default:
            guard expected.isWritten(as: actual) else {
                throw Difference(path: path, expected: expected, actual: actual)
            }
        }
    }

    private mutating func match(_ text: JSONString, _ actual: JSON, at path: JSONPath) throws(Difference) {
        var expected = JSON.string(text)
        var isMatch: Bool
        if text.isWellFormed, let placeholder = Placeholder(text.string) {
            switch placeholder {
            case .anything: isMatch = true
            case .kind(let kind): isMatch = kind.takes(actual)
            case .name(let name, _) where self[name] == nil:
                bind(name, to: actual)
                isMatch = true
            case .name, .limit, .host:
                expected = (try? fill(expected)) ?? expected
                isMatch = expected.isWritten(as: actual)
            }
        } else {
            if let filled = try? fill(expected) { expected = filled }
            isMatch = expected.isWritten(as: actual)
        }
        guard isMatch else { throw Difference(path: path, expected: expected, actual: actual) }
    }
}

extension JSON {
    /// Whether the two are the same text but for spaces, escapes and the order of members: `1` is not `1.0`.
    package func isWritten(as other: JSON) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left.text == right.text
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isWritten(as: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { member in right[member.name].map(member.value.isWritten) ?? false }
        default: false
        }
    }
}

extension JSONPath {
    func element(_ index: Int) -> JSONPath { JSONPath(elements + [.index(index)]) }
    func member(_ name: JSONString) -> JSONPath { JSONPath(elements + [.name(name)]) }
}
