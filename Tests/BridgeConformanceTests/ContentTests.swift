import BridgeConformance
import BridgeJSON
import Testing

@Suite struct ContentTests {
    @Test(arguments: [
        (#""a{{limit}}""#, "a4"),
        (#"[{"hex":"61 62"},"c"]"#, "abc"),
        (#"[{"repeat":["a","b"],"times":2},"c"]"#, "ababc"),
        (#"["a",{"fill":"x","to":"{{limit}}"},"b"]"#, "axxb"),
        // A list inside a list is a whole of its own.
        (#"["head",["a",{"fill":"x","to":"{{limit}}"}],"b"]"#, "headaxxxb"),
        (#"[{"repeat":["a",{"fill":"x","to":2}],"times":2},{"fill":"y","to":6}]"#, "axaxyy"),
    ])
    func partsMakeBytes(_ content: String, _ expected: String) throws {
        var bindings = Bindings(limit: 4)
        #expect(try Content(JSON(parsing: content)).bytes(&bindings) == Array(expected.utf8))
    }

    @Test(arguments: [
        #"["abcde",{"fill":"x","to":"{{limit}}"}]"#, #"[{"fill":"x","to":2},{"fill":"x","to":3}]"#,
        #"{"repeat":"a","times":"{{limit-9}}"}"#,
    ])
    func whatCannotBeMadeIsAFault(_ content: String) throws {
        var bindings = Bindings(limit: 4)
        let content = try Content(JSON(parsing: content))
        #expect(throws: StepFault.self) { try content.bytes(&bindings) }
    }
}
