/// A JSON value, as exact as the text it came from: numbers keep their digits, objects their member order,
/// strings their lone surrogates.
///
/// Two values are equal when they mean the same: numbers by exact decimal value (`1 == 1.0`), strings by Unicode
/// scalars (never by canonical equivalence), objects without regard to member order.
public enum JSON: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(JSONString)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    /// A string value.
    public init(_ string: String) {
        self = .string(JSONString(string))
    }

    /// A number value, exact for every width.
    public init(_ integer: some BinaryInteger) {
        self = .number(JSONNumber(integer))
    }

    /// A number value; `nil` for NaN and the infinities, which JSON cannot say.
    public init?(_ double: Double) {
        guard let number = JSONNumber(double) else { return nil }
        self = .number(number)
    }

    /// The string, with U+FFFD for lone surrogates; `nil` when this is no string.
    public var string: String? {
        if case .string(let string) = self { return string.string }
        return nil
    }

    /// The integer; `nil` when this is no number or one that `Int` cannot hold exactly. `1.0` and `1e2` are integers.
    public var int: Int? {
        if case .number(let number) = self { return number.int }
        return nil
    }

    /// The nearest double; `nil` when this is no number or one beyond a double's range.
    public var double: Double? {
        if case .number(let number) = self { return number.double }
        return nil
    }

    /// The number with its digits; `nil` when this is none.
    public var number: JSONNumber? {
        if case .number(let number) = self { return number }
        return nil
    }

    /// The boolean; `nil` when this is none (`1` and `0` are numbers).
    public var bool: Bool? {
        if case .bool(let bool) = self { return bool }
        return nil
    }

    /// The elements; `nil` when this is no array.
    public var array: [JSON]? {
        if case .array(let array) = self { return array }
        return nil
    }

    /// The members; `nil` when this is no object.
    public var object: JSONObject? {
        if case .object(let object) = self { return object }
        return nil
    }

    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The member of that name; `nil` when there is none or this is no object.
    public subscript(name: String) -> JSON? {
        if case .object(let object) = self { return object[name] }
        return nil
    }

    /// The element at that index; `nil` when there is none or this is no array.
    public subscript(index: Int) -> JSON? {
        if case .array(let array) = self, array.indices.contains(index) { return array[index] }
        return nil
    }

    /// The members, leaving `null` behind: then they are held once, and changing them copies nothing.
    package mutating func takeObject() -> JSONObject? {
        guard case .object(let object) = self else { return nil }
        self = .null
        return object
    }

    /// What kind of value this is, in the words that errors use.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) {
        self = .null
    }

    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    public init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }

    /// A literal beyond a double's range is `null`.
    public init(floatLiteral value: Double) {
        self = JSONNumber(value).map(JSON.number) ?? .null
    }

    public init(stringLiteral value: String) {
        self = .string(JSONString(value))
    }

    public init(arrayLiteral elements: JSON...) {
        self = .array(elements)
    }

    /// Of members with the same name the last one counts.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
}

extension JSON: CustomStringConvertible {
    /// The value as compact JSON text.
    public var text: String {
        var writer = JSONWriter()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    public var description: String { text }
}
