/// Eight bytes at a time ("SIMD within a register"): each function sets the high bit of every byte that matches.
/// Borrows can set bits above a match, so only the lowest match counts, which is the first byte in memory. All but `matches`
/// leave the other bits as they come.
private enum Lanes {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    static func matches(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & highs
    }

    /// Quotes, backslashes and control characters, where `word` itself has no high bit.
    @inline(__always)
    static func stops(_ word: UInt64) -> UInt64 {
        let quotes = (word ^ ones &* UInt64(UInt8(ascii: "\""))) &- ones
        let backslashes = (word ^ ones &* UInt64(UInt8(ascii: "\\"))) &- ones
        return quotes | backslashes | (word &- ones &* 0x20)
    }
}

extension UnsafeRawBufferPointer {
    /// The first quote, backslash or control character from an offset on, or the end; and whether all before is ASCII.
    @inline(__always)
    func stringDelimiter(from start: Int) -> (offset: Int, isASCII: Bool) {
        var offset = start
        var seen: UInt64 = 0
        while offset &+ 8 <= count {
            let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let stops = Lanes.stops(word)
            if (stops | word) & Lanes.highs != 0 {
                let matches = stops & ~word & Lanes.highs
                if matches != 0 {
                    let bits = UInt64(truncatingIfNeeded: matches.trailingZeroBitCount) & 56
                    seen |= word & ((1 &<< bits) &- 1)
                    return (offset &+ Int(truncatingIfNeeded: bits / 8), seen & Lanes.highs == 0)
                }
                seen |= word
            }
            offset &+= 8
        }
        while offset < count {
            let byte = self[offset]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            seen |= UInt64(byte)
            offset &+= 1
        }
        return (offset, seen & Lanes.highs == 0)
    }

    /// Whether these are the same bytes.
    @inline(__always)
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var offset = 0
        while offset &+ 8 <= count {
            let word = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard word == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            offset &+= 8
        }
        while offset < count {
            guard self[offset] == other[offset] else { return false }
            offset &+= 1
        }
        return true
    }

    /// The offset of the first byte that does not continue valid UTF-8 (RFC 3629), or `nil`.
    func indexOfInvalidUTF8() -> Int? {
        var offset = 0
        while offset < count {
            let lead = self[offset]
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0x00...0x7F: length = 1
            case 0xC2...0xDF: length = 2
            case 0xE0...0xEF:
                length = 3
                if lead == 0xE0 { second = 0xA0...0xBF }
                if lead == 0xED { second = 0x80...0x9F }
            case 0xF0...0xF4:
                length = 4
                if lead == 0xF0 { second = 0x90...0xBF }
                if lead == 0xF4 { second = 0x80...0x8F }
            default: return offset
            }
            guard offset + length <= count else { return offset }
            for position in 1..<length {
                let allowed = position == 1 ? second : 0x80...0xBF
                guard allowed.contains(self[offset + position]) else { return offset }
            }
            offset += length
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// A hash that takes eight bytes at a time: quick, and no match for a peer who may choose what is hashed.
    var quickHash: UInt64 {
        let raw = UnsafeRawBufferPointer(self)
        var hash = UInt64(truncatingIfNeeded: count)
        var offset = 0
        while offset &+ 8 < count {
            hash = Self.mixed(hash, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        // What is left, with bytes that were there before where it is less than a whole step.
        switch count {
        case 8...:
            return Self.mixed(hash, raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
        case 4...:
            let low = UInt64(raw.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
            return Self.mixed(hash, low << 32 | UInt64(raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)))
        case 1...:
            return Self.mixed(hash, UInt64(self[0]) << 16 | UInt64(self[count / 2]) << 8 | UInt64(self[count &- 1]))
        default: return 0
        }
    }

    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ (product >> 32)
    }

    /// The first byte from an offset on that a JSON string must not hold as it is, or that may begin such a sequence
    /// (E2: U+2028, U+2029; ED: a lone surrogate), or the end.
    @inline(__always)
    func indexOfByteToEscape(from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(self)
        var offset = start
        while offset &+ 8 <= count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let stops = Lanes.stops(word)
            if (stops | word) & Lanes.highs != 0 {
                let matches =
                    stops & ~word & Lanes.highs | Lanes.matches(word, 0xE2) | Lanes.matches(word, 0xED)
                if matches != 0 { return offset &+ matches.trailingZeroBitCount / 8 }
            }
            offset &+= 8
        }
        while offset < count {
            switch self[offset] {
            case 0x00...0x1F, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0xE2, 0xED: return offset
            default: offset &+= 1
            }
        }
        return count
    }
}
