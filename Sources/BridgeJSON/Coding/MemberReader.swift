/// The keyed container of a ``ValueDecoder``. Keys are looked up by scalars.
struct MemberReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    let object: JSONObject

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name.string) } }

    func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

    /// The member, which must be there.
    @inline(__always)
    private func member(_ type: Any.Type, _ key: Key) throws -> JSON {
        guard let value = object[key.stringValue] else { throw decoder.missing(type, key: key) }
        return value
    }

    /// The member, unless it is missing or null.
    @inline(__always)
    private func present(_ key: Key) -> JSON? {
        guard let value = object[key.stringValue], !value.isNull else { return nil }
        return value
    }

    @inline(__always)
    private func integer<Integer: FixedWidthInteger>(_ key: Key) throws -> Integer {
        try decoder.integer(member(Integer.self, key), key: key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(JSON?.self, key).isNull }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder.bool(member(type, key), key: key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder.string(member(type, key), key: key)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder.double(member(type, key), key: key)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder.float(member(type, key), key: key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.decode(type, from: member(type, key), key: key)
    }

    // The defaults look each member up three times. These are the kinds that occur most.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try decoder.string($0, key: key) }
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try decoder.decode(type, from: $0, key: key) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.child(member(JSONObject.self, key), key: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.child(member([JSON].self, key), key: key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
        decoder.child(object["super"] ?? .null, key: PlaceKey.super)
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        decoder.child(object[key.stringValue] ?? .null, key: key)
    }
}

extension JSONObject {
    /// The same with names that a Swift `String` can say, U+FFFD for each lone surrogate.
    var namedByStrings: JSONObject {
        guard members.contains(where: { !$0.name.isWellFormed }) else { return self }
        var renamed = JSONObject()
        for member in members { renamed[JSONString(member.name.string)] = member.value }
        return renamed
    }
}
