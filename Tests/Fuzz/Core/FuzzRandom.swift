/// SplitMix64: the same numbers in every run.
package struct FuzzRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// The numbers that the bytes of an input decide on, so that a check depends on its input alone.
    init(deciding bytes: [UInt8]) {
        state = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0 up to, and without, `bound`; 0 where there is nothing below it.
    mutating func below(_ bound: Int) -> Int {
        bound > 1 ? Int(next().multipliedFullWidth(by: UInt64(bound)).high) : 0
    }

    /// True once in `times`.
    mutating func once(in times: Int) -> Bool { below(times) == 0 }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    /// One of `choices`, which are not empty.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }
}
