/// The unkeyed container of a ``ValueEncoder``.
struct ElementWriter: UnkeyedEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    func encodeNil() { encoder.append { $0.write(raw: "null") } }
    func encode(_ value: Bool) { encoder.append { $0.write(value) } }
    func encode(_ value: String) { encoder.append { $0.write(value) } }
    func encode(_ value: Int) { encoder.append { $0.write(value) } }
    func encode(_ value: Int8) { encoder.append { $0.write(value) } }
    func encode(_ value: Int16) { encoder.append { $0.write(value) } }
    func encode(_ value: Int32) { encoder.append { $0.write(value) } }
    func encode(_ value: Int64) { encoder.append { $0.write(value) } }
    func encode(_ value: Int128) { encoder.append { $0.write(value) } }
    func encode(_ value: UInt) { encoder.append { $0.write(value) } }
    func encode(_ value: UInt8) { encoder.append { $0.write(value) } }
    func encode(_ value: UInt16) { encoder.append { $0.write(value) } }
    func encode(_ value: UInt32) { encoder.append { $0.write(value) } }
    func encode(_ value: UInt64) { encoder.append { $0.write(value) } }
    func encode(_ value: UInt128) { encoder.append { $0.write(value) } }
    // A double and a float too, which JSON cannot always say.
    func encode(_ value: some Encodable) throws { try encoder.append(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.lateElement().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.lateElement().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.lateElement() }
}
