extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.bool(value)) }
    func encode(_ value: String) { set(JSON(value)) }
    func encode(_ value: Double) throws { set(try encoded(value, key: nil)) }
    func encode(_ value: Float) throws { set(try encoded(value, key: nil)) }
    func encode(_ value: Int) { set(JSON(value)) }
    func encode(_ value: Int8) { set(JSON(value)) }
    func encode(_ value: Int16) { set(JSON(value)) }
    func encode(_ value: Int32) { set(JSON(value)) }
    func encode(_ value: Int64) { set(JSON(value)) }
    func encode(_ value: Int128) { set(JSON(value)) }
    func encode(_ value: UInt) { set(JSON(value)) }
    func encode(_ value: UInt8) { set(JSON(value)) }
    func encode(_ value: UInt16) { set(JSON(value)) }
    func encode(_ value: UInt32) { set(JSON(value)) }
    func encode(_ value: UInt64) { set(JSON(value)) }
    func encode(_ value: UInt128) { set(JSON(value)) }
    func encode(_ value: some Encodable) throws { set(try encoded(value, key: nil)) }
}
