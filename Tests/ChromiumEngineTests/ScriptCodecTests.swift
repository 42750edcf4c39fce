import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// What leaves a page as what: WebKit's table, for results and for messages, in a real browser.
@MainActor
@Suite(.timeLimit(.minutes(5)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct ScriptCodecTests {
    /// nil: it cannot leave.
    private static let table: [(String, JavaScriptValue?)] = [
        ("true", true), ("1.5", 1.5), ("-0", -0.0), ("NaN", .number(.nan)), ("-Infinity", .number(-.infinity)),
        ("'é\\u{1f600}\\u0000'", "é\u{1F600}\u{0}"), ("'a\\ud83d'", "a\u{FFFD}"), ("null", nil as JavaScriptValue),
        ("undefined", .undefined), ("({a: undefined, b: 1})", ["b": 1]), ("[undefined, , 1]", [nil, nil, 1]),
        ("new Date(1234)", .date(Date(timeIntervalSince1970: 1.234))),
        ("new Date(NaN)", .date(Date(timeIntervalSince1970: .nan))),
        ("Object.assign([1, 2], {extra: 3})", [1, 2]),
        ("new (class A { constructor() { this.x = 1 } get y() { return 2 } })", ["x": 1]),
        ("Object.freeze({a: 1})", ["a": 1]), ("Object.assign(Object.create(null), {a: 1})", ["a": 1]),
        ("Object.create({inherited: 1}, {hidden: {value: 1}, seen: {value: 2, enumerable: true}})", ["seen": 2]),
        ("({[Symbol()]: 1, a: 2})", ["a": 2]), ("new Map([[1, 2]])", [:]), ("new Set([1])", [:]), ("/x/", [:]),
        ("new Error('e')", [:]),
        ("new ArrayBuffer(2)", [:]), ("new DataView(new ArrayBuffer(2))", [:]), ("new Number(1)", [:]),
        ("new Boolean(true)", [:]),
        ("new Uint8Array([7, 8])", ["0": 7, "1": 8]), ("new String('ab')", ["0": "a", "1": "b"]),
        ("new Blob(['x'])", nil as JavaScriptValue),
        ("new File([], 'f')", nil as JavaScriptValue), ("new ImageData(1, 1)", nil as JavaScriptValue),
        ("10n", .undefined),
        ("[10n]", [nil]), ("new DOMPoint(1, 2)", .undefined), ("({get a() { throw 1 }, b: 2})", ["b": 2]),
        ("({toJSON: 1})", ["toJSON": 1]), ("({$date: 5})", ["$date": 5]), ("({$ref: 0})", ["$ref": 0]),
        ("({$object: {a: 1}})", ["$object": ["a": 1]]),
        ("({['__proto__']: 1})", ["__proto__": 1]),
        ("(() => { const s = {a: 1}; return [s, s, {s}] })()", [["a": 1], ["a": 1], ["s": ["a": 1]]]),
        ("(() => { let d = 1; for (let n = 0; n < 500; n++) d = [d]; return JSON.stringify(d).length })()", 1001),
        ("'x'.repeat(1 << 20)", .string(String(repeating: "x", count: 1 << 20))),
        ("() => 1", .none), ("Symbol()", .none), ("Promise.resolve()", .none), ("new WeakMap", .none),
        ("(function*() {})()", .none),
        ("document", .none), ("document.createElement('p')", .none), ("window", .none), ("location", .none),
        ("new URL('a:b')", .none),
        ("new Headers", .none), ("new Event('x')", .none), ("Math", .none), ("JSON", .none), ("crypto", .none),
        ("[[[() => 1]]]", .none),
        ("({a: {b: document.body}})", .none), ("({toJSON() { return 1 }})", .none),
        ("(() => { const a = {}; a.a = a; return a })()", .none),
        ("(() => { const a = [1], b = {a}; a.push(b); return [b] })()", .none),
        ("(() => { let d = 1; for (let n = 0; n < 5e4; n++) d = [d]; return d })()", .none),
    ]

    @Test func whatLeavesAPageIsWhatWebKitLetsOut() async throws {
        try await Chromium.withPage { page, pages in
            let posted = Posted()
            try page.messageHandlers.add("h", posted)
            for (script, value) in Self.table {
                let expected = value.map(exact) ?? "no value"
                let evaluated = await result { try await page.evaluateJavaScript("(\(script))") }
                #expect(evaluated == expected, "evaluated \(script)")
                let called = await result { try await page.callJavaScript("return [\(script)]") }
                // A promise in an array is none that is awaited.
                #expect(
                    called == (value.map { exact([$0 == .undefined ? .null : $0]) } ?? "no value"), "called \(script)")
                let answer = try await page.callJavaScript(
                    "return await webkit.messageHandlers.h.postMessage(\(script)).then(() => 'posted', String)")
                if let value {
                    #expect(
                        answer == "posted" && posted.messages.last.map { exact($0.body) } == exact(value),
                        "posted \(script)")
                } else {
                    #expect(answer == "DataCloneError: The object can not be cloned.", "posted \(script)")
                }
            }
        }
    }

    private func result(_ body: @MainActor () async throws -> JavaScriptValue) async -> String {
        do { return exact(try await body()) } catch {
            return error as? WebPageError == .javaScriptResultTypeIsUnsupported ? "no value" : "\(error)"
        }
    }

    /// Arguments and answers, the other way.
    @Test func whatEntersAPageIsKept() async throws {
        try await Chromium.withPage { page, pages in
            try page.messageHandlers.add("echo", Replying { $0.body })
            let values: [JavaScriptValue] = [
                .undefined, nil, true, -0.0, .number(.nan), .number(.infinity), "\u{2028}\u{0}\"'\\",
                .date(Date(timeIntervalSince1970: 1.5)),
                [], [:], [[nil, ["a": [1]]]], ["$ref": 1], ["$object": [:]], ["__proto__": ["x": 1], "constructor": 2],
            ]
            for value in values {
                let called = try await page.callJavaScript("return v", arguments: ["v": value])
                expectSame(called, value)
                let echoed = try await page.callJavaScript(
                    "return await webkit.messageHandlers.echo.postMessage(v)", arguments: ["v": value])
                expectSame(echoed, value)
            }
            let kinds = try await page.callJavaScript(
                "return [d instanceof Date, Array.isArray(a), Object.getPrototypeOf(o) === Object.prototype, Object.is(z, -0)]",
                arguments: ["d": .date(Date()), "a": [], "o": [:], "z": -0.0])
            #expect(kinds == [true, true, true, true])
        }
    }
}
