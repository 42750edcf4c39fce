#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The `Decoder` of one value. Its path is the chain of its parents, put together only for an error.
final class ValueDecoder: Decoder {
    let value: JSON
    private let parent: ValueDecoder?
    private let key: (any CodingKey)?
    private let depth: Int

    init(_ value: JSON, parent: ValueDecoder?, key: (any CodingKey)?) {
        self.value = value
        self.parent = parent
        self.key = key
        depth = parent.map { $0.depth + 1 } ?? 0
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var decoder: ValueDecoder? = self
        while let current = decoder {
            if let key = current.key { path.append(key) }
            decoder = current.parent
        }
        return path.reversed()
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else { throw mismatch(JSONObject.self, value, key: nil) }
        return KeyedDecodingContainer(MemberReader(decoder: self, object: object.namedByStrings))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let items) = value else { throw mismatch([JSON].self, value, key: nil) }
        return ElementReader(decoder: self, items: items)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The decoder of a member or element of this value.
    func child(_ value: JSON, key: any CodingKey) -> ValueDecoder {
        ValueDecoder(value, parent: self, key: key)
    }

    // MARK: Reading values. The key is that of a member or element of this decoder's value.

    func bool(_ value: JSON, key: (any CodingKey)?) throws -> Bool {
        guard case .bool(let bool) = value else { throw mismatch(Bool.self, value, key: key) }
        return bool
    }

    func string(_ value: JSON, key: (any CodingKey)?) throws -> String {
        guard case .string(let string) = value else { throw mismatch(String.self, value, key: key) }
        return string.string
    }

    func double(_ value: JSON, key: (any CodingKey)?) throws -> Double {
        guard case .number(let number) = value, let double = number.double else {
            throw mismatch(Double.self, value, key: key)
        }
        return double
    }

    func float(_ value: JSON, key: (any CodingKey)?) throws -> Float {
        guard case .number(let number) = value, let float = number.float else {
            throw mismatch(Float.self, value, key: key)
        }
        return float
    }

    func integer<Integer: FixedWidthInteger>(_ value: JSON, key: (any CodingKey)?) throws -> Integer {
        guard case .number(let number) = value, let integer = number.integer(as: Integer.self) else {
            throw mismatch(Integer.self, value, key: key)
        }
        return integer
    }

    /// This decoder's value, as the special types have it or as the type itself does.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let special = try special(type, value, key: nil) { return special }
        return try type.init(from: self)
    }

    /// A member or element, as the special types have it or as the type itself does.
    func decode<Value: Decodable>(_ type: Value.Type, from value: JSON, key: any CodingKey) throws -> Value {
        if let special = try special(type, value, key: key) { return special }
        guard depth < maximumCodingDepth else {
            let mismatch = Mismatch(expected: "at most \(maximumCodingDepth) levels of nesting", found: "more")
            throw DecodingError.dataCorrupted(context(mismatch, key: key))
        }
        return try type.init(from: child(value, key: key))
    }

    /// The types that JSON has rules of its own for, and those worth a short cut; `nil` for all others.
    @inline(__always)
    private func special<Value>(_ type: Value.Type, _ value: JSON, key: (any CodingKey)?) throws -> Value? {
        // The casts are of a type to itself; `as?` would look that up each time.
        if type == String.self { return unsafeBitCast(try string(value, key: key), to: type) }
        if type == Int.self { return unsafeBitCast(try integer(value, key: key) as Int, to: type) }
        if type == Double.self { return unsafeBitCast(try double(value, key: key), to: type) }
        if type == JSON.self { return unsafeBitCast(value, to: type) }
        if type == [String].self, let strings = strings(value) { return unsafeBitCast(strings, to: type) }
        return try foundation(type, value, key)
    }

    /// An array's elements when all are strings; else `nil`, and the usual way finds the error.
    private func strings(_ value: JSON) -> [String]? {
        guard case .array(let items) = value else { return nil }
        var strings: [String] = []
        strings.reserveCapacity(items.count)
        for item in items {
            guard case .string(let string) = item else { return nil }
            strings.append(string.string)
        }
        return strings
    }

    private func foundation<Value>(_ type: Value.Type, _ value: JSON, _ key: (any CodingKey)?) throws -> Value? {
        let converted: Any?
        if type == Date.self {
            converted = value.string.flatMap(Date.init(iso8601:))
        } else if type == URL.self {
            converted = value.string.flatMap { URL(string: $0) }
        } else if type == Data.self {
            converted = value.string.flatMap { Data(base64Encoded: $0) }
        } else if type == Decimal.self {
            converted = value.number.flatMap(Decimal.init(exactly:))
        } else {
            return nil
        }
        guard let converted = converted as? Value else { throw mismatch(type, value, key: key) }
        return converted
    }

    // MARK: Errors

    /// The error that a value is not of that type.
    func mismatch(_ type: Any.Type, _ value: JSON, key: (any CodingKey)?) -> DecodingError {
        let mismatch = Mismatch(expected: expectation(of: type, value), found: value.brief)
        if case .null = value { return .valueNotFound(type, context(mismatch, key: key)) }
        return .typeMismatch(type, context(mismatch, key: key))
    }

    /// The error that a member is not there.
    func missing(_ type: Any.Type, key: any CodingKey) -> DecodingError {
        let found = "nothing: member `\(key.stringValue)` is missing"
        return .keyNotFound(key, context(Mismatch(expected: expectation(of: type), found: found), key: key))
    }

    /// The error that an array has no more elements.
    func ended(_ type: Any.Type, index: Int) -> DecodingError {
        let found = "the end of the array: it has \(index) elements"
        return .valueNotFound(
            type, context(Mismatch(expected: expectation(of: type), found: found), key: PlaceKey.element(index)))
    }

    private func context(_ mismatch: Mismatch, key: (any CodingKey)?) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: codingPath + [key].compactMap(\.self), debugDescription: mismatch.description,
            underlyingError: mismatch)
    }
}
