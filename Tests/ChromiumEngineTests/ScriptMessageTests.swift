import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// `window.webkit.messageHandlers` in a real browser; the numbers are those of the facts about WebKit.
@MainActor
@Suite(.timeLimit(.minutes(5)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct ScriptMessageTests {
    private func post(
        _ page: WebPage, _ body: String, to name: String = "h", in frame: WebPageFrameInfo? = nil,
        world: WebPageContentWorld = .page
    ) async throws -> JavaScriptValue {
        try await page.callJavaScript(
            """
            try {
              return { fulfilled: await window.webkit.messageHandlers.\(name).postMessage(\(body)) };
            } catch (error) {
              return { rejected: String(error), isError: error instanceof Error };
            }
            """, arguments: [:], in: frame, world: world)
    }

    /// 2.14 to 2.16
    @Test func theShapeIsWebKits() async throws {
        try await Chromium.withPage { page, pages in
            let posted = Posted()
            try page.messageHandlers.add("h", posted)
            try await page.arrive(at: pages.url("/a"))
            let shape = try await page.evaluateJavaScript(
                """
                var { messageHandlers } = webkit;
                [String(webkit), String(messageHandlers), String(messageHandlers.h), Object.keys(webkit), Object.getOwnPropertyNames(messageHandlers),
                 "h" in messageHandlers, messageHandlers.missing === undefined, messageHandlers.h === messageHandlers.h,
                 messageHandlers.h.postMessage.length, Object.getOwnPropertyDescriptor(window, "webkit").configurable]
                """)
            #expect(
                shape == [
                    "[object WebKitNamespace]", "[object UserMessageHandlersNamespace]", "[object UserMessageHandler]",
                    [], [],
                    true, true, true, 1, false,
                ])
            let detached = try await page.callJavaScript(
                "const { postMessage } = webkit.messageHandlers.h; return await postMessage(1).catch(String)")
            #expect(
                detached == "TypeError: Can only call UserMessageHandler.postMessage on instances of UserMessageHandler"
            )
            let empty = try await post(page, "")
            #expect(empty["rejected"] == "TypeError: Not enough arguments")
            let undefined = try await post(page, "undefined")
            // An object's member that is undefined is not there.
            #expect(undefined == [:])
            #expect(posted.bodies == [.undefined])
            let replaced = try await page.evaluateJavaScript("window.webkit = 5; window.webkit")
            #expect(replaced == 5)
        }
    }

    /// 2.18 to 2.22, 2.27
    @Test func theHandlersAnswerSettlesThePromise() async throws {
        try await Chromium.withPage { page, pages in
            struct Rejection: Error, CustomStringConvertible { let description = "Rejected!" }
            let date = JavaScriptValue.date(Date(timeIntervalSince1970: 2))
            try page.messageHandlers.add(
                "h",
                Replying { message in
                    guard message.body != "reject" else { throw Rejection() }
                    return message.body
                })
            try page.messageHandlers.add("plain", Posted())
            let web = page.backing
            try web.addMessageHandler("silent", world: .page) { _, _ in }
            for _ in 1...2 {
                let values = try await post(page, "[1, 'x', null, true, new Date(2000), {a: undefined, b: [NaN, -0]}]")
                expectSame(
                    values["fulfilled"] ?? .undefined, [1, "x", nil, true, date, ["b": [.number(.nan), -0.0]]])
                let rejected = try await post(page, "'reject'")
                #expect(rejected == ["rejected": "Error: Rejected!", "isError": true])
                let plain = try await page.callJavaScript(
                    "return await webkit.messageHandlers.plain.postMessage(1) === undefined")
                #expect(plain == true)
                let silent = try await post(page, "1", to: "silent")
                #expect(silent["rejected"] == "Error: WKWebView API client did not respond to this postMessage")
                try await page.arrive(at: pages.url("/a"))
            }
        }
    }

    /// 2.37: what WebKit cannot serialise, and what no value here can be.
    @Test func whatCannotBePostedIsRejected() async throws {
        try await Chromium.withPage { page, pages in
            let posted = Posted()
            try page.messageHandlers.add("h", posted)
            for body in [
                "() => 1", "Symbol()", "document", "[window]", "{a: Promise.resolve()}",
                "(() => { const a = []; a.push(a); return a })()",
            ] {
                let answer = try await post(page, body)
                #expect(answer["rejected"] == "DataCloneError: The object can not be cloned.", "\(body)")
            }
            #expect(posted.messages.isEmpty)
        }
    }

    /// 2.9 to 2.11
    @Test func handlersComeAndGoInDocumentsThatAreThere() async throws {
        try await Chromium.withPage { page, pages in
            try await page.arrive(at: pages.url("/a"))
            let before = try await page.evaluateJavaScript("typeof window.webkit")
            #expect(before == "undefined")
            let first = Posted()
            try page.messageHandlers.add("h", first)
            try await page.evaluateJavaScript("var kept = webkit.messageHandlers.h; kept.postMessage(1); 0")
            page.messageHandlers.remove("h", world: .defaultClient)
            try await page.evaluateJavaScript("kept.postMessage(2); 0")
            #expect(first.bodies == [1, 2])
            page.messageHandlers.remove("h")
            let gone = try await page.callJavaScript(
                "return [webkit.messageHandlers.h === undefined, 'h' in webkit.messageHandlers, await kept.postMessage(3).catch(String)]"
            )
            #expect(
                gone == [true, false, "InvalidAccessError: The object does not support the operation or argument."])
            let second = Posted()
            try page.messageHandlers.add("h", second)
            let again = try await page.callJavaScript(
                "webkit.messageHandlers.h.postMessage(4); return [kept === webkit.messageHandlers.h, await kept.postMessage(5).catch(String)]"
            )
            #expect(again[0] == false && again[1]?.string?.hasPrefix("InvalidAccessError") == true)
            #expect(first.bodies == [1, 2] && second.bodies == [4])
            // 2.12: and in those that come.
            page.messageHandlers.remove("h")
            try await page.arrive(at: pages.url("/b"))
            let after = try await page.evaluateJavaScript("typeof window.webkit")
            #expect(after == "undefined")
        }
    }

    /// 2.9, where the document was kept meanwhile.
    @Test func aDocumentThatComesBackHasTheHandlersOfNow() async throws {
        try await Chromium.withPage { page, pages in
            let posted = Posted()
            try page.messageHandlers.add("old", posted)
            try await page.arrive(at: pages.url("/a"))
            try await page.arrive(at: pages.url("/b"))
            page.messageHandlers.remove("old")
            try page.messageHandlers.add("new", posted)
            try await page.arriveBack()
            let names = try await page.evaluateJavaScript(
                "['old' in webkit.messageHandlers, 'new' in webkit.messageHandlers, Reflect.ownKeys(window).filter(name => /^_/.test(String(name)))]"
            )
            #expect(names == [false, true, []])
            try await page.evaluateJavaScript("webkit.messageHandlers.new.postMessage(1); 0")
            #expect(posted.bodies == [1])
        }
    }

    /// 2.6, 2.7, 2.13, 2.33
    @Test func aHandlerIsThereInItsWorldAlone() async throws {
        try await Chromium.withPage { page, pages in
            try await page.arrive(at: pages.url("/a"))
            let worlds: [WebPageContentWorld] = [.page, .defaultClient, .named("w"), .named("ä b")]
            for world in worlds {
                let posted = Posted()
                try page.messageHandlers.add("h", posted, world: world)
                for other in worlds {
                    let type = try await page.evaluateJavaScript("typeof window.webkit", in: nil, world: other)
                    #expect(type == (other == world ? "object" : "undefined"), "\(world) \(other)")
                }
                _ = try await page.evaluateJavaScript(
                    "var global = 1; webkit.messageHandlers.h.postMessage(1); 0", in: nil, world: world)
                #expect(posted.messages.map(\.world) == [world])
                page.messageHandlers.remove("h", world: world)
                let global = try await page.evaluateJavaScript("global", in: nil, world: world)
                #expect(global == 1)
                try await page.arrive(at: pages.url("/b"))
            }
        }
    }

    /// 2.2, 2.31, 3.28
    @Test func everyFrameHasItAndIsNamed() async throws {
        try await Chromium.withPage { page, pages in
            pages["/outer"] = .page(
                "outer",
                """
                <iframe src="/inner"></iframe><iframe src="\(pages.url("/other", host: "localhost"))"></iframe>
                <iframe srcdoc="hi"></iframe><iframe sandbox="allow-scripts" src="/inner"></iframe>
                """)
            let frames = try await page.frames(5, at: pages.url("/outer"))
            #expect(frames.filter(\.isMainFrame).count == 1)
            var origins: [String] = []
            for frame in frames {
                let place = try await page.evaluateJavaScript("location.href", in: frame)
                if frame.request.url.scheme == "http" { #expect(place.string == frame.request.url.absoluteString) }
                origins.append("\(frame.securityOrigin)")
            }
            let own = "http://127.0.0.1:\(pages.port)"
            #expect(origins.sorted() == [own, own, own, "http://localhost:\(pages.port)", "null"])
            // A handler that comes later is there, too.
            let posted = Posted()
            try page.messageHandlers.add("late", posted)
            for frame in frames {
                try await page.evaluateJavaScript("webkit.messageHandlers.late.postMessage(1); 0", in: frame)
            }
            #expect(posted.messages.map(\.frame.id) == frames.map(\.id))
        }
    }

    /// 2.34
    @Test func messagesComeInOrderAndBeforeTheirScriptHasEnded() async throws {
        try await Chromium.withPage { page, pages in
            let posted = Posted()
            try page.messageHandlers.add("h", posted)
            try page.messageHandlers.add("i", posted)
            for script in ["m.h.postMessage(1); m.i.postMessage(2); 'done'", "m.h.postMessage(3); 'done'"] {
                let count = posted.messages.count
                let done = try await page.evaluateJavaScript("var m = webkit.messageHandlers; \(script)")
                #expect(done == "done" && posted.messages.count > count)
            }
            #expect(posted.bodies == [1, 2, 3])
            _ = try await page.callJavaScript("for (let n = 0; n < 1000; n++) m.h.postMessage(n); return 0")
            #expect(posted.bodies.count == 1003 && posted.bodies.last == 999)
        }
    }

    /// 2.26, 2.39
    @Test func anAnswerToADocumentThatHasGoneIsDropped() async throws {
        try await Chromium.withPage { page, pages in
            var replies: [MessageReply] = []
            try page.backing.addMessageHandler("h", world: .page) { _, reply in replies.append(reply) }
            try await page.arrive(at: pages.url("/a"))
            try await page.evaluateJavaScript("webkit.messageHandlers.h.postMessage('x'.repeat(1 << 20)); 0")
            #expect(replies.count == 1)
            try await page.arrive(at: pages.url("/b"))
            for reply in replies { reply.answer(.fulfil(1)) }
            let one = try await page.evaluateJavaScript("1")
            #expect(one == 1)
        }
    }
}
