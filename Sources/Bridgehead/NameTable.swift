internal import BridgeJSON

/// Values by name, made once and looked up for every message.
///
/// A dictionary's hashing, which resists names that a peer chooses, costs more than the rest of a look-up; here the names
/// are the application's, and whatever a peer asks for, it is compared with few of them.
struct NameTable<Value: Sendable>: Sendable {
    private var names: [JSONString] = []
    private var values: [Value] = []
    /// Open addressing: indices into both, −1 for a free place. A power of two, at most half of it taken.
    private var places: [Int32]

    init(_ values: [JSONString: Value]) {
        var size = 8
        while size < values.count * 2 { size *= 2 }
        places = Array(repeating: -1, count: size)
        for (name, value) in values {
            var place = Self.place(name, size)
            while places[place] >= 0 { place = (place + 1) & (size - 1) }
            places[place] = Int32(names.count)
            names.append(name)
            self.values.append(value)
        }
    }

    subscript(name: JSONString) -> Value? {
        var place = Self.place(name, places.count)
        while places[place] >= 0 {
            let index = Int(places[place])
            if names[index] == name { return values[index] }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    private static func place(_ name: JSONString, _ size: Int) -> Int {
        Int(truncatingIfNeeded: name.quickHash) & (size - 1)
    }
}
