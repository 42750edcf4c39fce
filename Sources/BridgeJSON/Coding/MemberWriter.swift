/// The keyed container of a ``ValueEncoder``.
struct MemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.set(key) { $0.write(raw: "null") } }
    func encode(_ value: Bool, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: String, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: Double, forKey key: Key) throws { try encoder.set(key, value) }
    func encode(_ value: Int, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: Int8, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: Int16, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: Int32, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: Int64, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: Int128, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: UInt, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: UInt8, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: UInt16, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: UInt32, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: UInt64, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    func encode(_ value: UInt128, forKey key: Key) { encoder.set(key) { $0.write(value) } }
    // A float too, which JSON cannot always say.
    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.set(key, value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder.lateMember(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.lateMember(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.lateMember(PlaceKey.super) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.lateMember(key) }
}
