enum WebSocketMask {
    /// Masks or unmasks in place (RFC 6455, section 5.3), eight bytes at a time.
    /// - Parameter mask: in the order of the bytes in memory; its first byte meets the first byte.
    /// - Returns: whether all bytes are ASCII afterwards; found out on the same way.
    static func apply(_ mask: UInt32, to bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard var pointer = bytes.baseAddress else { return true }
        var remaining = bytes.count
        let wide = UInt64(mask) << 32 | UInt64(mask)
        var seen: UInt64 = 0
        while remaining >= 8 {
            let word = pointer.loadUnaligned(as: UInt64.self) ^ wide
            pointer.storeBytes(of: word, as: UInt64.self)
            seen |= word
            pointer += 8
            remaining -= 8
        }
        if remaining >= 4 {
            let word = pointer.loadUnaligned(as: UInt32.self) ^ mask
            pointer.storeBytes(of: word, as: UInt32.self)
            seen |= UInt64(word)
            pointer += 4
            remaining -= 4
        }
        var rest = UInt32(littleEndian: mask)
        while remaining > 0 {
            let byte = pointer.load(as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
            pointer.storeBytes(of: byte, as: UInt8.self)
            seen |= UInt64(byte)
            rest >>= 8
            pointer += 1
            remaining -= 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// The mask as it meets the byte after `count` bytes.
    static func rotated(_ mask: UInt32, by count: Int) -> UInt32 {
        let bits = UInt32(truncatingIfNeeded: count & 3) * 8
        guard bits > 0 else { return mask }
        let native = UInt32(littleEndian: mask)
        return UInt32(littleEndian: native >> bits | native << (32 - bits))
    }
}
