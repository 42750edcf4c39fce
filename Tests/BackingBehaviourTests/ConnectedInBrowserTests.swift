import Bridgehead
import ChromiumEngine
import ConnectedEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// What only a connected page meets, in a real browser.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Browser.path != nil, "Chromium is not installed: Tests/run installs it"), .sharedBrowser)
struct ConnectedInBrowserTests {
    private func with(
        patience: Duration = .seconds(600), _ body: (BrowserFixture, WebPage, Recorder) async throws -> Void
    ) async throws {
        let fixture = try await BrowserFixture(try #require(Browser.shared), isConnected: true, patience: patience)
        do {
            try await body(fixture, fixture.page, Recorder(fixture.page))
        } catch {
            await fixture.end()
            throw error
        }
        await fixture.end()
    }

    private func connection(of page: WebPage) -> ConnectedWebView.Connection? {
        (page.backing as? ConnectedWebView)?.connection
    }

    @Test func aServerThatComesBackFindsThePageAsItWas() async throws {
        try await with { fixture, page, log in
            _ = try await page.evaluateJavaScript("window.stays = 5; history.pushState(null, '', '/p.html'); 0")
            await log.until(change: "push")
            log.forget()
            let call = Task { await Behaviour.failure { try await page.callJavaScript(Behaviour.neverEnding) } }
            await Task.yield()
            try await fixture.restart {
                #expect(await call.value.hasPrefix("-1005 "))
                #expect(connection(of: page) == .lost)
                #expect(await Behaviour.failure { try await page.evaluateJavaScript("1") }.hasPrefix("-1005 "))
            }
            while connection(of: page) != .connected { await Task.yield() }
            #expect(try await page.evaluateJavaScript("window.stays") == .number(5))
            #expect(log.take("SDCFXulph").isEmpty && log.takeChanges().isEmpty)
            page.goBack()
            await log.until(change: "traversal /a@0")
            #expect(page.url?.lastPathComponent == "a.html")
        }
    }

    @Test func aTabThatIsClosedIsClosedHere() async throws {
        try await with(patience: .milliseconds(500)) { fixture, page, log in
            fixture.closeTab()
            await log.untilEnd()
            #expect(connection(of: page) == .closed)
            #expect(await Behaviour.failure { try await page.evaluateJavaScript("1") }.hasPrefix("3 "))
        }
    }

    @Test func aLoadToAnotherOriginAndBackIsFollowed() async throws {
        try await with { fixture, page, log in
            let other = try #require(
                URL(string: fixture.url("/b.html").absoluteString.replacing("127.0.0.1", with: "localhost")))
            page.load(other)
            await log.until("F")
            await log.until("t=B")
            #expect(page.url == other && page.backForwardList.items.count == 2)
            _ = log.take("")
            page.goBack()
            await log.until("F")
            await log.until("t=A")
            #expect(page.url == fixture.url("/a.html") && page.canGoForward && !page.canGoBack)
        }
    }

    @Test func aPageThatForbidsEvaluationSaysSo() async throws {
        try await with { fixture, page, log in
            page.load(fixture.url("/closed.html"))
            await log.until("F")
            let failure = await Behaviour.failure { try await page.evaluateJavaScript("1") }
            #expect(failure.contains("Not supported") && failure.contains("data-allow-evaluate"))
            page.goBack()
            await log.until(change: "traversal /a@0")
        }
    }

    @Test func whatNestsTooDeepForTheConnectionIsNoResult() async throws {
        try await with { _, page, _ in
            for depth in [600, 5000] {
                let failure = await Behaviour.failure {
                    try await page.callJavaScript(
                        "let r = []; for (let i = 0; i < depth; i++) r = [r]; return r",
                        arguments: ["depth": .number(Double(depth))])
                }
                #expect(failure.hasPrefix("5 "), "\(depth): \(failure)")
            }
            let alive = try await page.evaluateJavaScript("1")
            #expect(alive == .number(1))
        }
    }

    /// The convention of many apps: an answer is told once, by the client or by the bridge.
    @Test func aBridgeAnswersEventsOnceOverTheConvention() async throws {
        try await with { _, page, _ in
            let own = Bridge()
            own.on("getTitle") { _, _ in "T" as String }
            try page.messageHandlers.add("bridge", own)
            _ = try await page.evaluateJavaScript(
                "window.told = []; window.handleNativeResponse = (...all) => told.push(all); 0")
            let answer = try await page.callJavaScript(
                "return await webkit.messageHandlers.bridge.postMessage({ eventName: 'getTitle', requestId: 'r' })")
            #expect(answer == .string("T"))
            // Whatever else tells it comes before this.
            #expect(try await page.callJavaScript("return told") == .array([.array([.string("T"), .string("r")])]))
        }
    }

    @Test func aScriptThatHasKeptARemovedHandlerIsRefused() async throws {
        try await with { _, page, _ in
            try page.messageHandlers.add("h", Silent())
            _ = try await page.callJavaScript("window.h = webkit.messageHandlers.h; await h.postMessage(1)")
            page.messageHandlers.remove("h")
            let seen = try await page.callJavaScript(
                "return ['h' in webkit.messageHandlers, await h.postMessage(1).catch(e => e.name + ': ' + e.message)]")
            #expect(
                seen
                    == .array([
                        .bool(false),
                        .string("InvalidAccessError: The object does not support the operation or argument."),
                    ]))
        }
    }
}

@MainActor
private final class Silent: WebPageScriptMessageHandling {
    func webPage(_ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage) {}
}
