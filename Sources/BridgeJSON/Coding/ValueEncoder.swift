#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The `Encoder` of one value, and what has been encoded of it so far.
final class ValueEncoder: Encoder {
    private enum Shape {
        case undecided, value, array, object
    }

    /// Where a nested container or a superclass puts its value when this one is finished.
    private enum Slot {
        case element(Int)
        case member(JSONString)
    }

    private let parent: ValueEncoder?
    private let key: (any CodingKey)?
    private let depth: Int

    private var shape = Shape.undecided
    private var isContradictory = false
    private var value = JSON.null
    private(set) var items: [JSON] = []
    private var object = JSONObject()
    private var late: [(slot: Slot, encoder: ValueEncoder)] = []

    init(parent: ValueEncoder?, key: (any CodingKey)?) {
        self.parent = parent
        self.key = key
        depth = parent.map { $0.depth + 1 } ?? 0
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var encoder: ValueEncoder? = self
        while let current = encoder {
            if let key = current.key { path.append(key) }
            encoder = current.parent
        }
        return path.reversed()
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        decide(.object)
        return KeyedEncodingContainer(MemberWriter(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        decide(.array)
        return ElementWriter(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// A value cannot be two things; `finish` reports one that tries to.
    private func decide(_ shape: Shape) {
        if self.shape == .undecided { self.shape = shape }
        if self.shape != shape { isContradictory = true }
    }

    // MARK: What the containers do

    func set(_ value: JSON) {
        decide(.value)
        self.value = value
    }

    func append(_ value: JSON) {
        items.append(value)
    }

    func set(_ value: JSON, for key: some CodingKey) {
        object.set(value, for: JSONString(key.stringValue))
    }

    /// The encoder of a further element, which may be written to until this one is finished.
    func lateElement() -> ValueEncoder {
        let index = items.count
        items.append(.null)
        return late(.element(index), key: PlaceKey.element(index))
    }

    /// The encoder of a member, which may be written to until this one is finished; the same one for the same key.
    func lateMember(_ key: any CodingKey) -> ValueEncoder {
        let name = JSONString(key.stringValue)
        if object[name] != nil {
            for case (.member(name), let encoder) in late { return encoder }
        }
        object[name] = .null
        return late(.member(name), key: key)
    }

    private func late(_ slot: Slot, key: any CodingKey) -> ValueEncoder {
        let encoder = ValueEncoder(parent: self, key: key)
        late.append((slot, encoder))
        return encoder
    }

    /// What was encoded; `{}` when nothing was.
    private func finish() throws -> JSON {
        guard !isContradictory else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: codingPath, debugDescription: "Encoded as several kinds of value."))
        }
        for (slot, encoder) in late {
            switch slot {
            case .element(let index): items[index] = try encoder.finish()
            case .member(let name): object[name] = try encoder.finish()
            }
        }
        switch shape {
        case .value: return value
        case .array: return .array(items)
        case .object, .undecided: return .object(object)
        }
    }

    // MARK: Making values. The key is that of a member or element of this encoder's value.

    /// A value, as the special types have it or as the type itself does.
    func encoded<Value: Encodable>(_ value: Value, key: (any CodingKey)?) throws -> JSON {
        if let special = try special(value, key: key) { return special }
        guard depth < maximumCodingDepth else {
            throw mismatch(value, "at most \(maximumCodingDepth) levels of nesting", found: "more", key: key)
        }
        let child = ValueEncoder(parent: self, key: key)
        try value.encode(to: child)
        return try child.finish()
    }

    func encoded(_ double: Double, key: (any CodingKey)?) throws -> JSON {
        guard let number = JSONNumber(double) else {
            throw mismatch(double, "a finite number", found: "\(double)", key: key)
        }
        return .number(number)
    }

    func encoded(_ float: Float, key: (any CodingKey)?) throws -> JSON {
        guard let number = JSONNumber(float) else {
            throw mismatch(float, "a finite number", found: "\(float)", key: key)
        }
        return .number(number)
    }

    /// The types that JSON has rules of its own for, and those worth a short cut; `nil` for all others.
    private func special<Value>(_ value: Value, key: (any CodingKey)?) throws -> JSON? {
        let type = Value.self
        // The casts are of a type to itself; `as?` would look that up each time.
        if type == String.self { return JSON(unsafeBitCast(value, to: String.self)) }
        if type == Int.self { return JSON(unsafeBitCast(value, to: Int.self)) }
        if type == Double.self { return try encoded(unsafeBitCast(value, to: Double.self), key: key) }
        if type == JSON.self { return unsafeBitCast(value, to: JSON.self) }
        if type == [String].self { return .array(unsafeBitCast(value, to: [String].self).map { JSON($0) }) }
        if type == Date.self, let date = value as? Date {
            guard let text = date.iso8601 else {
                throw mismatch(value, "a date within 100,000,000 days of 1970", found: "another", key: key)
            }
            return JSON(text)
        }
        if type == URL.self { return (value as? URL).map { JSON($0.absoluteString) } }
        if type == Data.self { return (value as? Data).map { JSON($0.base64EncodedString()) } }
        if type == Decimal.self, let decimal = value as? Decimal {
            guard !decimal.isNaN else { throw mismatch(value, "a number", found: "NaN", key: key) }
            return .number(JSONNumber(unchecked: decimal.description))
        }
        return nil
    }

    private func mismatch(_ value: Any, _ expected: String, found: String, key: (any CodingKey)?) -> EncodingError {
        let mismatch = Mismatch(expected: expected, found: found)
        return .invalidValue(
            value,
            EncodingError.Context(
                codingPath: codingPath + [key].compactMap(\.self), debugDescription: mismatch.description,
                underlyingError: mismatch))
    }
}
