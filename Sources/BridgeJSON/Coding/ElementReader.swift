/// The unkeyed container of a ``ValueDecoder``.
struct ElementReader: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    let items: [JSON]
    private(set) var currentIndex = 0

    init(decoder: ValueDecoder, items: [JSON]) {
        self.decoder = decoder
        self.items = items
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { items.count }
    var isAtEnd: Bool { currentIndex >= items.count }

    /// Reads the next element and moves on, unless that fails.
    @inline(__always)
    private mutating func next<Value>(
        _ type: Any.Type, _ read: (JSON, PlaceKey) throws -> Value
    ) throws -> Value {
        guard !isAtEnd else { throw decoder.ended(type, index: currentIndex) }
        let value = try read(items[currentIndex], .element(currentIndex))
        currentIndex += 1
        return value
    }

    @inline(__always)
    private mutating func read<Value>(_ convert: (JSON) -> Value?) throws -> Value {
        guard !isAtEnd else { throw decoder.ended(Value.self, index: currentIndex) }
        guard let value = convert(items[currentIndex]) else {
            throw decoder.mismatch(Value.self, items[currentIndex], key: PlaceKey.element(currentIndex))
        }
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw decoder.ended(JSON?.self, index: currentIndex) }
        guard items[currentIndex].isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try read { $0.bool } }
    mutating func decode(_ type: String.Type) throws -> String { try read { $0.string } }
    mutating func decode(_ type: Double.Type) throws -> Double { try read { $0.double } }
    mutating func decode(_ type: Float.Type) throws -> Float { try read { $0.float } }
    mutating func decode(_ type: Int.Type) throws -> Int { try read { $0.integer() } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try read { $0.integer() } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try read { $0.integer() } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try read { $0.integer() } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try read { $0.integer() } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try read { $0.integer() } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try read { $0.integer() } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try read { $0.integer() } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try read { $0.integer() } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try read { $0.integer() } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try read { $0.integer() } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try read { $0.integer() } }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next(type) { [decoder] in try decoder.decode(type, from: $0, key: $1) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next(JSONObject.self) { [decoder] in try decoder.child($0, key: $1).container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([JSON].self) { [decoder] in try decoder.child($0, key: $1).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next(JSON.self) { [decoder] in decoder.child($0, key: $1) }
    }
}
