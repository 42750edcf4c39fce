import BridgeConformance
import BridgeJSON
import Testing

/// What the runner says of targets that are right, and of those that are wrong in one way each.
@Suite struct RunnerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var members: String
        var steps: String
        /// nil: it passes.
        var message: String?
        var difference: String?
        var script: ScriptedTarget.Script
        /// Short where a wait is in vain.
        var timeout: Duration

        init(
            _ name: String, members: String = "", steps: String, fails message: String? = nil,
            difference: String? = nil, within timeout: Duration = .seconds(20),
            on script: @escaping ScriptedTarget.Script
        ) {
            testDescription = name
            self.members = members
            self.steps = steps
            self.message = message
            self.difference = difference
            self.timeout = timeout
            self.script = script
        }
    }

    private static let send = #"{"send": {"eventName": "conformance.echo", "requestId": "{{a}}", "n": 1}}"#
    private static let expect = #"{"expect": {"requestId": "{{a}}", "response": {"n": 1}}}"#
    private static let sendB = #"{"send": {"eventName": "conformance.echo", "requestId": "{{b}}", "n": 2}}"#
    private static let expectB = #"{"expect": {"requestId": "{{b}}", "response": {"n": 2}}}"#
    private static var echo: String { "\(send), \(expect)" }
    private static let unheard = #"{"send": {"eventName": "x"}}"#

    /// Answers what has `n`, wrongly; all else as it should.
    private static func wrong(_ script: @escaping ScriptedTarget.Script) -> ScriptedTarget.Script {
        { message in message["n"] == nil ? ScriptedTarget.honest(message) : script(message) }
    }

    private static func answered(_ message: JSON, _ response: JSON? = nil) -> ScriptedTarget.Reaction {
        .line(ScriptedTarget.answer(message["requestId"] ?? .null, response ?? ScriptedTarget.payload(message)))
    }

    private static let other = "something else came than was expected"
    private static let none = "what came is none of what was expected"
    private static let extra = "something came that nothing in the vector expects"

    static let cases: [Case] = [
        Case("an echo", steps: echo, on: ScriptedTarget.honest),
        Case(
            "a wrong value", steps: echo, fails: other, difference: "$.response.n: expected 1, got 1.0",
            on: wrong { [answered($0, ["n": .number(JSONNumber("1.0") ?? 0)])] }),
        Case(
            "a lost member", steps: echo, fails: other, difference: "$.response.n: expected 1, got nothing",
            on: wrong { [answered($0, [:])] }),
        Case(
            "a huge value", steps: echo, fails: other,
            difference: "$.response.n: expected 1, got \"\\\"" + String(repeating: "é", count: 499)
                + "… (60002 bytes)\"",
            on: wrong { [answered($0, ["n": JSON(String(repeating: "é", count: 30_000))])] }),
        Case("an answer that comes twice", steps: echo, fails: extra, on: wrong { [answered($0), answered($0)] }),
        Case(
            "no answer", steps: echo, fails: "nothing came within 0.3 seconds; waited for",
            within: .milliseconds(300), on: wrong { _ in [] }),
        Case("the end", steps: echo, fails: "the target ended it; waited for", on: wrong { _ in [.close] }),
        Case(
            "no JSON", steps: echo, fails: other,
            difference: #"$: expected {"requestId":"{{a}}","response":{"n":1}}, got "nonsense""#,
            on: wrong { _ in [.line("nonsense")] }),
        Case(
            "a line without an end", steps: echo, fails: "the target sent an endless line; waited for",
            within: .seconds(600), on: wrong { _ in [.flood] }),
        Case(
            "an answer to a notification", steps: unheard, fails: extra,
            on: { message in ScriptedTarget.honest(message) + (message["eventName"] == "x" ? [.line("{}")] : []) }),
        Case(
            "any order", steps: "\(send), \(sendB), {\"any-order\": [\(expectB), \(expect)]}",
            on: ScriptedTarget.honest),
        Case(
            "any order, one missing", steps: "\(send), \(sendB), {\"any-order\": [\(expectB), \(expect)]}",
            fails: "nothing came within 0.3 seconds; waited for {\"requestId\":\"{{b}}\"",
            within: .milliseconds(300), on: { $0["n"] == 2 ? [] : ScriptedTarget.honest($0) }),
        // The difference is to the one that was meant: by its id, be it the last of them; then by its members; then by
        // how much of it is right.
        Case(
            "any order, the answer with that id", steps: "\(send), \(sendB), {\"any-order\": [\(expect), \(expectB)]}",
            fails: none, difference: #"$.response: expected {"n":2}, got nothing"#,
            on: wrong { $0["n"] == 2 ? [.line(ScriptedTarget.refusal($0))] : [] }),
        Case(
            "any order, the message with those members",
            steps: #"""
                \#(unheard), {"any-order": [
                    {"expect": {"requestId": "{{_}}", "response": 1}}, {"expect": {"requestId": "{{_}}", "progress": 1}}]}
                """#,
            fails: none, difference: "$.progress: expected 1, got 2",
            on: { _ in [.line(#"{"requestId":1,"progress":2}"#)] }),
        Case(
            "any order, the value that is right the deepest",
            steps: #"""
                \#(unheard), {"any-order": [{"expect": {"a": {"b": 1}}}, {"expect": {"a": {"b": [1, 2]}}}]}
                """#,
            fails: none, difference: "$.a.b[1]: expected 2, got 3", on: { _ in [.line(#"{"a":{"b":[1,3]}}"#)] }),
        // What comes first fits both, and the second only the first of them.
        Case(
            "any order, with a choice to take back",
            steps: #"""
                {"send": {"eventName": "x", "n": 1}},
                {"any-order": [{"expect": "{{_}}"}, {"expect": {"b": "{{integer}}"}}]}
                """#,
            on: wrong { _ in [.line(#"{"b":1}"#), .line("{}")] }),
        Case(
            "the letter", steps: #"\#(send), {"expect-text": "{\"requestId\":\"{{a}}\",\"response\":{\"n\":1}}"}"#,
            on: ScriptedTarget.honest),
        Case(
            "the letter, with a space", steps: #"\#(send), {"expect-text": "{ \"requestId\":\"{{a}}\"}"}"#,
            fails: other, on: ScriptedTarget.honest),
        Case(
            "a text of parts",
            steps: #"""
                {"send-text": [
                    "{\"eventName\":\"conformance.echo\",\"requestId\":\"{{a}}\",\"s\":\"",
                    {"repeat": {"hex": "c3 a9"}, "times": 2}, {"fill": "x", "to": 90}, "\"}"]},
                {"expect": {"requestId": "{{a}}", "response": {"s": "{{s}}"}}},
                {"send": {"eventName": "conformance.echo", "requestId": "{{b}}", "s": "{{s}}"}},
                {"expect": {"requestId": "{{b}}", "response": {"s": "{{s}}"}}}
                """#,
            on: ScriptedTarget.honest),
        Case(
            "chopped",
            steps: #"""
                {"send": {"eventName": "conformance.echo", "requestId": "{{a}}", "n": 1}, "chop": 3}, \#(expect)
                """#,
            on: ScriptedTarget.honest),
        Case(
            "rounds with ids of their own", steps: "{\"repeat\": [\(echo)], \"times\": 3}, \(echo)",
            on: ScriptedTarget.honest),
        Case("a close", steps: "\(unheard), {\"expect-close\": {}}", on: { _ in [.close] }),
        Case(
            "no close", steps: "\(unheard), {\"expect-close\": {}}",
            fails: "nothing came within 0.3 seconds; waited for the end", within: .milliseconds(300), on: { _ in [] }),
        Case(
            "a message instead of a close", steps: "\(unheard), {\"expect-close\": {}}",
            fails: "a message came; waited for the end", on: { _ in [.line("{}")] }),
        Case(
            "a half-close", steps: "\(send), {\"hang-up\": \"half-close\"}, \(expect), {\"expect-close\": {}}",
            on: ScriptedTarget.honest),
        Case(
            "another connection", steps: "\(echo), {\"reconnect\": true}, \(sendB), \(expectB)",
            on: ScriptedTarget.honest),
        Case(
            "what must fail, refused", members: #""mustFail": true,"#, steps: unheard,
            on: { $0["eventName"] == "x" ? [.line(ScriptedTarget.refusal($0))] : ScriptedTarget.honest($0) }),
        Case("what must fail, ended", members: #""mustFail": true,"#, steps: unheard, on: { _ in [.close] }),
        Case(
            "what must fail, taken", members: #""mustFail": true,"#, steps: send, fails: "it was not refused",
            on: ScriptedTarget.honest),
        Case(
            "what can fail, refused", members: #""canFail": true,"#, steps: echo,
            on: wrong { [.line(ScriptedTarget.refusal($0))] }),
        Case("what can fail, taken", members: #""canFail": true,"#, steps: echo, on: ScriptedTarget.honest),
        Case(
            "what can fail, and does otherwise", members: #""canFail": true,"#, steps: echo, fails: other,
            on: wrong { [answered($0, [:])] }),
        Case(
            "a text that cannot be made", steps: #"{"send-text": {"hex": "0"}}"#, fails: "the vector cannot be run",
            on: { _ in [] }),
    ]

    @Test(arguments: cases)
    func whatIsSaidOfATarget(_ test: Case) async throws {
        let vector = try vectors("\(test.members) \"steps\": [\(test.steps)]")
        let results = try await ScriptedTarget.run(test.script) { endpoint in
            await ConformanceRun(plan(vector, endpoint), timeout: test.timeout, seed: 1).run()
        }
        let result = try #require(results.first)
        switch result.outcome {
        case .passed:
            #expect(test.message == nil)
        case .failed(let failure):
            let message = try #require(test.message, "\(failure.message) \(String(describing: failure.difference))")
            #expect(failure.message.hasPrefix(message))
            if let difference = test.difference { #expect(failure.difference?.description == difference) }
        case .skipped(let reason):
            Issue.record("skipped: \(reason)")
        }
    }

    @Test func theWireIsRecordedInBothDirections() async throws {
        let vector = try vectors("\"steps\": [\(Self.echo)]")
        let results = try await ScriptedTarget.run(ScriptedTarget.honest) { endpoint in
            await ConformanceRun(plan(vector, endpoint), timeout: .seconds(20), seed: 1).run()
        }
        let wire = try #require(results.first?.wire)
        #expect(wire.map(\.direction) == [.up, .down, .up, .down])
        #expect(wire.first?.text.hasPrefix(#"{"eventName":"conformance.echo","requestId":"id-"#) == true)
    }

    @Test func ofALongConversationTheBeginningAndTheEndAreShown() async throws {
        let vector = try vectors(
            "\"steps\": [{\"repeat\": [\(Self.echo)], \"times\": 50}, \(Self.unheard), {\"expect\": 1}]")
        let script: ScriptedTarget.Script = { $0["eventName"] == "x" ? [.close] : ScriptedTarget.honest($0) }
        let results = try await ScriptedTarget.run(script) { endpoint in
            await ConformanceRun(plan(vector, endpoint), timeout: .seconds(20), seed: 1).run()
        }
        let (wire, shown) = (try #require(results.first).wire, try #require(results.first).shortWire)
        #expect(wire.count == 102)
        #expect(shown.count == 41)
        #expect(shown[10].shown == "· 62 more")
        #expect(shown.prefix(10) == wire.prefix(10))
        #expect(shown.suffix(30) == wire.suffix(30))
        #expect(shown.last?.shown == "· the target ended it")
    }

    /// The same seed makes the same ids, whatever the order; another makes others.
    @Test func aRunCanBeRepeated() async throws {
        let files = try vectors(#""steps": [\#(Self.echo)]}, {"name": "b", "rule": "L1", "steps": [\#(Self.echo)]"#)
        func wire(_ vectors: [Vector], seed: UInt64) async throws -> [String: [String]] {
            try await ScriptedTarget.run(ScriptedTarget.honest) { endpoint in
                let results = await ConformanceRun(plan(vectors, endpoint), timeout: .seconds(20), seed: seed).run()
                return Dictionary(uniqueKeysWithValues: results.map { ($0.vector.name, $0.wire.map(\.text)) })
            }
        }
        let first = try await wire(files, seed: 7)
        #expect(first.count == 2)
        #expect(first["a"] != first["b"])
        #expect(try await wire(files.reversed(), seed: 7) == first)
        #expect(try await wire(files, seed: 8) != first)
    }

    @Test func theFirstFailureEndsARunThatBails() async throws {
        let steps = #""rule": "L1", "steps": [\#(Self.echo)]"#
        let many = try vectors(steps + (0..<40).map { "}, {\"name\": \"v\($0)\", \(steps)" }.joined(), hasRule: true)
        let results = try await ScriptedTarget.run(Self.wrong { [Self.answered($0, [:])] }) { endpoint in
            await ConformanceRun(plan(many, endpoint), timeout: .seconds(20), seed: 1, bails: true).run()
        }
        #expect(results.count == 41)
        let failed = results.count { if case .failed = $0.outcome { true } else { false } }
        #expect(failed == 1)
    }

    private func vectors(_ members: String, hasRule: Bool = false) throws -> [Vector] {
        let rule = hasRule ? "" : "\"rule\": \"L1\","
        let text = "{\"concern\": \"c\", \"profile\": \"core\", \"vectors\": [{\"name\": \"a\", \(rule) \(members)}]}"
        return try VectorFile(name: "a.json", contents: Array(text.utf8)).vectors
    }

    private func plan(_ vectors: [Vector], _ endpoint: Endpoint) -> Plan {
        let target = Target(endpoints: [endpoint])
        return Plan(vectors, timeout: .seconds(20)) { _ in target }
    }
}

extension ScriptedTarget {
    static func refusal(_ message: JSON) -> String {
        JSON.object(["requestId": message["requestId"] ?? .null, "error": ["code": -32600, "message": "no"]]).text
    }
}
