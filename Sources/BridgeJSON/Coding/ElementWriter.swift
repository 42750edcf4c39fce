/// The unkeyed container of a ``ValueEncoder``.
struct ElementWriter: UnkeyedEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.items.count }

    private var key: PlaceKey { .element(count) }

    func encodeNil() { encoder.append(.null) }
    func encode(_ value: Bool) { encoder.append(.bool(value)) }
    func encode(_ value: String) { encoder.append(JSON(value)) }
    func encode(_ value: Double) throws { encoder.append(try encoder.encoded(value, key: key)) }
    func encode(_ value: Float) throws { encoder.append(try encoder.encoded(value, key: key)) }
    func encode(_ value: Int) { encoder.append(JSON(value)) }
    func encode(_ value: Int8) { encoder.append(JSON(value)) }
    func encode(_ value: Int16) { encoder.append(JSON(value)) }
    func encode(_ value: Int32) { encoder.append(JSON(value)) }
    func encode(_ value: Int64) { encoder.append(JSON(value)) }
    func encode(_ value: Int128) { encoder.append(JSON(value)) }
    func encode(_ value: UInt) { encoder.append(JSON(value)) }
    func encode(_ value: UInt8) { encoder.append(JSON(value)) }
    func encode(_ value: UInt16) { encoder.append(JSON(value)) }
    func encode(_ value: UInt32) { encoder.append(JSON(value)) }
    func encode(_ value: UInt64) { encoder.append(JSON(value)) }
    func encode(_ value: UInt128) { encoder.append(JSON(value)) }
    func encode(_ value: some Encodable) throws { encoder.append(try encoder.encoded(value, key: key)) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.lateElement().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.lateElement().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.lateElement() }
}
