/// The ways in which the same bytes can arrive.
func cuts(of bytes: [UInt8]) -> [[[UInt8]]] {
    var ways = [[bytes], bytes.map { [$0] }]
    // Every split in two; for long inputs, those near the ends and a sample between.
    for index in 0...bytes.count where bytes.count <= 600 || index < 64 || index > bytes.count - 64 || index % 509 == 0
    {
        ways.append([Array(bytes[..<index]), Array(bytes[index...])])
    }
    var random = SeededGenerator(seed: UInt64(bytes.count))
    for _ in 0..<8 { ways.append(randomCut(of: bytes, using: &random)) }
    return ways
}

func randomCut(of bytes: [UInt8], using random: inout SeededGenerator) -> [[UInt8]] {
    var rest = bytes[...]
    var pieces: [[UInt8]] = []
    while !rest.isEmpty {
        let size = Int.random(in: 1...max(1, min(rest.count, 40)), using: &random)
        pieces.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
    }
    return pieces
}

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Some bytes changed, left out, doubled or put in.
func mutated(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(bytes[index], at: index)
        default: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: index)
        }
    }
    return bytes
}
