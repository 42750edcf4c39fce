/// The `Encoder` of one value. It writes text as it is told what there is, with no value in between. What may be told
/// later (nested containers, superclasses) is written apart, and put in its place when the value is finished.
final class ValueEncoder: Encoder {
    /// A value that is written apart.
    private struct Late {
        /// Where it belongs.
        let offset: Int
        /// `nil` for an element.
        let name: String?
        let encoder: ValueEncoder
    }

    private let parent: ValueEncoder?
    private let key: (any CodingKey)?
    private let depth: Int
    /// In memory of its own, because the exclusivity checks of a class's property cost more than most steps. This encoder's
    /// methods protect it: each is one step, or hands the writer on before it calls anything of the application's.
    private let text: UnsafeMutablePointer<ValueText>
    private var late: [Late] = []

    private init(parent: ValueEncoder?, key: (any CodingKey)?) {
        self.parent = parent
        self.key = key
        depth = parent.map { $0.depth + 1 } ?? 0
        text = .allocate(capacity: 1)
        text.initialize(to: ValueText())
    }

    deinit {
        text.deinitialize(count: 1)
        text.deallocate()
    }

    /// Writes a value; when that fails, what was written before is as it was.
    static func encode(_ value: some Encodable, into writer: inout JSONWriter) throws {
        do throws(Mismatch) {
            if try writer.writeSpecial(value, depth: 0) { return }
        } catch {
            throw invalid(value, error, path: [])
        }
        let encoder = ValueEncoder(parent: nil, key: nil)
        encoder.text.pointee.take(&writer)
        defer { encoder.text.pointee.giveBack(&writer) }
        try encoder.run(value)
    }

    /// Writes a member's or element's value. Its encoder has the writer meanwhile: no access to this one's is in progress
    /// while code of the application runs.
    private func encode(_ value: some Encodable, key: (any CodingKey)?) throws {
        do throws(Mismatch) {
            if try text.pointee.writeSpecial(value, depth: depth + 1) { return }
            guard depth < maximumCodingDepth else {
                throw Mismatch(expected: "at most \(maximumCodingDepth) levels of nesting", found: "more")
            }
        } catch {
            throw invalid(value, error, key: key)
        }
        let encoder = ValueEncoder(parent: self, key: key)
        text.pointee.lend(to: &encoder.text.pointee)
        defer { text.pointee.regain(from: &encoder.text.pointee) }
        try encoder.run(value)
    }

    private func run(_ value: some Encodable) throws {
        do {
            try value.encode(to: self)
            try finish()
        } catch {
            text.pointee.clear()
            throw error
        }
    }

    private func finish() throws {
        if !late.isEmpty {
            text.pointee.insert(
                try late.map { late in
                    try late.encoder.finish()
                    return (late.offset, late.encoder.text.pointee.writer.bytes)
                })
        }
        guard text.pointee.finish() else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(codingPath: codingPath, debugDescription: "Encoded as several kinds of value."))
        }
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var encoder: ValueEncoder? = self
        while let current = encoder {
            if let key = current.key { path.append(key) }
            encoder = current.parent
        }
        return path.reversed()
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        text.pointee.decide(.object)
        return KeyedEncodingContainer(MemberWriter(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        text.pointee.decide(.array)
        return ElementWriter(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    // MARK: What the containers do

    /// How many elements there are.
    var count: Int { text.pointee.count }

    @inline(__always)
    func set(_ write: (inout JSONWriter) -> Void) {
        text.pointee.set(write)
    }

    func set(_ value: some Encodable) throws {
        text.pointee.decide(.value)
        try encode(value, key: nil as PlaceKey?)
    }

    @inline(__always)
    func append(_ write: (inout JSONWriter) -> Void) {
        text.pointee.append(write)
    }

    func append(_ value: some Encodable) throws {
        let (end, key) = (text.pointee.end, PlaceKey.element(text.pointee.count))
        text.pointee.beginElement()
        try encode(value, key: key, orTakeBackTo: end)
    }

    @inline(__always)
    func set(_ key: some CodingKey, _ write: (inout JSONWriter) -> Void) {
        text.pointee.set(key.stringValue, write)
    }

    func set(_ key: some CodingKey, _ value: some Encodable) throws {
        let end = text.pointee.end
        text.pointee.beginMember(key.stringValue)
        try encode(value, key: key, orTakeBackTo: end)
    }

    private func encode(_ value: some Encodable, key: some CodingKey, orTakeBackTo end: Int) throws {
        do {
            try encode(value, key: key)
        } catch {
            text.pointee.takeBack(to: end)
            throw error
        }
    }

    func set(_ key: some CodingKey, _ double: Double) throws {
        guard double.isFinite else { throw invalid(double, .notFinite(double), key: key) }
        text.pointee.set(key.stringValue) { $0.write(finite: double) }
    }

    /// The encoder of a further element, which may be written to until this one is finished.
    func lateElement() -> ValueEncoder {
        let encoder = ValueEncoder(parent: self, key: PlaceKey.element(count))
        text.pointee.beginElement()
        late.append(Late(offset: text.pointee.end, name: nil, encoder: encoder))
        return encoder
    }

    /// The encoder of a member, which may be written to until this one is finished; the same one for the same key.
    func lateMember(_ key: any CodingKey) -> ValueEncoder {
        let name = key.stringValue
        if let same = late.first(where: { $0.name?.hasSameScalars(as: name) == true }) { return same.encoder }
        let encoder = ValueEncoder(parent: self, key: key)
        text.pointee.beginMember(name)
        late.append(Late(offset: text.pointee.end, name: name, encoder: encoder))
        return encoder
    }

    // MARK: Errors

    private func invalid(_ value: Any, _ mismatch: Mismatch, key: (any CodingKey)?) -> EncodingError {
        var path = codingPath
        if let key { path.append(key) }
        return Self.invalid(value, mismatch, path: path)
    }

    private static func invalid(_ value: Any, _ mismatch: Mismatch, path: [any CodingKey]) -> EncodingError {
        .invalidValue(
            value,
            EncodingError.Context(codingPath: path, debugDescription: mismatch.description, underlyingError: mismatch))
    }
}
