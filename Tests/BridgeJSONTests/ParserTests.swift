import BridgeJSON
import Testing

/// What RFC 8259 takes and what it does not, in the spirit of JSONTestSuite.
struct ParserTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "-0.0", "0e1", "1E-400", "1e400", "1E+2", "0.5", "-12.50e-07", "\"\"", "[]",
        "{}", "[1]", "[null,true,false]", #"{"":0}"#, #"{"a":{"b":[{}]}}"#, "[[],[[]],{}]", #""\"\\/\b\f\n\r\t""#,
        "123456789012345678901234567890", "-9223372036854775808", "\"é e\u{301} 😀 \u{7F} \u{10FFFF}\"",
    ])
    func acceptsAndWritesBack(text: String) throws {
        let json = try JSON(parsing: text)
        let written = json.text
        #expect(written == text.replacing(#"\/"#, with: "/") || text.contains(#"\/"#))
        #expect(try JSON(parsing: written) == json)
    }

    @Test(arguments: [
        (" \t\r\n[ 1 , 2 ]\n", "[1,2]"), (#"{ "a" : 1 , "b" : 2 }"#, #"{"a":1,"b":2}"#),
        (#""\u0041\u00e9\u20AC\ud83d\ude00\uD83D\uDE00""#, #""Aé€😀😀""#), (#""\/""#, #""/""#),
        (#""\u0000\u001f\u007f\u2028\u2029/\"\\\ud83d\ude00""#, #""\u0000\u001f"# + "\u{7F}" + #"\u2028\u2029/\"\\😀""#),
        ("\"\u{2028}\u{2027}\u{202A}\u{D7FF}\"", "\"\\u2028\u{2027}\u{202A}\u{D7FF}\""),
    ])
    func writesCompactly(text: String, written: String) throws {
        #expect(try JSON(parsing: text).text == written)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "undefined", "'a'", "[1,]", "[,1]", "[1,,2]",
        "[1 2]",
        "[", "]", "[1", "[1}", "[1,", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}",
        "{1:1}",
        "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":1]", "{,}", "{\"a\":1,,\"b\":2}", "{\"a\"::1}", "[]]", "{}{}", "1 2",
        "1,", "null x",
        "01", "-01", "00", "-", "+1", ".5", "1.", "1.e1", "1e", "1e+", "1e-", "0x10", "1_000", "1.2.3", "--1", "- 1",
        "1a", "-a",
        "\"", "\"a", "\"\\", "\"\\\"", "\"\\x41\"", "\"\\u\"", "\"\\u12\"", "\"\\u005g\"", "\"\\u 123\"",
        "\"\\ud83d\\u", "\"\\ud83d\\u\"",
        "\"\\U0041\"", "\"a\nb\"", "\"a\tb\"", "\"\u{0}\"", "\"\u{1F}\"", "\"\\\n\"", "\u{FEFF}1", "[1]\u{0}",
        "\u{A0}1", "//c\n1", "/**/1", "[1]//",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"foobar, \"params\":\"bar\",\"baz]",
    ])
    func refuses(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: text) }
    }

    /// Cut off anywhere, a text of this kind is no JSON; the parser says so at or before the end.
    @Test func refusesEveryPrefix() throws {
        let text = Array(#"{"a":[1,-2.5e+3,true,null,"x\n\ud83d\ude00é"],"b":{"c":false}}"#.utf8)
        _ = try JSON(parsing: text)
        for count in 0..<text.count {
            let error = #expect(throws: JSONError.self) { try JSON(parsing: Array(text[..<count])) }
            #expect(error.map { $0.offset <= count } == true)
        }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ] as [[UInt8]])
    func refusesInvalidUTF8(bad: [UInt8]) {
        let padding = Array("padding that is longer than a word".utf8)
        for (before, after) in [("", ""), ("\\n", ""), ("\\ud800", "\\u0080"), ("é", "é"), ("", "\\n")] {
            for filler in [[], padding] {
                let head = Array("[\"".utf8) + Array(before.utf8) + filler
                let error = #expect(throws: JSONError.self) {
                    try JSON(parsing: head + bad + Array(after.utf8) + Array("\"]".utf8))
                }
                #expect(error?.offset == head.count, "\(bad) after \(before)")
                #expect(error?.path.description == "$[0]")
            }
        }
        #expect(throws: JSONError.self) { try JSON(parsing: bad) }
    }

    @Test func stringsOfEveryLengthKeepTheirBytes() throws {
        for count in 0..<70 {
            for ending in ["", "é", "😀", "\\n", "\\ud800", "\u{7F}"] {
                let text = "\"" + String(repeating: "x", count: count) + ending + "\""
                #expect(try JSON(parsing: text).text == text)
            }
        }
    }

    @Test(arguments: [1, 2, 512, 1024])
    func depthLimitIsInclusive(limit: Int) throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            for depth in [limit - 1, limit, limit + 1] {
                let inner = depth > 0 ? "1" : "0"
                let text = String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
                let result = Result { try JSON(parsing: Array(text.utf8), maximumDepth: limit) }
                #expect((try? result.get().text) == (depth <= limit ? text : nil), "\(depth) of \(limit)")
            }
        }
        #expect(throws: JSONError.self) {
            try JSON(parsing: Array(String(repeating: "[", count: 100_000).utf8), maximumDepth: .max)
        }
    }

    @Test func manyMembersAreLinear() throws {
        let names = (0..<100_000).map { "key\($0)" }
        let text = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + ",\"key7\":2}"
        let object = try #require(JSON(parsing: text).object)
        #expect(object.count == 100_000)
        #expect(object.members[7].value == 2)
        #expect(names.allSatisfy { object[$0] != nil } && object["key100000"] == nil)
        #expect(JSON.object(object) == JSON.object(object))
    }
}
