extension ValueDecoder: SingleValueDecodingContainer {
    @inline(__always)
    private func read<Value>(_ convert: (JSON) -> Value?) throws -> Value {
        guard let result = convert(value) else { throw mismatch(Value.self, value) }
        return result
    }

    func decodeNil() -> Bool { value.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try read { $0.bool } }
    func decode(_ type: String.Type) throws -> String { try read { $0.string } }
    func decode(_ type: Double.Type) throws -> Double { try read { $0.double } }
    func decode(_ type: Float.Type) throws -> Float { try read { $0.float } }
    func decode(_ type: Int.Type) throws -> Int { try read { $0.integer() } }
    func decode(_ type: Int8.Type) throws -> Int8 { try read { $0.integer() } }
    func decode(_ type: Int16.Type) throws -> Int16 { try read { $0.integer() } }
    func decode(_ type: Int32.Type) throws -> Int32 { try read { $0.integer() } }
    func decode(_ type: Int64.Type) throws -> Int64 { try read { $0.integer() } }
    func decode(_ type: Int128.Type) throws -> Int128 { try read { $0.integer() } }
    func decode(_ type: UInt.Type) throws -> UInt { try read { $0.integer() } }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try read { $0.integer() } }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try read { $0.integer() } }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try read { $0.integer() } }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try read { $0.integer() } }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try read { $0.integer() } }
}
