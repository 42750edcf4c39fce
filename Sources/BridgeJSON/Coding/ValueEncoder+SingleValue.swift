extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { set { $0.write(raw: "null") } }
    func encode(_ value: Bool) { set { $0.write(value) } }
    func encode(_ value: String) { set { $0.write(value) } }
    func encode(_ value: Int) { set { $0.write(value) } }
    func encode(_ value: Int8) { set { $0.write(value) } }
    func encode(_ value: Int16) { set { $0.write(value) } }
    func encode(_ value: Int32) { set { $0.write(value) } }
    func encode(_ value: Int64) { set { $0.write(value) } }
    func encode(_ value: Int128) { set { $0.write(value) } }
    func encode(_ value: UInt) { set { $0.write(value) } }
    func encode(_ value: UInt8) { set { $0.write(value) } }
    func encode(_ value: UInt16) { set { $0.write(value) } }
    func encode(_ value: UInt32) { set { $0.write(value) } }
    func encode(_ value: UInt64) { set { $0.write(value) } }
    func encode(_ value: UInt128) { set { $0.write(value) } }
    // A double and a float too, which JSON cannot always say.
    func encode(_ value: some Encodable) throws { try set(value) }
}
