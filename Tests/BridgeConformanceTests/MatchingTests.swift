import BridgeConformance
import BridgeJSON
import Testing

@Suite struct MatchingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var expected: String
        var actual: String
        /// nil: they match.
        var difference: String?

        init(_ expected: String, _ actual: String, _ difference: String? = nil) {
            self.expected = expected
            self.actual = actual
            self.difference = difference
        }

        var testDescription: String { "\(expected) \(actual)" }
    }

    @Test(arguments: [
        Case("1", "1"),
        Case("1", "1.0", "$: expected 1, got 1.0"),
        Case("1", "true", "$: expected 1, got true"),
        Case(#""\u00e9""#, #""é""#),
        Case(#""é""#, #""e\u0301""#, #"$: expected "é", got "é""#),
        Case("null", "null"),
        Case("null", "0", "$: expected null, got 0"),
        Case(#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#),
        Case(#"{"a":1}"#, #"{"a":1,"b":null}"#, "$.b: expected nothing, got null"),
        Case(#"{"a":1,"b":null}"#, #"{"a":1}"#, "$.b: expected null, got nothing"),
        Case(#"{"a":1,"{{...}}":true}"#, #"{"a":1,"b":null}"#),
        Case(#"{"a":{"b":[1,{"c":2}]}}"#, #"{"a":{"b":[1,{"c":3}]}}"#, "$.a.b[1].c: expected 2, got 3"),
        Case("[1,2]", "[1]", "$[1]: expected 2, got nothing"),
        Case("[1]", "[1,2]", "$[1]: expected nothing, got 2"),
        Case(#""{{_}}""#, #"{"x":1}"#),
        Case(#""{{string}}""#, #""""#),
        Case(#""{{string}}""#, "1", #"$: expected "{{string}}", got 1"#),
        Case(#""{{integer}}""#, "-12"),
        Case(#""{{integer}}""#, "1.0", #"$: expected "{{integer}}", got 1.0"#),
        Case(#""{{number}}""#, "1e3"),
        Case(#""{{boolean}}""#, "false"),
        Case(#""{{array}}""#, "[]"),
        Case(#""{{object}}""#, "[]", #"$: expected "{{object}}", got []"#),
        // A name takes what is there, and is that from then on.
        Case(#"["{{a}}","{{a}}"]"#, #"["x","x"]"#),
        Case(#"["{{a}}","{{a}}"]"#, #"[1,1.0]"#, "$[1]: expected 1, got 1.0"),
        Case(#"["{{limit}}","{{limit+1}}","{{limit-1}}","{{limit*2}}"]"#, "[8,9,7,16]"),
        Case(#""{{limit}}""#, "9", "$: expected 8, got 9"),
        Case(#""http://{{host}}/""#, #""http://127.0.0.1:1/""#),
        Case(#""{{no end""#, #""{{no end""#),
    ])
    func whatIsExpectedIsComparedWithWhatCame(_ test: Case) throws {
        var bindings = Bindings(limit: 8, host: "127.0.0.1:1")
        let expected = try JSON(parsing: test.expected)
        let actual = try JSON(parsing: test.actual)
        var difference: String?
        do throws(Difference) {
            try bindings.match(expected, actual)
        } catch {
            difference = error.description
        }
        #expect(difference == test.difference)
    }
}
