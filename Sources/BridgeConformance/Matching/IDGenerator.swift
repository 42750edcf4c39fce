import BridgeJSON

/// Ids that can be made again: they depend on the seed and the vector's name alone, not on the order of vectors.
package struct IDGenerator: Sendable {
    private var random: SeededGenerator

    package init(seed: UInt64, vector: String) {
        // FNV-1a: the hashes of the standard library differ from run to run.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in vector.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        random = SeededGenerator(seed: seed ^ hash)
    }

    mutating func nextString() -> JSON { JSON("id-" + String(random.next(), radix: 36)) }

    /// Exact in a double too.
    mutating func nextInteger() -> JSON { JSON(random.next() >> 12) }
}

/// SplitMix64.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
