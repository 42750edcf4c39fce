// Strings and numbers.

extension JSONParser {
    /// Reads a string, its opening quote being next.
    mutating func parseString() throws(JSONError) -> JSONString {
        let start = offset + 1
        let (end, isASCII) = bytes.stringDelimiter(from: start)
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
            return try parseStringWithEscapes(from: start, firstStop: end)
        }
        let content = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        guard let string = String(utf8: content, isASCII: isASCII) else {
            throw failEncoding(start..<end)
        }
        offset = end + 1
        return JSONString(string)
    }

    private mutating func parseStringWithEscapes(from start: Int, firstStop: Int) throws(JSONError) -> JSONString {
        scratch.removeAll(keepingCapacity: true)
        var hasLoneSurrogate = false
        var runStart = start
        offset = firstStop
        while true {
            scratch.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[runStart..<offset]))
            guard offset < bytes.count else { throw fail("the text ends inside a string") }
            if bytes[offset] == UInt8(ascii: "\"") { break }
            guard bytes[offset] == UInt8(ascii: "\\") else { throw fail("a control character in a string: \(found)") }
            if try parseEscape() { hasLoneSurrogate = true }
            runStart = offset
            offset = bytes.stringDelimiter(from: offset).offset
        }
        let end = offset
        offset += 1
        if hasLoneSurrogate {
            // What is between the escapes has to be UTF-8 all the same.
            guard UnsafeRawBufferPointer(rebasing: bytes[start..<end]).indexOfInvalidUTF8() == nil else {
                throw failEncoding(start..<end)
            }
            return JSONString(wtf8: scratch)
        }
        let string = scratch.withUnsafeBytes { String(utf8: $0, isASCII: false) }
        guard let string else { throw failEncoding(start..<end) }
        return JSONString(string)
    }

    /// Reads an escape and appends what it stands for; returns whether that is a lone surrogate.
    private mutating func parseEscape() throws(JSONError) -> Bool {
        guard offset + 1 < bytes.count else { throw fail("the text ends inside a string") }
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""): scratch.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): scratch.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): scratch.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"): return try parseUnicodeEscape()
        default: throw fail("an escape that JSON does not have")
        }
        offset += 2
        return false
    }

    private mutating func parseUnicodeEscape() throws(JSONError) -> Bool {
        guard let unit = codeUnit(at: offset) else { throw fail("`\\u` needs four hexadecimal digits") }
        offset += 6
        if unit & 0xFC00 == 0xD800, let low = codeUnit(at: offset), low & 0xFC00 == 0xDC00 {
            offset += 6
            append(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
            return false
        }
        append(unit)
        return unit & 0xF800 == 0xD800
    }

    /// The code unit that a `\uXXXX` at that offset stands for; `nil` when there is no such escape.
    private func codeUnit(at start: Int) -> UInt32? {
        guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt32 = 0
        for byte in bytes[(start + 2)..<(start + 6)] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// Appends a code point as UTF-8, a surrogate in the same way (WTF-8).
    private mutating func append(_ code: UInt32) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: code >> shift) & 0x3F }
        switch code {
        case ..<0x80: scratch.append(UInt8(truncatingIfNeeded: code))
        case ..<0x800:
            scratch.append(0xC0 | UInt8(truncatingIfNeeded: code >> 6))
            scratch.append(tail(0))
        case ..<0x10000:
            scratch.append(0xE0 | UInt8(truncatingIfNeeded: code >> 12))
            scratch.append(tail(6))
            scratch.append(tail(0))
        default:
            scratch.append(0xF0 | UInt8(truncatingIfNeeded: code >> 18))
            scratch.append(tail(12))
            scratch.append(tail(6))
            scratch.append(tail(0))
        }
    }

    private mutating func failEncoding(_ range: Range<Int>) -> JSONError {
        let string = UnsafeRawBufferPointer(rebasing: bytes[range])
        offset = range.lowerBound + (string.indexOfInvalidUTF8() ?? 0)
        return fail("a string is not valid UTF-8")
    }

    /// Reads a number, its first character being next (RFC 8259, section 6).
    mutating func parseNumber() throws(JSONError) -> JSONNumber {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let integerStart = offset
        try skipDigits()
        if bytes[integerStart] == UInt8(ascii: "0"), offset - integerStart > 1 {
            offset = integerStart
            throw fail("a number with a leading zero")
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            try skipDigits()
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            try skipDigits()
        }
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
        return JSONNumber(unchecked: String(decoding: text, as: UTF8.self))
    }

    /// Skips one digit or more.
    @inline(__always)
    private mutating func skipDigits() throws(JSONError) {
        let start = offset
        while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") <= 9 { offset += 1 }
        guard offset > start else { throw fail("expected a digit, found \(found)") }
    }
}
