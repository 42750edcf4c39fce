extension FuzzRandom {
    /// Some bytes changed, left out, doubled, moved or put in; `tokens` are what the format attaches a meaning to.
    mutating func mutate(_ bytes: inout [UInt8], tokens: [[UInt8]]) {
        for _ in 0...below(4) {
            let place = below(bytes.count + 1)
            switch below(10) {
            case 0 where place < bytes.count: bytes[place] = byte()
            case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
            case 2: bytes.removeSubrange(range(from: place, in: bytes))
            case 3: bytes.insert(contentsOf: bytes[range(from: place, in: bytes)], at: place)
            case 4: bytes.insert(contentsOf: bytes[range(from: below(bytes.count), in: bytes)], at: place)
            case 5: bytes.insert(byte(), at: place)
            case 6 where !tokens.isEmpty: bytes.replaceSubrange(range(from: place, in: bytes), with: pick(tokens))
            case 7 where once(in: 4): bytes.removeSubrange(place...)
            case 8:
                let part = range(from: place, in: bytes)
                let moved = bytes[part]
                bytes.removeSubrange(part)
                bytes.insert(contentsOf: moved, at: below(bytes.count + 1))
            default: bytes.insert(contentsOf: tokens.isEmpty ? [byte()] : pick(tokens), at: place)
            }
        }
    }

    /// A short stretch, rarely a long one.
    private mutating func range(from start: Int, in bytes: [UInt8]) -> Range<Int> {
        start..<min(bytes.count, start + below(once(in: 8) ? 64 : 6))
    }

    /// Bytes from everywhere, or mostly from where characters of several bytes begin and end.
    mutating func noise(upTo limit: Int) -> [UInt8] {
        let edges: [UInt8] = [
            0x00, 0x0A, 0x0D, 0x20, 0x22, 0x5C, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE2, 0xED,
            0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
        ]
        let isEdgy = once(in: 2)
        return (0..<below(limit + 1)).map { _ in isEdgy ? pick(edges) : byte() }
    }
}

extension [UInt8] {
    /// The text in UTF-8.
    init(_ text: StaticString) { self = text.withUTF8Buffer { Array($0) } }

    static func += (bytes: inout [UInt8], text: String) { bytes.append(contentsOf: text.utf8) }

    /// In hexadecimal digits.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// nil for an odd number of digits, and for what is none.
    package init?(hexadecimal text: String) {
        let values = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
