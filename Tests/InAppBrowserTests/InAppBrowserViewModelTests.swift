import BridgeTesting
import Foundation
import InAppBrowser
import Observation
import PageEngines
import PageModel
import Testing

@MainActor @Suite struct InAppBrowserViewModelTests {
    private let stub = StubWebView()
    private let page: WebPage

    init() {
        page = WebPage(stub)
        stub.responses[url("/a")] = .page(title: "A")
    }

    private func url(_ path: String) -> URL { URL(string: "http://127.0.0.1\(path)") ?? URL(filePath: path) }

    @Test func itShowsWhatThePageSays() {
        let browser = InAppBrowserViewModel(page: page)
        #expect(browser.title.isEmpty && browser.progress == nil && !browser.canGoBack)
        stub.otherResponse = .pending
        page.load(url("/b"))
        #expect(browser.progress == 0.1 && browser.isLoading)
        stub.respond(.page())
        #expect(browser.progress == nil && !browser.isLoading && !browser.isSecure)
        browser.open("http://127.0.0.1/a")
        #expect(browser.title == "A" && browser.canGoBack && !browser.canGoForward)
        browser.goBack()
        #expect(browser.canGoForward)
        browser.goForward()
        #expect(browser.title == "A")
    }

    @Test func theAddressIsWhatWasCommitted() async {
        let browser = InAppBrowserViewModel(page: page)
        await browser.untilVisited(1) { page.load(url("/a")) }
        #expect(browser.address == url("/a"))
        stub.otherResponse = .pending
        page.load(url("/b"))
        #expect(page.url == url("/b") && browser.address == url("/a"))
        await browser.untilVisited(2) { stub.respond(.redirect(url("/a"))) }
        #expect(browser.address == url("/a"))
        #expect(browser.visits.map(\.url) == [url("/a"), url("/a")])
    }

    @Test func aWindowOpensInTheSamePage() async {
        let browser = InAppBrowserViewModel(page: page)
        await browser.untilVisited(1) { page.load(url("/a")) }
        var commits = page.urlChanges.filter(\.isCommitted).makeAsyncIterator()
        await stub.openWindow(url("/b"))
        #expect(await commits.next()?.url == url("/b"))
        #expect(browser.canGoBack)
    }

    @Test func whatIsDeniedIsSaidUntilTheNextNavigation() {
        let browser = InAppBrowserViewModel(page: page, policy: URLPolicy(deniedHosts: ["bad.test"]))
        browser.open("http://bad.test/")
        #expect(URL(string: "http://bad.test/").map { browser.notice == .denied($0) } == true)
        browser.open("http://127.0.0.1/a")
        #expect(browser.notice == nil)
    }

    @Test func whatFailsIsSaid() {
        let browser = InAppBrowserViewModel(page: page)
        stub.otherResponse = .failure(.network("net::ERR_CONNECTION_REFUSED"))
        browser.open("http://127.0.0.1/x")
        #expect(browser.notice == .failed(.network("net::ERR_CONNECTION_REFUSED")))
        browser.dismissNotice()
        stub.terminateWebContent()
        #expect(browser.notice == .failed(.webContentProcessTerminated))
    }

    @Test func whatIsStoppedIsNoFailure() {
        let browser = InAppBrowserViewModel(page: page)
        stub.otherResponse = .pending
        browser.open("http://127.0.0.1/x")
        browser.reloadOrStop()
        #expect(!browser.isLoading && browser.notice == nil)
        #expect(stub.calls.last == .stopLoading)
    }

    @Test func anotherAppsURLIsOpenedThere() {
        var opened: [URL] = []
        let browser = InAppBrowserViewModel(page: page) { opened.append($0) }
        page.load(url("/a"))
        let mail = URL(string: "mailto:a@b.c")
        mail.map(stub.click)
        #expect(opened == [mail] && page.url == url("/a") && browser.notice == nil)
    }

    /// As for links: a window that the user asks for may be another app's, one that a script opens may not.
    @Test func aWindowOfAnotherAppIsOpenedThere() async throws {
        var opened: [URL] = []
        let browser = InAppBrowserViewModel(page: page) { opened.append($0) }
        page.load(url("/a"))
        let mail = try #require(URL(string: "mailto:a@b.c"))
        await stub.openWindow(mail, hasUserGesture: true)
        #expect(opened == [mail] && browser.notice == nil && page.url == url("/a"))
        await stub.openWindow(mail)
        #expect(opened == [mail] && browser.notice == .denied(mail))
    }

    /// What the policy has interrupted is denied, and no failure.
    @Test func aRedirectThatIsDeniedIsSaidToBeThat() throws {
        let browser = InAppBrowserViewModel(page: page, policy: URLPolicy(deniedHosts: ["bad.test"]))
        let bad = try #require(URL(string: "http://bad.test/"))
        stub.responses[url("/r")] = .redirect(bad)
        page.load(url("/r"))
        #expect(browser.notice == .denied(bad))
        stub.otherResponse = .noContent
        page.load(url("/empty"))
        #expect(browser.notice == .failed(.frameLoadInterrupted))
    }

    /// Of a frame in the page a person knows nothing.
    @Test func aFrameThatIsDeniedIsNotSpokenOf() async throws {
        let browser = InAppBrowserViewModel(page: page)
        let request = WebPageRequest(try #require(URL(string: "data:text/html,x")))
        let action = WebPageNavigationAction(
            request: request, targetFrame: WebPageFrameInfo(id: "f", isMainFrame: false, request: request))
        let handler = try #require(page.navigationHandler)
        #expect(await handler.webPage(page, decidePolicyFor: action) == .cancel)
        #expect(browser.notice == nil)
    }

    @Test func itIsLetGoWhileThePageGoesOn() {
        weak var gone: InAppBrowserViewModel?
        do {
            let browser = InAppBrowserViewModel(page: page)
            #expect(page.navigationHandler != nil)
            gone = browser
        }
        #expect(gone == nil && page.navigationHandler == nil)
        page.load(url("/a"))
        #expect(page.title == "A")
    }
}

extension InAppBrowserViewModel {
    /// Does something and waits until that many visits were noted.
    fileprivate func untilVisited(_ count: Int, _ action: () -> Void) async {
        action()
        while visits.count < count {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = visits
                } onChange: {
                    // Told before the change: whoever looks does so after it.
                    Task { @MainActor in continuation.resume() }
                }
            }
        }
    }
}
