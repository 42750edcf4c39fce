/// Eight bytes at a time ("SIMD within a register"): each function sets the high bit of every byte that matches.
/// Borrows can set bits above a match, so only the lowest match counts, which is the first byte in memory.
private enum Lanes {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    static func matches(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & highs
    }

    @inline(__always)
    static func controls(_ word: UInt64) -> UInt64 {
        (word &- ones &* 0x20) & ~word & highs
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
            let matches =
                Lanes.matches(word, UInt8(ascii: "\"")) | Lanes.matches(word, UInt8(ascii: "\\")) | Lanes.controls(word)
            if matches != 0 {
                let length = matches.trailingZeroBitCount / 8
                seen |= word & ((1 << (8 &* UInt64(length))) &- 1)
                return (offset &+ length, seen & Lanes.highs == 0)
            }
            seen |= word
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
    /// The FNV-1a hash: quick, and no match for a peer who may choose what is hashed.
    var quickHash: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var offset = 0
        while offset < count {
            hash = (hash ^ UInt64(self[offset])) &* 0x100_0000_01B3
            offset += 1
        }
        return hash ^ (hash >> 32)
    }

    /// The first byte from an offset on that a JSON string must not hold as it is, or that may begin such a sequence
    /// (E2: U+2028, U+2029; ED: a lone surrogate), or the end.
    @inline(__always)
    func indexOfByteToEscape(from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(self)
        var offset = start
        while offset &+ 8 <= count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            var matches =
                Lanes.matches(word, UInt8(ascii: "\"")) | Lanes.matches(word, UInt8(ascii: "\\")) | Lanes.controls(word)
            if word & Lanes.highs != 0 { matches |= Lanes.matches(word, 0xE2) | Lanes.matches(word, 0xED) }
            if matches != 0 { return offset &+ matches.trailingZeroBitCount / 8 }
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
