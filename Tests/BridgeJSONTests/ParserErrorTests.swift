import BridgeJSON
import Testing

struct ParserErrorTests {
    @Test(arguments: [
        ("", 1, 1, "$", "expected a value, found the end of the text"),
        ("[1,\n 2,\n  x]", 3, 3, "$[2]", "expected a value, found `x`"),
        (#"{"a":{"b c":[true,]}}"#, 1, 19, #"$.a["b c"][1]"#, "expected a value, found `]`"),
        (#"{"é😀":1,}"#, 1, 9, "$", "expected a member's name in quotes, found `}`"),
        ("{\"a\":1,\r\n\"b\" 2}", 2, 5, "$.b", "expected `:` after a member's name, found `2`"),
        ("[1", 1, 3, "$[1]", "the text ends inside an array"),
        ("[01]", 1, 2, "$[0]", "a number with a leading zero"),
        ("[1 2]", 1, 4, "$[1]", "expected `,` or `]`, found `2`"),
        ("{\"x\":\"a\tb\"}", 1, 8, "$.x", "a control character in a string: byte 0x9"),
        ("1 x", 1, 3, "$", "the text goes on after the value: found `x`"),
        ("\u{FEFF}1", 1, 1, "$", "the text begins with a byte order mark"),
        ("[\"\\q\"]", 1, 3, "$[0]", "an escape that JSON does not have"),
        ("{\"a\":1,\"\\q\":2}", 1, 9, "$", "an escape that JSON does not have"),
        ("[[\"\\u12\"]]", 1, 4, "$[0][0]", "`\\u` needs four hexadecimal digits"),
        ("[\"abc", 1, 6, "$[0]", "the text ends inside a string"),
    ])
    func saysWhereAndWhat(text: String, line: Int, column: Int, path: String, reason: String) throws {
        let error = try #require(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(error.description == "line \(line), column \(column) (\(path)): \(reason)")
    }

    @Test func tooDeepIsSaidAtTheBracket() throws {
        let error = try #require(throws: JSONError.self) {
            try JSON(parsing: Array("[[{\"a\":[]}]]".utf8), maximumDepth: 3)
        }
        #expect(error.description == "line 1, column 8 ($[0][0].a): nesting is deeper than 3 levels")
    }
}

/// The dialect of files that people write.
struct AnnotatedDialectTests {
    @Test(arguments: [
        ("// c\n[1, // one\n 2, /* two */ ] // end", "[1,2]"), ("/**/{\"a\"/*:*/:/***/1,}", #"{"a":1}"#),
        ("[[],{},]", "[[],{}]"),
        ("\"//\"", "\"//\""), ("1//", "1"),
    ])
    func accepts(text: String, written: String) throws {
        #expect(try JSON(parsing: Array(text.utf8), dialect: .annotated).text == written)
        #expect((try? JSON(parsing: text))?.text == (text == written ? written : nil))
    }

    @Test(arguments: ["", "//", "[,]", "{,}", "[1,,]", "/* 1", "/*/", "1 /", "/1", "[1]/**", "{\"a\":,}", "'a'", "#1"])
    func refuses(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: Array(text.utf8), dialect: .annotated) }
    }

    /// A member's place is its name's.
    @Test func placesOfValues() throws {
        let text = "{ // answers\n  \"a\": [1, {\"b c\": true}],\n  \"a\u{E9}\": 2,\n}"
        let document = try JSONDocument(parsing: Array(text.utf8))
        #expect(document.root["a"]?[0] == 1)
        let places: [([JSONPath.Element], Int, Int)] = [
            ([], 1, 1), ([.name("a")], 2, 3), ([.name("a"), .index(0)], 2, 9),
            ([.name("a"), .index(1), .name("b c")], 2, 13),
            ([.name("aé")], 3, 3), ([.name("a"), .index(1), .name("missing"), .index(3)], 2, 12), ([.name("z")], 1, 1),
        ]
        for (path, line, column) in places {
            #expect(document.place(of: JSONPath(path)) == (line, column))
        }
    }
}
