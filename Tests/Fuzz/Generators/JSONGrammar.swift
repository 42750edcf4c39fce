/// RFC 8259 as its grammar says it, by descent: what the parser is compared with.
struct JSONGrammar {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var offset = 0

    /// Whether the bytes are a text in UTF-8 that the grammar gives, nested at most that deeply.
    static func accepts(_ bytes: [UInt8], maximumDepth: Int) -> Bool {
        guard String(validating: bytes, as: UTF8.self) != nil else { return false }
        var grammar = JSONGrammar(bytes: bytes, maximumDepth: maximumDepth)
        return grammar.element(depth: 0) && grammar.offset == bytes.count
    }

    private init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == byte.value else { return false }
        offset += 1
        return true
    }

    private mutating func take(word text: StaticString) -> Bool {
        let text = Array(text)
        guard bytes[offset...].starts(with: text) else { return false }
        offset += text.count
        return true
    }

    private mutating func space() {
        while take(" ") || take("\t") || take("\n") || take("\r") {}
    }

    private mutating func element(depth: Int) -> Bool {
        space()
        guard value(depth: depth) else { return false }
        space()
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        switch next {
        case UInt8(ascii: "{"):
            return list("{", "}", depth) {
                $0.space(); return $0.string() && $0.member(depth + 1)
            }
        case UInt8(ascii: "["): return list("[", "]", depth) { $0.element(depth: depth + 1) }
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return take(word: "true")
        case UInt8(ascii: "f"): return take(word: "false")
        case UInt8(ascii: "n"): return take(word: "null")
        default: return number()
        }
    }

    private mutating func list(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ depth: Int, _ item: (inout JSONGrammar) -> Bool
    ) -> Bool {
        guard depth < maximumDepth, take(open) else { return false }
        space()
        if take(close) { return true }
        repeat {
            guard item(&self) else { return false }
        } while take(",")
        return take(close)
    }

    private mutating func member(_ depth: Int) -> Bool {
        space()
        return take(":") && element(depth: depth)
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case 0..<0x20: return false
            case UInt8(ascii: "\\"): guard escape() else { return false }
            default: break
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let byte = next else { return false }
        offset += 1
        guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
        for _ in 0..<4 {
            guard let digit = next, Character(Unicode.Scalar(digit)).isHexDigit else { return false }
            offset += 1
        }
        return true
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0") { guard digits() else { return false } }
        if take(".") { guard digits() else { return false } }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard digits() else { return false }
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = offset
        while let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { offset += 1 }
        return offset > start
    }
}
