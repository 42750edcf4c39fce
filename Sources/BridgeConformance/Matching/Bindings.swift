package import BridgeJSON

/// The values that placeholders have, while a vector runs.
package struct Bindings: Sendable {
    private var values: [String: JSON] = [:]
    private var ids: IDGenerator
    /// Of the vector's limit; milliseconds where it is a time.
    private let limit: Int?
    /// The target's authority.
    private let host: String

    package init(
        ids: IDGenerator = IDGenerator(seed: 0, vector: ""), limit: Int? = nil, host: String = "localhost",
        token: String? = nil
    ) {
        self.ids = ids
        self.limit = limit
        self.host = host
        values["token"] = token.map { JSON($0) }
    }

    package subscript(name: String) -> JSON? { values[name] }

    mutating func bind(_ name: String, to value: JSON) { values[name] = value }

    /// Forgets what has got a value since then: each round of a repetition has values of its own.
    mutating func forget(since earlier: Bindings) { values = earlier.values }

    /// An id that nothing else has.
    mutating func newID(isInteger: Bool = false) -> JSON { isInteger ? ids.nextInteger() : ids.nextString() }

    // MARK: Sending

    /// A value to be sent, with values in the place of placeholders.
    package mutating func fill(_ template: JSON) throws(StepFault) -> JSON {
        switch template {
        case .null, .bool, .number: return template
        case .string(let text):
            guard text.isWellFormed else { return template }
            if let placeholder = Placeholder(text.string) { return try value(placeholder) }
            return .string(try put(text))
        case .array(let elements):
            var filled: [JSON] = []
            for element in elements { filled.append(try fill(element)) }
            return .array(filled)
        case .object(let object):
            var filled = JSONObject()
            for member in object { filled[member.name] = try fill(member.value) }
            return .object(filled)
        }
    }

    /// A text, with the text of values in the place of placeholders.
    package mutating func put(_ text: JSONString) throws(StepFault) -> JSONString {
        guard text.isWellFormed, text.string.contains("{{") else { return text }
        var result = ""
        var rest = text.string[...]
        while let start = rest.firstRange(of: "{{") {
            result += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstRange(of: "}}"),
                let placeholder = Placeholder(rest[start.lowerBound..<end.upperBound])
            else {
                result += "{{"
                rest = rest[start.upperBound...]
                continue
            }
            let value = try value(placeholder)
            result += value.string ?? value.text
            rest = rest[end.upperBound...]
        }
        return JSONString(result + rest)
    }

    /// A number that is written, or made of the limit.
    package mutating func count(_ json: JSON) throws(StepFault) -> Int {
        guard let count = try fill(json).int, count >= 0 else { throw StepFault("\(json) is no count") }
        return count
    }

    private mutating func value(_ placeholder: Placeholder) throws(StepFault) -> JSON {
        switch placeholder {
        case .anything, .kind: throw StepFault("what is sent has to have a value")
        case .host: return JSON(host)
        case .limit(let operation):
            guard let limit else { throw StepFault("the vector names no limit") }
            return JSON(operation.apply(limit))
        case .name(let name, let isInteger):
            if let value = values[name] { return value }
            let id = newID(isInteger: isInteger)
            values[name] = id
            return id
        }
    }
}
