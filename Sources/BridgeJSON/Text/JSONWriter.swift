/// Writes compact JSON (RFC 8259) into bytes.
///
/// What the typed methods write is valid UTF-8 without a control character, hence without a line feed. The commas and
/// brackets between values are the caller's (``write(raw:)``) when it does not write a whole ``JSON``.
package struct JSONWriter: Sendable {
    /// What has been written, and room for more: a step of writing looks once whether there is enough.
    private var storage: [UInt8] = []
    /// How many bytes have been written.
    package private(set) var count = 0
    /// The nesting of the deepest value so far, with that of the types around it. A text's own nesting is not looked at.
    package private(set) var deepest = 0

    /// - Parameter capacity: how many bytes can be written before memory is needed.
    package init(reservingCapacity capacity: Int = 0) {
        if capacity > 0 { storage = [UInt8](repeating: 0, count: capacity) }
    }

    /// A copy of what has been written.
    package var bytes: [UInt8] { Array(storage.prefix(count)) }

    /// Calls `body` with what has been written.
    @inline(__always)
    package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// How many bytes there is memory for.
    package var capacity: Int { storage.count }

    /// Forgets what has been written, keeping the memory.
    package mutating func removeAll() {
        count = 0
        deepest = 0
    }

    /// Forgets what has been written from there on.
    mutating func truncate(to end: Int) {
        count = min(count, end)
    }

    /// Appends `length` bytes, which `write` fills in.
    @inline(__always)
    private mutating func extend(by length: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) {
        let end = count + length
        if end > storage.count { grow(to: end) }
        storage.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress { write(start + count) }
        }
        count = end
    }

    private mutating func grow(to needed: Int) {
        let size = max(needed, storage.count * 2, 128)
        var larger = [UInt8](repeating: 0, count: size)
        larger.withUnsafeMutableBytes { larger in withBytes { larger.copyMemory(from: $0) } }
        storage = larger
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        extend(by: 1) { $0.pointee = byte }
    }

    @inline(__always)
    private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        guard let source = text.baseAddress else { return }
        extend(by: text.count) { $0.update(from: source, count: text.count) }
    }

    /// Appends bytes that are JSON text, or a part of it, already.
    @inline(__always)
    package mutating func write(raw text: StaticString) {
        text.withUTF8Buffer { append($0) }
    }

    /// Appends bytes that are JSON text, or a part of it, already.
    package mutating func write(raw text: [UInt8]) {
        text.withUnsafeBufferPointer { append($0) }
    }

    package mutating func write(_ number: JSONNumber) {
        number.text.withUTF8Bytes { append($0) }
    }

    @inline(__always)
    package mutating func write(_ integer: some BinaryInteger) {
        if let small = Int64(exactly: integer) {
            write(small)
        } else {
            integer.description.withUTF8Bytes { append($0) }
        }
    }

    /// Appends the shortest digits that read back as that double, which must be finite.
    mutating func write(finite double: Double) {
        // Few decimals are found faster than in the general way. A quotient of two doubles that are exact is rounded
        // correctly, and of the decimals of at most 15 digits only one reads back as that double: it is the shortest.
        var scale = 1.0
        for decimals in 0...3 {
            let scaled = double.magnitude * scale
            guard scaled < 1e15 else { break }
            let digits = Int64(scaled + 0.5)
            if Double(digits) / scale == double.magnitude {
                if double.sign == .minus { append(UInt8(ascii: "-")) }
                write(digits / Int64(scale))
                if decimals > 0 { writeFraction(digits % Int64(scale), decimals) }
                return
            }
            scale *= 10
        }
        if let number = JSONNumber(double) { write(number) }
    }

    private mutating func writeFraction(_ fraction: Int64, _ decimals: Int) {
        extend(by: decimals + 1) { start in
            var rest = fraction
            for place in (1...decimals).reversed() {
                start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            start[0] = UInt8(ascii: ".")
        }
    }

    private mutating func write(_ integer: Int64) {
        var digits = 1
        var rest = integer.magnitude
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        let isNegative = integer < 0
        rest = integer.magnitude
        extend(by: digits + (isNegative ? 1 : 0)) { start in
            var digit = start + digits - (isNegative ? 0 : 1)
            for _ in 0..<digits {
                digit.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
                digit -= 1
            }
            if isNegative { start.pointee = UInt8(ascii: "-") }
        }
    }

    package mutating func write(_ bool: Bool) {
        if bool { write(raw: "true") } else { write(raw: "false") }
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
        if count > 0, storage[count - 1] != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
        write(name)
        append(UInt8(ascii: ":"))
    }

    /// Appends a member's name and the colon, and before them a comma unless it is the first member: in one step mostly.
    mutating func write(name: String, isFirst: Bool) {
        name.withUTF8Bytes { text in
            let length = text.count
            guard let source = text.baseAddress, text.indexOfByteToEscape(from: 0) == length else {
                if !isFirst { append(UInt8(ascii: ",")) }
                writeString(text)
                return append(UInt8(ascii: ":"))
            }
            extend(by: length + (isFirst ? 3 : 4)) { start in
                var quote = start
                if !isFirst {
                    start.pointee = UInt8(ascii: ",")
                    quote += 1
                }
                quote[0] = UInt8(ascii: "\"")
                (quote + 1).update(from: source, count: length)
                quote[length + 1] = UInt8(ascii: "\"")
                quote[length + 2] = UInt8(ascii: ":")
            }
        }
    }

    /// Appends a value. Does not recurse, whatever its depth.
    ///
    /// - Parameter depth: how many containers are around it.
    package mutating func write(_ json: JSON, depth: Int = 0) {
        guard var container = writeScalar(or: json) else { return }
        deepest = max(deepest, depth + 1)
        // The containers around the present one, and which of their values comes next.
        var outer: [(container: JSON, next: Int)] = []
        var next = 0
        while true {
            if let (inner, index) = writeValues(of: container, from: next) {
                outer.append((container, index + 1))
                deepest = max(deepest, depth + outer.count + 1)
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
                if index > 0 { append(UInt8(ascii: ",")) }
                if let inner = writeScalar(or: items[index]) { return (inner, index) }
            }
            append(UInt8(ascii: "]"))
        case .object(let object):
            for index in start..<object.members.count {
                if index > 0 { append(UInt8(ascii: ",")) }
                write(object.members[index].name)
                append(UInt8(ascii: ":"))
                if let inner = writeScalar(or: object.members[index].value) { return (inner, index) }
            }
            append(UInt8(ascii: "}"))
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
            append(UInt8(ascii: "["))
            return json
        case .object:
            append(UInt8(ascii: "{"))
            return json
        }
        return nil
    }

    private mutating func writeString(_ text: UnsafeBufferPointer<UInt8>) {
        let length = text.count
        var end = text.indexOfByteToEscape(from: 0)
        if end == length {
            extend(by: length + 2) { start in
                start[0] = UInt8(ascii: "\"")
                if let source = text.baseAddress { (start + 1).update(from: source, count: length) }
                start[length + 1] = UInt8(ascii: "\"")
            }
            return
        }
        append(UInt8(ascii: "\""))
        var start = 0
        while end < length {
            append(UnsafeBufferPointer(rebasing: text[start..<end]))
            start = end + writeEscape(text, at: end)
            end = text.indexOfByteToEscape(from: start)
        }
        append(UnsafeBufferPointer(rebasing: text[start...]))
        append(UInt8(ascii: "\""))
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
                append(text[offset])
                return 1
            }
            let high = UInt16(text[offset] & 0x0F) << 12 | UInt16(text[offset + 1] & 0x3F) << 6
            let unit = high | UInt16(text[offset + 2] & 0x3F)
            if unit == 0x2028 || unit == 0x2029 || unit & 0xF800 == 0xD800 {
                writeEscape(codeUnit: unit)
            } else {
                append(UnsafeBufferPointer(rebasing: text[offset..<offset + 3]))
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
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            shift -= 4
        }
    }
}
