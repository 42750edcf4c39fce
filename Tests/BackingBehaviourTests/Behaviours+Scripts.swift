import Foundation
import PageEngines
import PageModel

extension Behaviour {
    static let scripts: [Behaviour] = [
        Behaviour("results of programs", "3 undefined null true 'é' NaN -0 Date(5) [1,null,{a:2}]") { fixture, _ in
            var results: [String] = []
            for script in [
                "1 + 2", "var x = 1", "null", "true", "'é'", "NaN", "-0", "new Date(5000)",
                "[1, undefined, {a: 2, b: undefined}]",
            ] {
                results.append(try await fixture.page.evaluateJavaScript(script).text)
            }
            return results.joined(separator: " ")
        },
        Behaviour("what cannot leave the page", Array(repeating: "5", count: 5).joined(separator: " ")) { fixture, _ in
            var results: [String] = []
            for script in ["(() => {})", "Symbol()", "document.documentElement", "window", "Promise.resolve(1)"] {
                results.append(await failure { try await fixture.page.evaluateJavaScript(script) })
            }
            return results.map { String($0.prefix { $0 != " " }) }.joined(separator: " ")
        },
        Behaviour("what a script throws", "TypeError: tt|something bad|[object Object]|null") { fixture, _ in
            var results: [String] = []
            for script in ["throw new TypeError('tt')", "throw 'something bad'", "throw {a: 1}", "throw null"] {
                do {
                    results.append(try await fixture.page.evaluateJavaScript(script).text)
                } catch WebPageError.javaScriptException(let exception) {
                    results.append(exception.message)
                }
            }
            return results.joined(separator: "|")
        },
        Behaviour("where an error was made", "3:7") { fixture, _ in
            do {
                return try await fixture.page.evaluateJavaScript("\n\nthrow new Error('x')").text
            } catch WebPageError.javaScriptException(let exception) {
                return "\(exception.line):\(exception.column)"
            }
        },
        Behaviour("where something else was thrown", "3:1") { fixture, _ in
            do {
                return try await fixture.page.evaluateJavaScript("\n\nthrow 'x'").text
            } catch WebPageError.javaScriptException(let exception) {
                return "\(exception.line):\(exception.column)"
            }
        },
        Behaviour("arguments and results of calls", "42 {d:Date(5),l:[null,NaN]} 'after' undefined") { fixture, _ in
            let page = fixture.page
            let value = JavaScriptValue.object([
                "d": .date(Date(timeIntervalSince1970: 5)), "l": .array([.null, .number(.nan)]),
            ])
            return [
                try await page.callJavaScript("return a + b", arguments: ["a": .number(40), "b": .number(2)]),
                try await page.callJavaScript("return v", arguments: ["v": value]),
                try await page.callJavaScript("return await Promise.resolve('after')"),
                try await page.callJavaScript("1"),
            ].map(\.text).joined(separator: " ")
        },
        Behaviour("what a call is rejected with", "Error: e1 0:0|rej 0:0") { fixture, _ in
            var results: [String] = []
            for body in ["throw new Error('e1')", "return Promise.reject('rej')"] {
                do {
                    results.append(try await fixture.page.callJavaScript(body).text)
                } catch WebPageError.javaScriptException(let exception) {
                    results.append("\(exception.message) \(exception.line):\(exception.column)")
                }
            }
            return results.joined(separator: "|")
        },
        Behaviour("a script that is none", "SyntaxError") { fixture, _ in
            do {
                return try await fixture.page.callJavaScript("retunr null").text
            } catch WebPageError.javaScriptException(let exception) {
                return String(exception.message.prefix { $0 != ":" })
            }
        },
        Behaviour("scripts run in the order in which they were sent", "123") { fixture, _ in
            let page = fixture.page
            let tasks = (1...3).map { n in
                // At once: tasks begin in whatever order. In the page, as they also end in whatever order.
                Task.immediateOnMain {
                    _ = try? await page.evaluateJavaScript("window.ran = (window.ran ?? 0) * 10 + \(n)")
                }
            }
            for task in tasks { await task.value }
            return (try? await page.evaluateJavaScript("window.ran").text) ?? ""
        },
        Behaviour("a call whose document goes", "4 \(WebPageError.unreachable)") { fixture, log in
            let page = fixture.page
            let call = Task { await failure { try await page.callJavaScript(neverEnding) } }
            await Task.yield()
            page.load(fixture.url("/b.html"))
            await log.until("F")
            return await call.value
        },
    ]

    static let messages: [Behaviour] = [
        Behaviour("a message and its answer", "fulfilled {n:[1,null],d:Date(5)}") { fixture, _ in
            try fixture.page.messageHandlers.add("echo", Echo.shared)
            let body = JavaScriptValue.object([
                "n": .array([.number(1), .null]), "d": .date(Date(timeIntervalSince1970: 5)),
            ])
            return try await fixture.post(body, to: "echo")
        },
        Behaviour("a message that is refused", "rejected Error: Refused!") { fixture, _ in
            try fixture.page.messageHandlers.add("echo", Echo.shared)
            return try await fixture.post("fail", to: "echo")
        },
        Behaviour("a message that nobody answers", "fulfilled undefined heard 'x' main") { fixture, _ in
            let heard = Heard()
            try fixture.page.messageHandlers.add("plain", heard)
            return try await fixture.post("x", to: "plain") + " heard \(heard.seen.joined())"
        },
        Behaviour("handlers are there in the next document", "fulfilled 1") { fixture, log in
            try fixture.page.messageHandlers.add("echo", Echo.shared)
            fixture.page.load(fixture.url("/b.html"))
            await log.until("F")
            return try await fixture.post(.number(1), to: "echo")
        },
        Behaviour("a handler that was removed is gone", "rejected TypeError") { fixture, _ in
            try fixture.page.messageHandlers.add("echo", Echo.shared)
            _ = try await fixture.post(.number(1), to: "echo")
            fixture.page.messageHandlers.remove("echo")
            return String(try await fixture.post(.number(1), to: "echo").prefix { $0 != ":" })
        },
    ]

    static let ends: [Behaviour] = [
        Behaviour("close", "3 The page is closed: it was closed by the app, ended, l=false") { fixture, log in
            fixture.page.close()
            await log.untilEnd()
            let failure = await failure { try await fixture.page.evaluateJavaScript("1") }
            fixture.page.load(fixture.url("/b.html"))
            return "\(failure), ended, l=\(fixture.page.isLoading)"
        },
        Behaviour("a call in a page that is closed", "3 The page is closed: it was closed by the app") { fixture, _ in
            let page = fixture.page
            let call = Task { await failure { try await page.callJavaScript(neverEnding) } }
            await Task.yield()
            page.close()
            return await call.value
        },
        Behaviour("a load in a page that is closed", "u=/a l=false") { fixture, log in
            fixture.page.load(fixture.slow)
            await log.until("S")
            log.forget()
            fixture.page.close()
            return log.take("SCFXul")
        },
    ]
}

@MainActor
private final class Echo: WebPageScriptMessageReplying {
    static let shared = Echo()

    func webPage(
        _ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage
    ) async throws -> JavaScriptValue {
        if message.body == "fail" { throw Refusal() }
        return message.body
    }

    struct Refusal: Error, CustomStringConvertible {
        let description = "Refused!"
    }
}

@MainActor
private final class Heard: WebPageScriptMessageHandling {
    private(set) var seen: [String] = []

    func webPage(_ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage) {
        seen.append("\(message.body.text) \(message.frame.isMainFrame ? "main" : "frame")")
    }
}
