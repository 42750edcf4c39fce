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

    private struct State {
        var text = ValueText()
        var late: [Late] = []
    }

    private let parent: ValueEncoder?
    private let key: (any CodingKey)?
    private let depth: Int
    /// Unchecked, because the exclusivity checks of a class's property cost more than most steps. This encoder's methods protect
    /// it: each is one step, or hands the writer on before it calls anything of the application's.
    @exclusivity(unchecked) private var state = State()
    /// Of the outermost encoder: where an error of the application's own came from.
    private var failurePlace: FailurePlace?

    private init(parent: ValueEncoder?, key: (any CodingKey)?) {
        self.parent = parent
        self.key = key
        depth = parent.map { $0.depth + 1 } ?? 0
    }

    /// Writes a value; when that fails, what was written before is as it was.
    static func encode(_ value: some Encodable, into writer: inout JSONWriter) throws(JSONCodingError) {
        do throws(Mismatch) {
            if try writer.writeSpecial(value, depth: 0) { return }
        } catch {
            throw JSONCodingError(invalid(value, error, path: []))
        }
        let encoder = ValueEncoder(parent: nil, key: nil)
        encoder.state.text.take(&writer)
        defer { encoder.state.text.giveBack(&writer) }
        do {
            try encoder.run(value)
        } catch {
            throw JSONCodingError(error, path: encoder.failurePlace?.path(of: error) ?? [])
        }
    }

    /// Writes a member's or element's value. Its encoder has the writer meanwhile: no access to this one's is in progress
    /// while code of the application runs.
    private func encode(_ value: some Encodable, key: (any CodingKey)?) throws {
        do throws(Mismatch) {
            if try state.text.writeSpecial(value, depth: depth + 1) { return }
            guard depth < maximumCodingDepth else {
                throw Mismatch(expected: "at most \(maximumCodingDepth) levels of nesting", found: "more")
            }
        } catch {
            throw invalid(value, error, key: key)
        }
        let encoder = ValueEncoder(parent: self, key: key)
        state.text.lend(to: &encoder.state.text)
        defer { state.text.regain(from: &encoder.state.text) }
        do {
            try encoder.run(value)
        } catch {
            note(error, at: encoder.codingPath)
            throw error
        }
    }

    private func run(_ value: some Encodable) throws {
        defer { forgetLate() }
        do {
            try value.encode(to: self)
            try finish()
        } catch {
            state.text.clear()
            throw error
        }
    }

    private func finish() throws {
        if !state.late.isEmpty {
            state.text.insert(
                try state.late.map { late in
                    try late.encoder.finish()
                    return (late.offset, late.encoder.state.text.writer.bytes)
                })
        }
        guard state.text.finish() else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(codingPath: codingPath, debugDescription: "Encoded as several kinds of value."))
        }
    }

    /// What is written apart knows its parent, so neither would be let go while the parent knows it too.
    private func forgetLate() {
        if state.late.isEmpty { return }
        for late in state.late { late.encoder.forgetLate() }
        state.late = []
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
        state.text.decide(.object)
        return KeyedEncodingContainer(MemberWriter(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        state.text.decide(.array)
        return ElementWriter(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    // MARK: What the containers do

    /// How many elements there are.
    var count: Int { state.text.count }

    @inline(__always)
    func set(_ write: (inout JSONWriter) -> Void) {
        state.text.set(write)
    }

    func set(_ value: some Encodable) throws {
        state.text.decide(.value)
        try encode(value, key: nil as PlaceKey?)
    }

    @inline(__always)
    func append(_ write: (inout JSONWriter) -> Void) {
        state.text.append(write)
    }

    func append(_ value: some Encodable) throws {
        let (end, key) = (state.text.end, PlaceKey.element(state.text.count))
        state.text.beginElement()
        try encode(value, key: key, orTakeBackTo: end)
    }

    @inline(__always)
    func set(_ key: some CodingKey, _ write: (inout JSONWriter) -> Void) {
        state.text.set(key.stringValue, write)
    }

    func set(_ key: some CodingKey, _ value: some Encodable) throws {
        let end = state.text.end
        state.text.beginMember(key.stringValue)
        try encode(value, key: key, orTakeBackTo: end)
    }

    private func encode(_ value: some Encodable, key: some CodingKey, orTakeBackTo end: Int) throws {
        do {
            try encode(value, key: key)
        } catch {
            state.text.takeBack(to: end)
            throw error
        }
    }

    func set(_ key: some CodingKey, _ double: Double) throws {
        guard double.isFinite else { throw invalid(double, .notFinite(double), key: key) }
        state.text.set(key.stringValue) { $0.write(finite: double) }
    }

    /// The encoder of a further element, which may be written to until this one is finished.
    func lateElement() -> ValueEncoder {
        let encoder = ValueEncoder(parent: self, key: PlaceKey.element(count))
        state.text.beginElement()
        state.late.append(Late(offset: state.text.end, name: nil, encoder: encoder))
        return encoder
    }

    /// The encoder of a member, which may be written to until this one is finished; the same one for the same key.
    func lateMember(_ key: any CodingKey) -> ValueEncoder {
        let name = key.stringValue
        if let same = state.late.first(where: { $0.name?.hasSameScalars(as: name) == true }) {
            return same.encoder
        }
        let encoder = ValueEncoder(parent: self, key: key)
        state.text.beginMember(name)
        state.late.append(Late(offset: state.text.end, name: name, encoder: encoder))
        return encoder
    }

    // MARK: Errors

    private func note(_ error: any Error, at path: [any CodingKey]) {
        var outermost = self
        while let parent = outermost.parent { outermost = parent }
        outermost.failurePlace = .noting(error, at: path, after: outermost.failurePlace)
    }

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
