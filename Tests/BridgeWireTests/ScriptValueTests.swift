import BridgeJSON
import BridgeWire
import Testing

@Suite("The tagged form of postMessage bodies")
struct ScriptValueTests {
    static let plain: [(String, String)] = [
        ("1", "1"), ("null", "null"), (#""a""#, #""a""#), (#"{"$undefined":true}"#, "null"),
        (#"{"a":{"$undefined":true},"b":1}"#, #"{"b":1}"#),
        (#"[1,{"$undefined":true},2]"#, "[1,null,2]"),
        (#"[{"$number":"-0"}]"#, "[-0]"),
        (#"{"$date":0}"#, #""1970-01-01T00:00:00.000Z""#),
        (#"{"$date":1709208000123}"#, #""2024-02-29T12:00:00.123Z""#),
        (#"{"$date":-1}"#, #""1969-12-31T23:59:59.999Z""#),
        (#"{"$date":8640000000000000}"#, #""+275760-09-13T00:00:00.000Z""#),
        (#"{"$date":-8640000000000000}"#, #""-271821-04-20T00:00:00.000Z""#),
        (#"{"$date":-62198755200000}"#, #""-000001-01-01T00:00:00.000Z""#),
        (#"{"$object":{"$date":5}}"#, #"{"$date":5}"#),
        (#"{"$object":{"$undefined":{"$undefined":true}}}"#, "{}"),
        (#"{"a":[1],"b":{"$ref":1}}"#, #"{"a":[1],"b":[1]}"#),
        (#"[{"$object":{"$a":1}},{"$ref":1}]"#, #"[{"$a":1},{"$a":1}]"#),
        (#"[[[]],{"$ref":2},{"$ref":1}]"#, "[[[]],[],[[]]]"),
        (#"{"$a":1,"b":2}"#, #"{"$a":1,"b":2}"#),
    ]

    @Test("As a typed handler sees it", arguments: plain)
    func decode(tagged: String, expected: String) throws {
        #expect(try ScriptValue.decode(JSON(parsing: tagged), nesting: 512).text == expected)
    }

    @Test(
        "What a native value cannot hold, and what is no tag, says where",
        arguments: [
            (#"{"a":[1,{"$number":"NaN"}]}"#, "$.a[1]"), (#"{"$number":"Infinity"}"#, "$"),
            (#"{"a b":{"$number":"-Infinity"}}"#, #"$["a b"]"#), (#"[{"$date":null}]"#, "$[0]"),
            (#"{"self":{"$ref":0}}"#, "$.self"), (#"{"a":{"b":[{"$ref":1}]}}"#, "$.a.b[0]"),
            (#"[{"$ref":5}]"#, "$[0]"), (#"[{"$ref":-1}]"#, "$[0]"), (#"[{"$ref":"0"}]"#, "$[0]"),
            (#"[{"$undefined":false}]"#, "$[0]"), (#"[{"$date":8640000000000001}]"#, "$[0]"),
            (#"[{"$date":1.5}]"#, "$[0]"), (#"[{"$object":1}]"#, "$[0]"), (#"[{"$what":1}]"#, "$[0]"),
            (#"[{"$number":1}]"#, "$[0]"),
        ])
    func faults(tagged: String, path: String) throws {
        let json = try JSON(parsing: tagged)
        let fault = #expect(throws: ScriptValue.Fault.self) { try ScriptValue.decode(json, nesting: 512) }
        #expect(fault?.path.description == path)
    }

    @Test("References cannot make a value grow without bounds")
    func growth() throws {
        // Each array holds the one before it twice: two to the power of forty when repeated.
        var wide = "[]"
        for level in 1...40 { wide += ",[{\"$ref\":\(level)},{\"$ref\":\(level)}]" }
        let doubling = try JSON(parsing: "[\(wide)]")
        #expect(throws: ScriptValue.Fault.self) { try ScriptValue.decode(doubling, nesting: 512) }
        // Each holds the one before it: as deep as there are elements.
        var deep = "[]"
        for level in 1...600 { deep += ",[{\"$ref\":\(level)}]" }
        let chain = try JSON(parsing: "[\(deep)]")
        #expect(throws: ScriptValue.Fault.self) { try ScriptValue.decode(chain, nesting: 512) }
        #expect(throws: Never.self) { try ScriptValue.decode(chain, nesting: 602) }
        // Few values with much text: a mebibyte seventeen times over.
        let text = String(repeating: "x", count: 1 << 20)
        for part in ["[\"\(text)\"]", "{\"\(text)\":1,\"b\":1}", "[1\(text.replacing("x", with: "0"))]"] {
            for times in [14, 17] {
                let references = Array(repeating: #"{"$ref":1}"#, count: times).joined(separator: ",")
                let json = try JSON(parsing: "[\(part),\(references)]")
                let decoded = Result { try ScriptValue.decode(json, nesting: 512) }
                #expect((try? decoded.get()) != nil || times == 17)
                #expect(times == 14 || (try? decoded.get()) == nil)
            }
        }
    }

    @Test(
        "Native values go out so that the same comes in",
        arguments: [#"{"$date":5}"#, #"[{"$ref":0},{"$object":{"$x":null}}]"#, "-0", #"{"a":{"$b":{"$c":[]}}}"#])
    func roundTrip(text: String) throws {
        let json = try JSON(parsing: text)
        #expect(try ScriptValue.decode(ScriptValue.encode(json), nesting: 512).text == text)
    }
}
