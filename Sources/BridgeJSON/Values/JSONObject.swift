/// The members of a JSON object, in the order in which they were written.
///
/// A name occurs once. Setting a name that is there replaces its value in its place, so that of duplicates in JSON text
/// the last value counts, at the place of the first: as in JavaScript. Names are compared by Unicode scalars.
public struct JSONObject: Sendable {
    /// A name and its value.
    public struct Member: Sendable {
        /// The member's name.
        public let name: JSONString
        /// The member's value.
        public internal(set) var value: JSON
    }

    /// The members in order.
    public private(set) var members: [Member] = []
    /// Where each name is, once there are too many to look through.
    private var positions: [JSONString: Int]?

    /// A bit for each name that is there; one that is not set says that a name is not. Removing leaves it set.
    private var filter: UInt64 = 0

    private static let indexedCount = 16

    /// The empty object.
    public init() {}

    /// How many members there are, each name counted once.
    public var count: Int { members.count }
    /// Whether there is no member.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a member; setting `nil` removes it.
    public subscript(name: String) -> JSON? {
        get { position(of: name).map { members[$0].value } }
        set { self[JSONString(name)] = newValue }
    }

    /// The value of a member, for names that may have lone surrogates.
    public subscript(name: JSONString) -> JSON? {
        get { position(of: name).map { members[$0].value } }
        set {
            if let newValue { set(newValue, for: name) } else { removeValue(forKey: name) }
        }
    }

    /// Removes a member and returns its value. Linear in the number of members that follow, of all in a large object.
    @discardableResult
    public mutating func removeValue(forKey name: String) -> JSON? {
        position(of: name).map { remove(at: $0) }
    }

    /// - Parameter guess: where it is likely to be.
    @discardableResult
    package mutating func removeValue(forKey name: String, guess: Int) -> JSON? {
        position(of: name, guess: guess).map { remove(at: $0) }
    }

    @discardableResult
    mutating func removeValue(forKey name: JSONString) -> JSON? {
        position(of: name).map { remove(at: $0) }
    }

    package mutating func reserveCapacity(_ count: Int) {
        members.reserveCapacity(count)
    }

    /// Sets a member, in place when the name is there already, else at the end.
    @inline(__always)
    mutating func set(_ value: consuming JSON, for name: consuming JSONString) {
        let bit = name.withUTF8 { Self.bit($0) }
        if filter & bit != 0, let position = position(of: name) {
            members[position].value = value
        } else {
            filter |= bit
            members.append(Member(name: name, value: value))
            if positions != nil || members.count > Self.indexedCount { index(members.count - 1) }
        }
    }

    /// The name's bit in the filter: by its length and its ends, which is quick and tells most names apart.
    @inline(__always)
    private static func bit(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let first = name.first, let last = name.last else { return 1 }
        return 1 << UInt64((name.count &* 11 ^ Int(first) &* 3 ^ Int(last)) & 63)
    }

    private mutating func index(_ position: Int) {
        if positions == nil { rebuildIndex() } else { positions?[members[position].name] = position }
    }

    private mutating func rebuildIndex() {
        guard members.count > Self.indexedCount else {
            positions = nil
            return
        }
        var positions = [JSONString: Int](minimumCapacity: members.count * 2)
        for (position, member) in members.enumerated() { positions[member.name] = position }
        self.positions = positions
    }

    private mutating func remove(at position: Int) -> JSON {
        var value = JSON.null
        swap(&value, &members[position].value)
        members.remove(at: position)
        if positions != nil { rebuildIndex() }
        return value
    }

    /// - Parameter guess: looked at first.
    @inline(__always)
    func position(of name: String, guess: Int) -> Int? {
        if guess < members.count, members[guess].name.equals(name) { return guess }
        return position(of: name)
    }

    private func position(of name: String) -> Int? {
        guard filter & name.withUTF8Bytes({ Self.bit($0) }) != 0 else { return nil }
        if positions != nil { return position(of: JSONString(name)) }
        var position = 0
        while position < members.count {
            if members[position].name.equals(name) { return position }
            position += 1
        }
        return nil
    }

    private func position(of name: JSONString) -> Int? {
        if let positions { return positions[name] }
        var position = 0
        while position < members.count {
            if members[position].name == name { return position }
            position += 1
        }
        return nil
    }
}

extension JSONObject: Sequence {
    /// Members are name and value, in order.
    public func makeIterator() -> IndexingIterator<[Member]> {
        members.makeIterator()
    }

    public var underestimatedCount: Int { members.count }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Of members with the same name the last one counts.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        for (name, value) in elements { self[name] = value }
    }
}
