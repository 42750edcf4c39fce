/// JSON texts, with everything that has a special case somewhere.
struct JSONText {
    static let tokens: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d\\ude00", "\\ud800", "\\udc00", "null", "true",
            "false",
            "-0", "1e400", "1E-400", "0.5", "18446744073709551616", "-9223372036854775808", "[]", "{}", "\"\"", "//",
            "/*",
            "*/", "\n", "\r", "\t", " ", "\u{FEFF}", "\u{2028}", "\u{1F600}", "e\u{301}", "\\n", "\\/", "\0", ",]",
            ",}",
        ].map { Array($0.utf8) } + [
            [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80], [0xEF, 0xBB, 0xBF], [0xFF],
        ]

    static let names = ["a", "", "é", "e\u{301}", "$ref", "$date", "$undefined", "$object", "$number", "id", "a b"]

    private var bytes: [UInt8] = []
    /// Whether comments and trailing commas come in too.
    private let isAnnotated: Bool

    static func make(_ random: inout FuzzRandom, isAnnotated: Bool = false) -> [UInt8] {
        var text = JSONText(isAnnotated: isAnnotated)
        if random.once(in: 300) { return deep(&random) }
        text.value(&random, depth: 0)
        if random.once(in: 2) { random.mutate(&text.bytes, tokens: tokens) }
        return text.bytes
    }

    /// A valid value, for what stands inside something else.
    static func value(_ random: inout FuzzRandom, depth: Int = 2) -> [UInt8] {
        var text = JSONText(isAnnotated: false)
        text.value(&random, depth: depth)
        return text.bytes
    }

    private init(isAnnotated: Bool) { self.isAnnotated = isAnnotated }

    /// About as deep as the limits of nesting.
    private static func deep(_ random: inout FuzzRandom) -> [UInt8] {
        let levels = random.pick([511, 512, 513, 1_023, 1_024, 1_025, 3_000])
        let isArray = random.once(in: 2)
        let open = [UInt8](repeating: UInt8(ascii: "["), count: levels)
        let close = [UInt8](repeating: UInt8(ascii: "]"), count: random.once(in: 3) ? levels - 1 : levels)
        if isArray { return open + close }
        return [[UInt8]](repeating: Array("{\"a\":"), count: levels).flatMap { $0 } + [UInt8(ascii: "1")]
            + [UInt8](repeating: UInt8(ascii: "}"), count: close.count)
    }

    private mutating func value(_ random: inout FuzzRandom, depth: Int) {
        space(&random)
        switch random.below(depth < 5 ? 10 : 6) {
        case 0: bytes += random.pick(["null", "true", "false"])
        case 1, 2: number(&random)
        case 3, 4, 5: string(&random)
        case 6, 7:
            list("[", "]", &random) { text, random in text.value(&random, depth: depth + 1) }
        default:
            list("{", "}", &random) { text, random in
                text.space(&random)
                if random.once(in: 2) {
                    text.bytes += "\"\(random.pick(JSONText.names))\""
                } else {
                    text.string(&random)
                }
                text.space(&random)
                text.bytes += ":"
                text.value(&random, depth: depth + 1)
            }
        }
        space(&random)
    }

    private mutating func list(
        _ open: String, _ close: String, _ random: inout FuzzRandom,
        _ element: (inout JSONText, inout FuzzRandom) -> Void
    ) {
        bytes += open
        let count = random.once(in: 60) ? 12 + random.below(8) : random.below(4)
        for index in 0..<count {
            if index > 0 { bytes += "," }
            element(&self, &random)
        }
        if isAnnotated, count > 0, random.once(in: 4) { bytes += "," }
        space(&random)
        bytes += close
    }

    private mutating func space(_ random: inout FuzzRandom) {
        guard random.once(in: 8) else { return }
        bytes += random.pick([" ", "\n", "\r\n", "\t", "  \n "])
        if isAnnotated { bytes += random.pick(["// é\n", "/* * / \n */", "/**/", "", ""]) }
    }

    private mutating func number(_ random: inout FuzzRandom) {
        if random.once(in: 4) {
            bytes += random.pick([
                "-0", "0", "1e400", "-1E-400", "9007199254740993", "18446744073709551615", "-9223372036854775809",
                "1.0",
                "0.1", "1e2", "123456789012345", "1234567890.12345", "5e-324", "1.7976931348623157e308",
                "0e99999999999",
                "2.2250738585072014E-308", "1e99999999999999999999", "0.000001", "100000000000000000000000",
            ])
            return
        }
        if random.once(in: 3) { bytes += "-" }
        bytes += random.once(in: 3) ? "0" : "\(1 + random.below(random.once(in: 3) ? .max - 1 : 999))"
        if random.once(in: 3) { bytes += ".\(random.below(random.once(in: 3) ? .max : 999))" }
        if random.once(in: 4) {
            bytes += random.pick(["e", "E", "e+", "E-"])
            bytes += "\(random.below(random.once(in: 4) ? 1_000 : 30))"
        }
    }

    private mutating func string(_ random: inout FuzzRandom) {
        bytes += "\""
        for _ in 0..<random.below(random.once(in: 10) ? 40 : 5) {
            switch random.below(6) {
            case 0: bytes += random.pick(["\\n", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\t"])
            case 1:
                bytes += random.pick(["\\u0000", "\\ud83d\\ude00", "\\ud800", "\\udfff\\ud800", "\\u00E9", "\\uFFFF"])
            case 2: bytes += random.pick(["é", "\u{2028}", "\u{1F600}", "e\u{301}", "\u{D7FF}\u{E000}", "\u{10FFFF}"])
            default: bytes += random.pick(["a", "eventName", "x y", "0123456789abcdef", "/", "$", "Ω"])
            }
        }
        bytes += "\""
    }
}
