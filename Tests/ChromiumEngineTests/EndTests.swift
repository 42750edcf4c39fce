import BridgeDevTools
import BridgeJSON
import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A page that crashes or is closed, and a browser that ends: an event and an error each, and nobody is left waiting.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: Chromium.path != nil, Chromium.isMissing))
struct EndTests {
    enum End: CaseIterable { case crash, close, closeBrowser, killBrowser, hangUp }

    /// What ends it, and the code of the error that pending calls get.
    private func end(_ end: End, _ page: WebPage, _ browser: ChromiumBrowser) async {
        switch end {
        case .crash: await Chromium.crash(browser)
        case .close: page.close()
        case .closeBrowser: await browser.close()
        case .killBrowser: kill(browser.browser.process.processID, SIGKILL)
        case .hangUp: browser.browser.connection.end("the browser has hung up")
        }
    }

    private func withPage(_ body: (WebPage, Pages, ChromiumBrowser) async throws -> Void) async throws {
        let browser = try await ChromiumBrowser(path: Chromium.path)
        do {
            try await body(WebPage(try await browser.newWebView()), try Pages(), browser)
        } catch {
            await browser.close()
            throw error
        }
        await browser.close()
    }

    @Test(arguments: End.allCases) func whatIsAwaitedEndsWithThePage(_ kind: End) async throws {
        try await withPage { page, pages, browser in
            let (log, changes) = (EventLog(page), ChangeLog(page))
            page.load(pages.url("/a"))
            await log.until("F")
            let calls = (1...5).map { _ in
                Task { [page] in try await page.callJavaScript("await new Promise(() => {})") }
            }
            // Behind those.
            _ = try await page.evaluateJavaScript("1")
            pages["/slow"] = .pending
            page.load(pages.url("/slow"))
            await pages.requested("/slow")
            _ = log.take()
            await end(kind, page, browser)
            for call in calls {
                let error = await #expect(throws: WebPageError.self) { try await call.value }
                #expect(error?.code == (kind == .crash ? 2 : 3), "\(String(describing: error))")
            }
            if kind == .crash { await log.until("T") } else { await changes.untilClosed() }
            #expect(!page.isLoading && page.url == (kind == .crash ? nil : pages.url("/a")))
            #expect(page.estimatedProgress == (kind == .crash ? 0 : 1))
            // Chromium may end the load of a page that crashes before it tells of the crash.
            let told = log.take("ASDRCFXT")
            #expect(kind == .crash ? ["T", "X(-999) T"].contains(told) : told.isEmpty, "\(told)")
            // And afterwards at once.
            let error = await #expect(throws: WebPageError.self) { try await page.evaluateJavaScript("1") }
            #expect(error?.code == (kind == .crash ? 2 : 3))
            page.close()
            await changes.untilClosed()
            #expect(changes.text.last == "revert? /a @0")
            page.load(pages.url("/a"))
            #expect(!page.isLoading)
        }
    }

    enum Revival: CaseIterable { case load, reload, back, html }

    @Test(arguments: Revival.allCases) func theNextLoadRevivesThePage(_ revival: Revival) async throws {
        try await withPage { page, pages, browser in
            let log = EventLog(page)
            page.load(pages.url("/a"))
            await log.until("F")
            page.load(pages.url("/b"))
            await log.until("F", times: 2)
            for _ in 1...3 {
                _ = log.take()
                await end(.crash, page, browser)
                await log.until("T")
                #expect(page.url == nil && page.estimatedProgress == 0 && !page.hasOnlySecureContent)
                _ = log.take()
                switch revival {
                case .load: page.load(pages.url("/b"))
                case .reload: page.reload()
                case .back: if page.goBack() == nil { page.goForward() }
                case .html: page.load(html: "<title>T</title>", baseURL: pages.url("/b"))
                }
                await log.until("F")
                let two = try await page.evaluateJavaScript("1 + 1")
                #expect(two == 2)
                #expect(page.isLoading == false && page.estimatedProgress == 1 && page.url != nil)
                // The scripts and the questions are those of before: a window opens in the page.
                _ = try? await page.evaluateJavaScript("window.open('about:blank')")
                await log.until("F", times: 2)
                page.load(pages.url("/b"))
                await log.until("F", times: 3)
            }
        }
    }

    @Test func aPageThatIsClosedTakesNothingWithIt() async throws {
        try await withPage { page, pages, browser in
            let other = WebPage(try await browser.newWebView())
            let log = EventLog(other)
            page.load(pages.url("/a"))
            page.close()
            page.close()
            other.load(pages.url("/b"))
            await log.until("F")
            let value1 = try await other.evaluateJavaScript("document.title")
            #expect(value1 == "/b")
        }
    }

    /// Nobody holds a page that nobody wants.
    @Test func aPageThatIsLetGoIsClosed() async throws {
        try await withPage { _, pages, browser in
            weak var gone: ChromiumWebView?
            do {
                let view = try await browser.newWebView()
                gone = view
                let page = WebPage(view)
                let log = EventLog(page)
                page.load(pages.url("/a"))
                await log.until("F")
            }
            while gone != nil { await Task.yield() }
            let targets = try await browser.browser.connection.send("Target.getTargets")
            let pages = targets["targetInfos"]?.array?.filter { $0["type"]?.string == "page" } ?? []
            #expect(pages.count <= 2, "that of the browser, that of this test")
        }
    }
}
