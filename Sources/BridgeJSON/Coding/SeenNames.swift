/// The names an object has so far, by their hashes: enough to say that one is new, cheaply.
struct SeenNames {
    /// The first eight, two in each; zeros where there are none yet.
    private var few: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var count = 0
    /// All of them, once there are more.
    private var many: Set<UInt32> = []

    /// Adds a name. Whether it may be there already; false is certain.
    mutating func mayContain(adding name: String) -> Bool {
        // Never zero.
        let hash = name.withUTF8Bytes { UInt32(truncatingIfNeeded: $0.quickHash) | 1 }
        if count == 8 { return addToMany(hash) }
        if Self.holds(few.0, hash) || Self.holds(few.1, hash) || Self.holds(few.2, hash) || Self.holds(few.3, hash) {
            return true
        }
        let lane = UInt64(hash) << (count & 1 == 0 ? 0 : 32)
        switch count / 2 {
        case 0: few.0 |= lane
        case 1: few.1 |= lane
        case 2: few.2 |= lane
        default: few.3 |= lane
        }
        count += 1
        return false
    }

    private mutating func addToMany(_ hash: UInt32) -> Bool {
        if many.isEmpty {
            for pair in [few.0, few.1, few.2, few.3] {
                many.insert(UInt32(truncatingIfNeeded: pair))
                many.insert(UInt32(truncatingIfNeeded: pair >> 32))
            }
        }
        return !many.insert(hash).inserted
    }

    @inline(__always)
    private static func holds(_ pair: UInt64, _ hash: UInt32) -> Bool {
        UInt32(truncatingIfNeeded: pair) == hash || UInt32(truncatingIfNeeded: pair >> 32) == hash
    }
}
