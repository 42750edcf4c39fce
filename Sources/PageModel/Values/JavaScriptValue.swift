#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A value that leaves a page, or enters one: what WebKit's messages and results can hold, and nothing else.
///
/// As in WebKit, an object is its own enumerable string keys; those with the value `undefined` are left out, and a hole or
/// `undefined` in an array is `null`. What is a cycle in the page is none of these values, and fails; so does, either way,
/// what is nested deeper than 500 levels (over a connection, also what is deeper than its limit of nesting).
public enum JavaScriptValue: Hashable, Sendable {
    case undefined
    case null
    case bool(Bool)
    /// NaN, the infinities and −0 are kept.
    case number(Double)
    /// A lone surrogate is U+FFFD.
    case string(String)
    /// That of an invalid `Date` is NaN seconds from the reference date.
    case date(Date)
    case array([JavaScriptValue])
    case object(JavaScriptObject)

    /// Whether it is `undefined` or `null`.
    public var isNullish: Bool { self == .undefined || self == .null }
    /// Nil where this is none; a number is none.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// Nil where this is none.
    public var number: Double? { if case .number(let value) = self { value } else { nil } }
    /// A number that is a whole one and fits.
    public var int: Int? { number.flatMap(Int.init(exactly:)) }
    /// Nil where this is none.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// Nil where this is none.
    public var date: Date? { if case .date(let value) = self { value } else { nil } }
    /// Nil where this is none.
    public var array: [JavaScriptValue]? { if case .array(let value) = self { value } else { nil } }
    /// Nil where this is none.
    public var object: JavaScriptObject? { if case .object(let value) = self { value } else { nil } }

    /// The member of that name; nil where this is no object or has none.
    public subscript(key: String) -> JavaScriptValue? { object?[key] }

    /// The element; nil where this is no array or has none there.
    public subscript(index: Int) -> JavaScriptValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

/// The members of an object in a page, in its order. Names are compared scalar for scalar, as in a page.
public struct JavaScriptObject: Hashable, Sendable, Sequence {
    /// A name, and what is under it.
    public typealias Member = (name: String, value: JavaScriptValue)

    private var names: [String] = []
    private var values: [JavaScriptValue] = []
    /// A page can send very many.
    private var positions: [Name: Int] = [:]

    private struct Name: Hashable {
        var text: String

        static func == (left: Name, right: Name) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Without members.
    public init() {}

    /// Of the members.
    public var count: Int { names.count }

    /// The names, in order.
    public var keys: [String] { names }

    /// Setting nil takes the member away.
    public subscript(name: String) -> JavaScriptValue? {
        get { positions[Name(text: name)].map { values[$0] } }
        set {
            switch (positions[Name(text: name)], newValue) {
            case (let position?, let value?): values[position] = value
            case (let position?, nil):
                names.remove(at: position)
                values.remove(at: position)
                positions[Name(text: name)] = nil
                for later in position..<names.count { positions[Name(text: names[later])] = later }
            case (nil, let value?):
                positions[Name(text: name)] = names.count
                names.append(name)
                values.append(value)
            case (nil, nil): break
            }
        }
    }

    public func makeIterator() -> AnyIterator<Member> {
        var index = 0
        return AnyIterator {
            guard index < names.count else { return nil }
            defer { index += 1 }
            return (names[index], values[index])
        }
    }

    /// The same members, in whatever order.
    public static func == (left: JavaScriptObject, right: JavaScriptObject) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        // The same in whatever order.
        var sum = 0
        for (name, value) in self {
            var member = Hasher()
            member.combine(Name(text: name))
            member.combine(value)
            sum &+= member.finalize()
        }
        hasher.combine(sum)
    }
}

extension JavaScriptObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral members: (String, JavaScriptValue)...) {
        for (name, value) in members { self[name] = value }
    }
}

extension JavaScriptValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JavaScriptValue...) { self = .array(elements) }
    public init(dictionaryLiteral members: (String, JavaScriptValue)...) {
        var object = JavaScriptObject()
        for (name, value) in members { object[name] = value }
        self = .object(object)
    }
}
