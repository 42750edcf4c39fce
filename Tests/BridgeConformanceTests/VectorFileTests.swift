import BridgeConformance
import Testing
import WebFixtures

@Suite struct VectorFileTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var fault: String
        var testDescription: String { fault }

        /// A file that is right but for a vector's members.
        static func vector(_ members: String, _ fault: String) -> Case {
            Case(text: #"{"concern":"c","profile":"core","vectors":[{\#(members)}]}"#, fault: "$.vectors[0]" + fault)
        }

        static func step(_ step: String, _ fault: String) -> Case {
            vector(#""name":"n","rule":"L1","steps":[\#(step)]"#, ".steps[0]: " + fault)
        }
    }

    @Test(arguments: [
        Case(text: "[]", fault: "$: it is an array, not an object"),
        Case(text: "{", fault: "$: line 1: "),
        Case(text: #"{"concern":"c","vectors":[]}"#, fault: "$: it has no profile"),
        Case(
            text: #"{"concern":"c","profile":"cor","vectors":[]}"#,
            fault: #"$: "profile" is none of core, rpc, session, surface, transport"#),
        Case(
            text: #"{"concern":"c","profile":"core","role":"pages","vectors":[]}"#,
            fault: #"$: "role" is none of native, page"#),
        Case(text: #"{"concern":"c","profile":"core","vectors":{}}"#, fault: #"$: "vectors" is no list"#),
        Case(text: #"{"concern":"c","profile":"core","vector":[]}"#, fault: #"$: "vector" means nothing here"#),
        .vector(#""rule":"L1","steps":[]"#, #": "name" is missing"#),
        .vector(#""name":"n","rule":"L1","steps":[]"#, ": it has no steps"),
        .vector(
            #""name":"n","rule":"L1","steps":[{"quiet":true}],"mustfail":true"#, #": "mustfail" means nothing here"#),
        .vector(
            #""name":"n","rule":"L1","steps":[{"expect":1}],"mustFail":true"#,
            ": a vector that must fail has only things to send"),
        .vector(#""name":"n","rule":"L1","steps":[{"quiet":true}],"needs":"http""#, #": "needs" is none of session"#),
        .step("{}", "a step has one of the members that name steps"),
        .step(#"{"send":1,"expect":1}"#, "a step has one of the members that name steps"),
        .step(#"{"sent":1}"#, #""sent" is no step"#),
        .step(#"{"quiet":false}"#, #""quiet" is no step"#),
        .step(#"{"expect":1,"chop":1}"#, #""chop" is a number of bytes, beside something to send"#),
        .step(#"{"send":1,"chop":0}"#, #""chop" is a number of bytes, beside something to send"#),
        .step(#"{"hang-up":"slowly"}"#, "half-close, cut or a close code ends a connection"),
        .step(#"{"any-order":[{"send":1}]}"#, #"only "expect" and "expect-text" come in any order"#),
        .step(#"{"repeat":[{"send":1}]}"#, #""times" and "repeat" need each other"#),
    ])
    func whatIsNoFileOfVectorsIsRefusedWithItsPlace(_ test: Case) {
        do throws(VectorFault) {
            _ = try VectorFile(name: "f.json", contents: Array(test.text.utf8))
            Issue.record("it was taken")
        } catch {
            #expect(error.description.hasPrefix("f.json: \(test.fault)"), "\(error)")
        }
    }

    @Test func theEmbeddedFilesAreRight() throws {
        let files = try VectorFile.embedded()
        #expect(!files.isEmpty)
        let names = files.flatMap(\.vectors).map(\.name)
        let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
        #expect(twice.isEmpty, "names of several vectors: \(twice)")
    }

    @Test func rulesAreReadFromTheProtocol() {
        let rules = Rules.embedded
        #expect(rules.text("D2") == "An event without `requestId` is a notification and never answered.")
        #expect(rules.text("S5")?.contains(#""NaN"|"Infinity""#) == true)
        #expect(rules.all.first?.id == "T1")
        #expect(rules.all.last?.id == "X3")
        #expect(rules.text("message") == nil, "limits have no number")
    }
}
