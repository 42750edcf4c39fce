import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// What the app's own scripts give, in a real browser; the numbers are those of the facts about WebKit.
@MainActor
@Suite(.timeLimit(.minutes(5)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct ScriptTests {
    @Test(
        arguments: [
            // 3.1, 3.3: the completion value of a program.
            ("1 + 2", 3), ("var x = 1", .undefined), ("", .undefined), ("{a: 1}", 1),
            ("if (true) 'yes'; else 'no'", "yes"),
            // 3.5
            ("undefined", .undefined), ("null", nil), ("true", true), ("-0", -0.0), ("NaN", .number(.nan)),
            ("-Infinity", .number(-.infinity)), ("10n", .undefined), ("'\\ud83d\\ude00 \\ud83d'", "\u{1F600} \u{FFFD}"),
            ("({a: [1, {b: null}]})", ["a": [1, ["b": nil]]]),
            ("new Date(1500)", .date(Date(timeIntervalSince1970: 1.5))),
            ("({then: 1})", ["then": 1]), ("'x'.repeat(1 << 20).length", 1_048_576),
            // Another program sees what this one declares.
            ("let declared = 5; declared", 5),
        ] as [(String, JavaScriptValue)])
    func aProgramsValue(_ script: String, _ value: JavaScriptValue) async throws {
        try await Chromium.withPage { page, pages in
            // 3.4: before any load, and after one.
            expectSame(try await page.evaluateJavaScript(script), value)
            try await page.arrive(at: pages.url("/a"))
            expectSame(try await page.evaluateJavaScript(script), value)
        }
    }

    @Test func aProgramsFailures() async throws {
        try await Chromium.withPage { page, pages in
            for (script, expected) in [
                // 3.1, 3.9 to 3.11; the texts are V8's.
                ("return 1", "4 SyntaxError: Illegal return statement @1"),
                ("nope", "4 ReferenceError: nope is not defined @1"),
                ("\n\nthrow 'something bad'", "4 something bad @3"),
                ("throw new TypeError('tt')", "4 TypeError: tt @1"),
                ("throw {a: 1}", "4 [object Object] @1"), ("throw null", "4 null @1"),
                ("throw undefined", "4 undefined @1"),
                ("throw Symbol('s')", "4 Symbol(s) @1"), ("throw {toString() { throw 1 }}", "4 [object Object] @1"),
                ("throw 5", "4 5 @1"), ("throw ''", "4  @1"),
                // 3.6, 3.7
                ("document.body", "5"), ("(() => 1)", "5"), ("Symbol()", "5"), ("window", "5"),
                ("Promise.resolve(1)", "5"),
                ("new Proxy({}, {})", "5"), ("new WeakMap", "5"), ("(function*(){})()", "5"), ("({f() {}})", "5"),
                ("[document]", "5"), ("var cycle = []; cycle.push(cycle); cycle", "5"),
                ("var deep = []; for (let n = 0; n < 100000; n++) deep = [deep]; deep", "5"),
                (
                    "await 1",
                    "4 SyntaxError: await is only valid in async functions and the top level bodies of modules @1"
                ),
            ] {
                #expect(await page.failure(evaluating: script) == expected, "\(script)")
            }
        }
    }

    @Test func aCallsValue() async throws {
        try await Chromium.withPage { page, pages in
            let cases: [(String, [String: JavaScriptValue], JavaScriptValue)] = [
                // 3.14, 3.17 to 3.20, 3.22
                ("return a + b", ["a": 40, "b": 2], 42), ("return a + b", ["a": "foo", "b": 42], "foo42"),
                ("1", [:], .undefined),
                ("return null", [:], nil), ("return arguments.length", ["a": 1, "b": 2], 2),
                ("return this === window", [:], true),
                ("return Promise.resolve(Promise.resolve(7))", [:], 7),
                ("return await new Promise(r => setTimeout(r, 1, 8))", [:], 8),
                ("return {then(fulfil) { fulfil('thenable') }}", [:], "thenable"),
                ("return {then: 1}", [:], ["then": 1]),
                ("return new Proxy({then(f) { f(9) }}, {})", [:], 9), ("return $a_1é", ["$a_1é": 1], 1),
                ("return 1 // a comment", [:], 1), ("return typeof a", ["a": .undefined], "undefined"),
                ("return a.length", ["a": .string(String(repeating: "é", count: 1 << 20))], 1_048_576),
                ("return new AsyncFunction()()", ["AsyncFunction": nil], .undefined),
            ]
            for (body, arguments, value) in cases.dropLast() {
                expectSame(try await page.callJavaScript(body, arguments: arguments), value, "\(body)")
            }
            let values: JavaScriptValue = [
                nil, true, false, 1.5, -0.0, .number(.nan), .number(.infinity), "\u{0}\u{2028}é'\"\\",
                .date(Date(timeIntervalSince1970: 1.25)),
                ["__proto__": 1, "toString": 2, "": [[], [:]]], ["$date": 1], ["$object": ["$ref": 0]], ["$ref": 0],
            ]
            expectSame(try await page.callJavaScript("return v", arguments: ["v": values]), values)
            // 3.32
            #expect(try await page.callJavaScript("return window.foo") == .undefined)
        }
    }

    @Test func aCallsFailures() async throws {
        try await Chromium.withPage { page, pages in
            for (body, expected) in [
                // 3.18, 3.19, 3.21: no place.
                ("return nope", "4 ReferenceError: nope is not defined"),
                ("retunr null", "4 SyntaxError: Unexpected token 'null'"),
                ("throw new Error('e1')", "4 Error: e1"), ("return Promise.reject('rej')", "4 rej"),
                ("return Promise.reject()", "4 undefined"), ("throw {}", "4 [object Object]"),
                // 3.14: nothing of it runs.
                ("window.ran = 1 }); (function(){ window.ran = 1", "4 SyntaxError: Single function literal required"),
                ("window.ran = 1 }, function(){", "4 SyntaxError: Single function literal required"),
                ("} window.ran = 1; {", "4 SyntaxError: Unexpected identifier 'window'"),
                ("/*", "4 SyntaxError: Invalid or unexpected token"),
                ("return document", "5"), ("return [() => 1]", "5"), ("return new Promise(r => r(window))", "5"),
            ] {
                #expect(await page.failure(calling: body) == expected, "\(body)")
            }
            for name in ["", "a b", "1a", "class", "await", "a=1", "...a", "{a}", "a,b", "a){window.ran=1", "a/*"] {
                let text = await page.failure(calling: "return 1", [name: 1])
                #expect(
                    text.hasPrefix("4 SyntaxError: ") && text.hasSuffix(" is no name that an argument can have"),
                    "\(name): \(text)")
            }
            let ran = try await page.evaluateJavaScript("window.ran")
            #expect(ran == .undefined)
        }
    }

    /// 3.26
    @Test func callsEndAsTheyAreSettled() async throws {
        try await Chromium.withPage { page, pages in
            var order: [JavaScriptValue] = []
            let slow = Task {
                order.append(try await page.callJavaScript("return await new Promise(r => window.settle = r)"))
            }
            while try await page.evaluateJavaScript("typeof window.settle") != "function" {}
            order.append(try await page.callJavaScript("return 'fast'"))
            try await page.evaluateJavaScript("window.settle('slow')")
            try await slow.value
            #expect(order == ["fast", "slow"])
        }
    }

    /// 3.23 to 3.25
    @Test func aCallNeverHangs() async throws {
        try await Chromium.withPage { page, pages in
            try await page.arrive(at: pages.url("/a"))
            let unreachable = "4 Completion handler for function call is no longer reachable"
            var call = try await pending(page)
            try await page.arrive(at: pages.url("/b"))
            #expect(await call.value == unreachable)
            // By another origin's document, and by one that may have been kept.
            call = try await pending(page)
            try await page.arrive(at: pages.url("/c", host: "localhost"))
            #expect(await call.value == unreachable)
            call = try await pending(page)
            try await page.arriveBack()
            #expect(await call.value == unreachable)

        }
    }

    @Test func aClosedPageEndsCalls() async throws {
        try await Chromium.withPage { page, pages in
            let call = try await pending(page)
            page.close()
            #expect(await call.value == "3")
            #expect(await page.failure(evaluating: "1") == "3")
            #expect(await page.failure(calling: "return 1") == "3")
        }
    }

    @Test func aCallThatIsCancelledEndsAtOnce() async throws {
        try await Chromium.withPage { page, pages in
            let call = try await pending(page)
            call.cancel()
            #expect(await call.value == "CancellationError()")
        }
    }

    @Test func aCrashEndsCallsAndTheNextLoadTakesThem() async throws {
        try await Chromium.withPage { page, pages in
            let call = try await pending(page)
            try #require(page.backing as? ChromiumWebView).crash()
            #expect(await call.value == "2")
            #expect(await page.failure(evaluating: "1") == "2")
            try await page.arrive(at: pages.url("/a"))
            #expect(try await page.callJavaScript("return 1") == 1)
        }
    }

    /// A call that has begun and does not end.
    private func pending(_ page: WebPage) async throws -> Task<String, Never> {
        try await page.evaluateJavaScript("window.called = false")
        let call = Task {
            await page.failure(calling: "window.called = true; await new Promise(r => window.keep = r)")
        }
        while try await page.evaluateJavaScript("window.called") != true {}
        return call
    }

    /// 3.23: by the garbage collector.
    @Test func whatNothingCanSettleIsUnreachable() async throws {
        try await Chromium.withPage { page, pages in
            let call = Task { await page.failure(calling: "window.called = true; await new Promise(() => {})") }
            let web = try #require(page.backing as? ChromiumWebView)
            while try await page.evaluateJavaScript("window.called") != true {}
            let collector = Task {
                while !Task.isCancelled { try await web.collectGarbage() }
            }
            #expect(await call.value == "4 Completion handler for function call is no longer reachable")
            collector.cancel()
        }
    }

    /// 3.35
    @Test func aScriptIsAUsersGesture() async throws {
        try await Chromium.withPage { page, pages in
            let isActive = try await page.evaluateJavaScript("navigator.userActivation.isActive")
            #expect(isActive == true)
        }
    }

    /// A page's policy is about the page's own scripts, and so is what it has replaced.
    @Test func thePageCannotGetInTheWay() async throws {
        try await Chromium.withPage { page, pages in
            var answer = Pages.Answer.page(
                "strict",
                """
                <script>
                for (const owner of [Array.prototype, Map.prototype, String.prototype, Promise.prototype, JSON, Object, RegExp.prototype,
                    Function.prototype, WeakMap.prototype, Reflect]) {
                  for (const name of Object.getOwnPropertyNames(owner)) {
                    if (name === "constructor" || name === "prototype" || typeof owner[name] !== "function") continue;
                    try { Reflect.defineProperty(owner, name, { value() { window.seen = name; throw new Error("mine") } }) } catch {}
                  }
                }
                Array.prototype.toJSON = String.prototype.toJSON = () => "mine";
                window.Promise = window.Map = window.AsyncFunction = undefined;
                </script>
                """)
            answer.fields.append(
                ("Content-Security-Policy", "script-src 'unsafe-inline'; require-trusted-types-for 'script'"))
            pages["/strict"] = answer
            try await page.arrive(at: pages.url("/strict"))
            let value: JavaScriptValue = ["a": [1, "x", nil], "d": .date(Date(timeIntervalSince1970: 1))]
            #expect(try await page.callJavaScript("return v", arguments: ["v": value]) == value)
            #expect(try await page.evaluateJavaScript("({a: [1, {b: 'x'}]})") == ["a": [1, ["b": "x"]]])
            #expect(await page.failure(calling: "throw 'x'") == "4 x")
            #expect(try await page.evaluateJavaScript("window.seen") == .undefined)
            let evaluated = await page.failure(evaluating: "eval('1')")
            #expect(evaluated.contains("EvalError"))
        }
    }

    /// Nothing of the engine's can be found from a page's script.
    @Test func thePageSeesNothingOfIt() async throws {
        try await Chromium.withPage { page, pages in
            try page.messageHandlers.add("h", Posted())
            try await page.arrive(at: pages.url("/a"))
            try await page.evaluateJavaScript(
                "var clean = document.createElement('iframe'); document.body.append(clean); 0")
            _ = try await page.callJavaScript("return {a: 1}")
            let names = try await page.evaluateJavaScript(
                "Reflect.ownKeys(window).filter(name => typeof name == 'symbol' || /^_|bridgehead/.test(name)).map(String)"
            )
            #expect(names == [])
            let caller = try await page.callJavaScript(
                "return (function f() { return [String(arguments.callee.caller), new Error().stack] })()")
            #expect(caller[0] == "null" || caller[0]?.string?.contains("_") == false)
        }
    }
}

/// NaN is NaN here, and 0 is not −0.
func expectSame(
    _ one: JavaScriptValue, _ other: JavaScriptValue, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(exact(one) == exact(other), comment, sourceLocation: sourceLocation)
}

func exact(_ value: JavaScriptValue) -> String {
    switch value {
    case .undefined: "undefined"
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number): "\(number)"
    case .string(let string): string.utf8.count > 1000 ? "\(string.utf8.count) bytes" : string.debugDescription
    case .date(let date): "date(\(date.timeIntervalSince1970))"
    case .array(let elements): "[\(elements.map(exact).joined(separator: ", "))]"
    case .object(let object):
        "{\(object.map { "\($0.name.debugDescription): \(exact($0.value))" }.joined(separator: ", "))}"
    }
}
