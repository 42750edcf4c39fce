/// Writes compact JSON (RFC 8259) into bytes.
///
/// What the typed methods write is valid UTF-8 without a control character, hence without a line feed. The commas and
/// brackets between values are the caller's (``write(raw:)``) when it does not write a whole ``JSON``.
package struct JSONWriter: Sendable {
    /// What has been written.
    package private(set) var bytes: [UInt8] = []

    package init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Forgets what has been written, keeping the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends bytes that are JSON text, or a part of it, already.
    @inline(__always)
    package mutating func write(raw text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends bytes that are JSON text, or a part of it, already.
    package mutating func write(raw text: [UInt8]) {
        bytes.append(contentsOf: text)
    }

    package mutating func write(_ number: JSONNumber) {
        number.text.withUTF8Bytes { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ integer: some BinaryInteger) {
        integer.description.withUTF8Bytes { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ bool: Bool) {
        write(raw: bool ? "true" : "false")
    }

    /// Appends a string with its quotes, escaped where it must be (and U+2028, U+2029, which older scripts cannot hold).
    package mutating func write(_ string: String) {
        string.withUTF8Bytes { writeString($0) }
    }

    /// As for `String`; a lone surrogate is written as its escape.
    package mutating func write(_ string: JSONString) {
        string.withUTF8 { writeString($0) }
    }

    /// Appends a member's name and the colon, and before them a comma unless the object was just opened.
    package mutating func write(name: JSONString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        write(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Appends a value. Does not recurse, whatever its depth.
    package mutating func write(_ json: JSON) {
        guard var container = writeScalar(or: json) else { return }
        // The containers around the present one, and which of their values comes next.
        var outer: [(container: JSON, next: Int)] = []
        var next = 0
        while true {
            if let (inner, index) = writeValues(of: container, from: next) {
                outer.append((container, index + 1))
                container = inner
                next = 0
            } else if let (container: parent, next: index) = outer.popLast() {
                container = parent
                next = index
            } else {
                return
            }
        }
    }

    /// Writes the values of a container from one on; at a container stops after its opening bracket and returns it,
    /// at the end closes and returns `nil`.
    private mutating func writeValues(of container: JSON, from start: Int) -> (inner: JSON, index: Int)? {
        switch container {
        case .array(let items):
            for index in start..<items.count {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                if let inner = writeScalar(or: items[index]) { return (inner, index) }
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            for index in start..<object.members.count {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(object.members[index].name)
                bytes.append(UInt8(ascii: ":"))
                if let inner = writeScalar(or: object.members[index].value) { return (inner, index) }
            }
            bytes.append(UInt8(ascii: "}"))
        default: break
        }
        return nil
    }

    /// Writes a value that is no container; of a container writes the opening bracket and returns it.
    @inline(__always)
    private mutating func writeScalar(or json: JSON) -> JSON? {
        switch json {
        case .null: write(raw: "null")
        case .bool(let bool): write(bool)
        case .number(let number): write(number)
        case .string(let string): write(string)
        case .array:
            bytes.append(UInt8(ascii: "["))
            return json
        case .object:
            bytes.append(UInt8(ascii: "{"))
            return json
        }
        return nil
    }

    private mutating func writeString(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var end = text.indexOfByteToEscape(from: 0)
        if end == text.count {
            bytes.append(contentsOf: text)
        } else {
            var start = 0
            while end < text.count {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
                start = end + writeEscape(text, at: end)
                end = text.indexOfByteToEscape(from: start)
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends what stands for the byte or sequence at `offset`; returns its length.
    private mutating func writeEscape(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
        switch text[offset] {
        case UInt8(ascii: "\""): write(raw: #"\""#)
        case UInt8(ascii: "\\"): write(raw: #"\\"#)
        case 0x08: write(raw: #"\b"#)
        case 0x09: write(raw: #"\t"#)
        case 0x0A: write(raw: #"\n"#)
        case 0x0C: write(raw: #"\f"#)
        case 0x0D: write(raw: #"\r"#)
        case let control where control < 0x20: writeEscape(codeUnit: UInt16(control))
        default:
            // A whole sequence that begins with E2 (U+2000…) or ED (U+D000…).
            guard offset + 2 < text.count else {
                bytes.append(text[offset])
                return 1
            }
            let high = UInt16(text[offset] & 0x0F) << 12 | UInt16(text[offset + 1] & 0x3F) << 6
            let unit = high | UInt16(text[offset + 2] & 0x3F)
            if unit == 0x2028 || unit == 0x2029 || unit & 0xF800 == 0xD800 {
                writeEscape(codeUnit: unit)
            } else {
                bytes.append(contentsOf: text[offset..<offset + 3])
            }
            return 3
        }
        return 1
    }

    private mutating func writeEscape(codeUnit: UInt16) {
        write(raw: #"\u"#)
        var shift = 12
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: codeUnit >> shift) & 0x0F
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            shift -= 4
        }
    }
}
