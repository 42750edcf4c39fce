/// Validates UTF-8 as it arrives, and fails at the first byte that no valid text can have there
/// (RFC 3629, section 4: no surrogates, no overlong forms, nothing past U+10FFFF).
struct UTF8Validator {
    /// Continuation bytes that are due, and what the next of them may be.
    private var due: UInt8 = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text may end here.
    var isAtBoundary: Bool { due == 0 }

    /// - Returns: false at a bad byte; the validator is of no more use then.
    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (due, lowest, highest) = (due, lowest, highest)
        defer { (self.due, self.lowest, self.highest) = (due, lowest, highest) }
        var index = 0
        while index < bytes.count {
            if due == 0 {
                while index + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < bytes.count else { break }
            }
            let byte = bytes[index]
            index += 1
            if due > 0 {
                guard byte >= lowest, byte <= highest else { return false }
                (due, lowest, highest) = (due - 1, 0x80, 0xBF)
                continue
            }
            switch byte {
            case 0x00...0x7F: break
            case 0xC2...0xDF: due = 1
            case 0xE0: (due, lowest) = (2, 0xA0)
            case 0xED: (due, highest) = (2, 0x9F)
            case 0xE1...0xEF: due = 2
            case 0xF0: (due, lowest) = (3, 0x90)
            case 0xF1...0xF3: due = 3
            case 0xF4: (due, highest) = (3, 0x8F)
            default: return false
            }
        }
        return true
    }

    /// Whether the bytes are a whole text.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var validator = UTF8Validator()
        return validator.accept(bytes) && validator.isAtBoundary
    }
}
