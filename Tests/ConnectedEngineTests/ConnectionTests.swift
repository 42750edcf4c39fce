import BridgeJSON
import Bridgehead
import ConnectedEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// Lost connections, pages that go away, and what is asked meanwhile.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
    let bridge = Bridge()
    /// It may come back: the page is not closed.
    private let lost = WebPageError.network("net::ERR_CONNECTION_CLOSED")

    private func open(patience: Duration = .seconds(600)) async throws -> (WebPage, ConnectedWebView, FakePage, Log) {
        let pages = ConnectedPages(bridge, patience: patience)
        let document = FakePage(bridge, "http://127.0.0.1/a", document: "1")
        document.open(title: "A")
        let view = try await pages.next()
        await settled()
        let page = WebPage(view)
        return (page, view, document, Log(page))
    }

    private func failure(_ body: () async throws -> Void) async -> WebPageError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? WebPageError
        }
    }

    @Test func whatIsPendingFailsAndThePageComesBackAsItWas() async throws {
        let (page, view, document, log) = try await open()
        async let pending = failure { _ = try await page.callJavaScript("wait") }
        while document.asked("$/page.call").isEmpty { await settled() }
        document.end(.connectionLost)
        #expect(await pending == lost)
        #expect(view.connection == .lost && page.url?.path == "/a")
        #expect(
            await failure { _ = try await page.evaluateJavaScript("1") } == lost)
        document.connect()
        #expect(await log.take().isEmpty, "nothing was loaded")
        #expect(view.connection == .connected && page.title == "A" && page.backForwardList.items.count == 1)
        async let answer = page.evaluateJavaScript("1 + 1")
        while document.asked("$/page.evaluate").isEmpty { await settled() }
        document.answer(document.asked("$/page.evaluate").last, 2)
        #expect(try await answer == .number(2))
    }

    @Test(arguments: [("push", 3, ["push /b@1"], 2), ("replace", 0, ["replace /b@0"], 1)])
    func whereThePageWentMeanwhileIsKnownWhenItComesBack(
        _ kind: String, _ index: Int, _ changes: [String], _ count: Int
    ) async throws {
        let (page, _, document, log) = try await open()
        document.end(.connectionLost)
        document.connect(as: [
            "url": "http://127.0.0.1/b", "isMainFrame": true, "documentId": "1", "tabId": "tab", "index": JSON(index),
        ])
        #expect(await log.take() == changes)
        #expect(page.url?.path == "/b" && page.backForwardList.items.count == count)
    }

    @Test func aDocumentThatIsLostBeforeItTellsWhereItIsTellsLater() async throws {
        let (page, _, document, log) = try await open()
        document.end()
        let next = FakePage(bridge, "http://127.0.0.1/b", document: "2", index: 1)
        next.connect()
        await settled()
        next.end(.connectionLost)
        next.open(title: "B")
        #expect(await log.take() == ["S", "C", "F", "commit /b@1"])
        #expect(page.title == "B" && page.backForwardList.items.count == 2)
    }

    @Test func aLoadIsAskedOfThePageThatComesBack() async throws {
        let (page, _, document, log) = try await open()
        document.end(.connectionLost)
        await settled()
        page.load(local("/b"))
        document.connect()
        await settled()
        #expect(document.asked("$/page.load").count == 1)
        document.end()
        FakePage(bridge, "http://127.0.0.1/b", document: "2", index: 1).open()
        #expect(await log.take() == ["S", "C", "F", "load /b?@0", "commit /b@1"])
        #expect(page.canGoBack)
    }

    @Test func aLoadDuringWhichTheConnectionIsLostFails() async throws {
        let (page, _, document, log) = try await open()
        page.load(local("/b"))
        await settled()
        document.end(.connectionLost)
        let entries = await log.take()
        #expect(
            entries == [
                "S", "X \(lost)", "load /b?@0", "revert /a?@0",
            ])
        #expect(!page.isLoading && page.url?.path == "/a")
    }

    /// No page is told that its load came to nothing.
    @Test func aLoadOfWhichNothingComesTimesOutAndThePageStays() async throws {
        let (page, view, document, log) = try await open(patience: .milliseconds(1))
        page.load(local("/b"))
        while page.isLoading { await settled() }
        let entries = await log.take()
        #expect(entries == ["S", "X The load failed: net::ERR_TIMED_OUT", "load /b?@0", "revert /a?@0"])
        #expect(document.asked("$/page.stop").count == 1 && view.connection == .connected)
    }

    @Test func aDocumentThatGoesAwayTakesItsScriptsAlong() async throws {
        let (page, _, document, _) = try await open()
        async let pending = failure { _ = try await page.callJavaScript("wait") }
        while document.asked("$/page.call").isEmpty { await settled() }
        document.end(.documentGone)
        #expect(await pending == .unreachable)
    }

    @Test func aTaskThatIsCancelledDoesNotWaitForItsScript() async throws {
        let (page, _, document, _) = try await open()
        let task = Task { try await page.callJavaScript("wait") }
        while document.asked("$/page.call").isEmpty { await settled() }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        // Its answer is nobody's, and others are heard.
        document.answer(document.asked("$/page.call").last, 1)
        async let next = page.evaluateJavaScript("2")
        while document.asked("$/page.evaluate").isEmpty { await settled() }
        document.answer(document.asked("$/page.evaluate").last, 2)
        #expect(try await next == .number(2))
        let late = Task { try await page.evaluateJavaScript("3") }
        late.cancel()
        await #expect(throws: CancellationError.self) { _ = try await late.value }
    }

    @Test(arguments: [BridgeSession.EndReason.documentGone, .connectionLost])
    func aPageThatDoesNotComeBackIsClosed(_ reason: BridgeSession.EndReason) async throws {
        let (page, view, document, log) = try await open(patience: .milliseconds(1))
        document.end(reason)
        while view.connection != .closed { await settled() }
        #expect(await log.take() == ["end"])
        guard case .pageClosed? = await failure({ _ = try await page.evaluateJavaScript("1") }) else {
            Issue.record("it answered")
            return
        }
        // What comes now is a page of its own.
        FakePage(bridge, "http://127.0.0.1/a", document: "1").open()
        await settled()
        #expect(view.connection == .closed && page.reload() == nil)
    }

    @Test func aPageThatTheAppClosesIsLetGo() async throws {
        let (page, view, document, log) = try await open()
        try page.messageHandlers.add("h", Echo())
        async let pending = failure { _ = try await page.callJavaScript("wait") }
        while document.asked("$/page.call").isEmpty { await settled() }
        page.close()
        #expect(await pending == .pageClosed("it was closed by the app"))
        #expect(await log.take() == ["end"])
        #expect(view.connection == .closed)
        #expect(document.received.last?["messageHandlers"]?["h"] == nil)
        document.tell(url: "http://127.0.0.1/b", "push", 1)
        await settled()
        #expect(page.url?.path == "/a")
    }
}

@MainActor
final class Echo: WebPageScriptMessageReplying {
    private(set) var messages: [WebPageScriptMessage] = []

    func webPage(
        _ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage
    ) async throws -> JavaScriptValue {
        messages.append(message)
        if message.body == .string("fail") { throw Refusal() }
        return message.body
    }

    struct Refusal: Error, CustomStringConvertible {
        let description = "Refused!"
    }
}
