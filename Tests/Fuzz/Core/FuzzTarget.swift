/// What is fuzzed: how inputs are made, and what must hold for each, whatever is in it.
package struct FuzzTarget: Sendable {
    package let name: String
    /// Makes an input, mostly nearly right.
    package let generate: @Sendable (inout FuzzRandom) -> [UInt8]
    /// Checks what must hold; depends on the input alone.
    package let check: @Sendable ([UInt8]) throws(FuzzFault) -> Void

    /// The input of that number: the same in every run.
    package func input(seed: UInt64, number: Int) -> [UInt8] {
        var start = FuzzRandom(seed: seed)
        var random = FuzzRandom(seed: start.next() ^ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15)
        return generate(&random)
    }

    /// All that needs no server.
    package static let codecs: [FuzzTarget] = [
        json, annotated, coding, httpRequest, httpResponse, webSocket, utf8, handshake, lines, message, scriptValue,
        answers, session,
    ]
}

/// What does not hold.
package struct FuzzFault: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ fault: @autoclosure () -> String) throws(FuzzFault) {
    if !condition { throw FuzzFault(fault()) }
}

/// The ways in which an input arrives, as ranges of it: whole, byte by byte, and in pieces that the input decides on.
func arrivals(of bytes: [UInt8]) -> [[Range<Int>]] {
    var random = FuzzRandom(deciding: bytes)
    var pieces: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + 1 + random.below(random.once(in: 3) ? 64 : 8))
        pieces.append(start..<end)
        start = end
    }
    return [[0..<bytes.count], bytes.indices.map { $0..<($0 + 1) }, pieces]
}

/// What is seen must be the same in whatever way the input arrives.
func requireSame<Seen: Equatable>(
    _ bytes: [UInt8], _ run: ([Range<Int>]) throws(FuzzFault) -> Seen
) throws(FuzzFault) -> Seen {
    let ways = arrivals(of: bytes)
    let whole = try run(ways[0])
    for (way, name) in zip(ways.dropFirst(), ["byte by byte", "in pieces"]) {
        let seen = try run(way)
        try require(seen == whole, "\(name) gives \(seen), whole gives \(whole)")
    }
    return whole
}
