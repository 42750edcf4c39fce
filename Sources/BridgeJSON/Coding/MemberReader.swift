/// The keyed container of a ``ValueDecoder``. Keys are looked up by scalars.
struct MemberReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { decoder.object.members.compactMap { Key(stringValue: $0.name.string) } }

    func contains(_ key: Key) -> Bool { decoder.member(key.stringValue) != nil }

    /// The member, which must be there.
    private func member(_ type: Any.Type, _ key: Key) throws -> JSON {
        guard let value = decoder.member(key.stringValue) else { throw decoder.missing(type, key: key) }
        return value
    }

    @inline(__always)
    private func read<Value>(_ key: Key, _ convert: (JSON) -> Value?) throws -> Value {
        guard let position = decoder.position(of: key.stringValue) else { throw decoder.missing(Value.self, key: key) }
        guard let result = convert(decoder.object.members[position].value) else {
            throw decoder.mismatch(Value.self, decoder.object.members[position].value, key: key)
        }
        return result
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(JSON?.self, key).isNull }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) { $0.bool } }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) { $0.string } }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) { $0.double } }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key) { $0.float } }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key) { $0.integer() } }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read(key) { $0.integer() } }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try read(key) { $0.integer() } }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try read(key) { $0.integer() } }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try read(key) { $0.integer() } }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try read(key) { $0.integer() } }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read(key) { $0.integer() } }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key) { $0.integer() } }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try read(key) { $0.integer() } }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try read(key) { $0.integer() } }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try read(key) { $0.integer() } }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try read(key) { $0.integer() } }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.decode(type, from: member(type, key), key: key)
    }

    // The defaults look each member up three times. These are the kinds that occur most.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let value = decoder.member(key.stringValue), !value.isNull else { return nil }
        guard let string = value.string else { throw decoder.mismatch(type, value, key: key) }
        return string
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let value = decoder.member(key.stringValue), !value.isNull else { return nil }
        return try decoder.decode(type, from: value, key: key)
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
        decoder.child(decoder.member("super") ?? .null, key: PlaceKey.super)
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        decoder.child(decoder.member(key.stringValue) ?? .null, key: key)
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
