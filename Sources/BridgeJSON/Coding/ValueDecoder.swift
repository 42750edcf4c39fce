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
    /// The value's members when it is an object.
    let object: JSONObject
    /// Where the next member is likely to be: types mostly ask in the order in which pages write.
    private var guess = 0
    /// Of the outermost decoder: where an error of the application's own came from.
    private(set) var failurePlace: FailurePlace?

    init(_ value: JSON, parent: ValueDecoder?, key: (any CodingKey)?) {
        self.value = value
        object = if case .object(let object) = value { object.namedByStrings } else { JSONObject() }
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
        guard case .object = value else { throw mismatch(JSONObject.self, value) }
        return KeyedDecodingContainer(MemberReader(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let items) = value else { throw mismatch([JSON].self, value) }
        return ElementReader(decoder: self, items: items)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Where the member of that name is.
    @inline(__always)
    func position(of name: String) -> Int? {
        guard let position = object.position(of: name, guess: guess) else { return nil }
        guess = position + 1
        return position
    }

    /// The member of that name.
    @inline(__always)
    func member(_ name: String) -> JSON? {
        position(of: name).map { object.members[$0].value }
    }

    /// The decoder of a member or element of this value.
    func child(_ value: JSON, key: any CodingKey) -> ValueDecoder {
        ValueDecoder(value, parent: self, key: key)
    }

    /// This decoder's value, as the special types have it or as the type itself does.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try special(type, value, { mismatch(type, value) }, otherwise: { try type.init(from: self) })
    }

    /// A member or element, as the special types have it or as the type itself does.
    func decode<Value: Decodable>(_ type: Value.Type, from value: JSON, key: some CodingKey) throws -> Value {
        try special(type, value, { mismatch(type, value, key: key) }) {
            guard depth < maximumCodingDepth else {
                let mismatch = Mismatch(expected: "at most \(maximumCodingDepth) levels of nesting", found: "more")
                throw DecodingError.dataCorrupted(context(mismatch, path: codingPath + [key]))
            }
            do {
                return try type.init(from: child(value, key: key))
            } catch {
                note(error, at: codingPath + [key])
                throw error
            }
        }
    }

    /// The types that JSON has rules of its own for, and those worth a short cut.
    @inline(__always)
    private func special<Value>(
        _ type: Value.Type, _ value: JSON, _ mismatch: () -> any Error, otherwise decode: () throws -> Value
    ) throws -> Value {
        // The casts are of a type to itself; `as?` would look that up each time.
        if type == String.self {
            guard let string = value.string else { throw mismatch() }
            return unsafeBitCast(string, to: type)
        }
        if type == Int.self {
            guard let integer: Int = value.integer() else { throw mismatch() }
            return unsafeBitCast(integer, to: type)
        }
        if type == Double.self {
            guard let double = value.double else { throw mismatch() }
            return unsafeBitCast(double, to: type)
        }
        if type == JSON.self { return unsafeBitCast(value, to: type) }
        if type == [String].self, let strings = strings(value) { return unsafeBitCast(strings, to: type) }
        guard type == Date.self || type == URL.self || type == Data.self || type == Decimal.self else {
            return try decode()
        }
        return try convert(value, mismatch)
    }

    /// Foundation's types. A method of its own: each use of one with an `Optional<Value>` in it looks that type up first.
    @inline(never)
    private func convert<Value>(_ value: JSON, _ mismatch: () -> any Error) throws -> Value {
        let converted: Any?
        if Value.self == Date.self {
            converted = value.string.flatMap(Date.init(iso8601:))
        } else if Value.self == URL.self {
            converted = value.string.flatMap { URL(string: $0) }
        } else if Value.self == Data.self {
            converted = value.string.flatMap { Data(base64Encoded: $0) }
        } else {
            converted = value.number.flatMap(Decimal.init(exactly:))
        }
        guard let converted = converted as? Value else { throw mismatch() }
        return converted
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

    // MARK: Errors

    private func note(_ error: any Error, at path: [any CodingKey]) {
        var outermost = self
        while let parent = outermost.parent { outermost = parent }
        outermost.failurePlace = .noting(error, at: path, after: outermost.failurePlace)
    }

    /// The error that this decoder's value is not of that type.
    func mismatch(_ type: Any.Type, _ value: JSON) -> DecodingError {
        mismatch(type, value, path: codingPath)
    }

    /// The error that a member or element is not of that type.
    func mismatch(_ type: Any.Type, _ value: JSON, key: some CodingKey) -> DecodingError {
        mismatch(type, value, path: codingPath + [key])
    }

    private func mismatch(_ type: Any.Type, _ value: JSON, path: [any CodingKey]) -> DecodingError {
        let context = context(Mismatch(expected: expectation(of: type, value), found: value.brief), path: path)
        if case .null = value { return .valueNotFound(type, context) }
        return .typeMismatch(type, context)
    }

    /// The error that a member is not there.
    func missing(_ type: Any.Type, key: some CodingKey) -> DecodingError {
        let found = "nothing: member `\(key.stringValue)` is missing"
        return .keyNotFound(
            key, context(Mismatch(expected: expectation(of: type), found: found), path: codingPath + [key]))
    }

    /// The error that an array has no more elements.
    func ended(_ type: Any.Type, index: Int) -> DecodingError {
        let found = "the end of the array: it has \(index) elements"
        return .valueNotFound(
            type,
            context(
                Mismatch(expected: expectation(of: type), found: found), path: codingPath + [PlaceKey.element(index)]))
    }

    private func context(_ mismatch: Mismatch, path: [any CodingKey]) -> DecodingError.Context {
        DecodingError.Context(codingPath: path, debugDescription: mismatch.description, underlyingError: mismatch)
    }
}

extension JSON {
    /// The integer, of whatever width the caller wants; `nil` when this is none or it does not fit.
    @inline(__always)
    func integer<Integer: FixedWidthInteger>() -> Integer? {
        if case .number(let number) = self { return number.integer(as: Integer.self) }
        return nil
    }

    var float: Float? {
        if case .number(let number) = self { return number.float }
        return nil
    }
}
