public import Bridgehead
public import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Opens a page in a real browser while `body` runs, which begins when the page has loaded. What a server answers with an
/// error, such as a 404, has loaded: it is a page too.
///
/// ```swift
/// try await withWebPage(.chromium, at: "/a", of: .pages(["/a": "<title>A</title>", "/b": "<title>B</title>"])) { page in
///     var commits = page.urlChanges.filter(\.isCommitted).makeAsyncIterator()
///     try await page.callJavaScript("window.open('/b')")
///     #expect(await commits.next()?.url.path == "/b")
///     #expect(page.canGoBack)
/// }
/// ```
/// Each page has its cookies, its storage and its server to itself, so tests may run in parallel, from Swift Testing and
/// from XCTest. When `body` ends, however it does, the page is gone.
///
/// - Parameters:
///   - address: a path of the site's, or a URL.
///   - bridge: what `webkit.messageHandlers.bridge` reaches, from the page's first script on. nil: there is no such thing.
///   - deadline: how long the page may take to load.
/// - Throws: what `body` throws; `BridgeTestFailure` for a page that does not load; `BrowserCannotStart` without a browser.
@MainActor
public func withWebPage<Result: Sendable>(
    _ engine: TestWebEngine, at address: String, of site: TestSite = .demo, bridge: Bridge? = nil,
    within deadline: Duration = .seconds(30), _ body: @MainActor (WebPage) async throws -> Result
) async throws -> Result {
    try await site.serve(bridge ?? Bridge()) { base in
        guard let url = URL(string: address.hasPrefix("/") ? base + address : address), url.scheme != nil else {
            throw BridgeTestFailure("\"\(address)\" is neither a path, which begins with /, nor a URL")
        }
        let page = WebPage(try await engine.makeBacking())
        defer { page.close() }
        if let bridge { try page.messageHandlers.add("bridge", bridge) }
        let load = FirstLoad(page)
        do {
            try await withDeadline(deadline) { try await load.finish(url) }
        } catch is DeadlinePassed {
            throw BridgeTestFailure("\(url) did not load within \(deadline)")
        }
        return try await body(page)
    }
}

/// Waits for the first load's end.
private final class FirstLoad: WebPageNavigationHandling {
    private let page: WebPage
    private let (ends, tell) = AsyncStream.makeStream(of: WebPageError?.self)

    init(_ page: WebPage) {
        self.page = page
        page.navigationHandler = self
    }

    func finish(_ url: URL) async throws {
        page.load(WebPageRequest(url))
        for await error in ends {
            page.navigationHandler = nil
            if let error { throw BridgeTestFailure("\(url) did not load: \(error)") }
            return
        }
        throw CancellationError()
    }

    func webPage(_ page: any WebPageRepresentable, didReceive event: WebPageNavigationEvent) {
        switch event {
        case .finished: tell.yield(nil)
        case .failedProvisional(_, let error), .failed(_, let error): tell.yield(error)
        case .webContentProcessTerminated: tell.yield(.webContentProcessTerminated)
        case .startedProvisional, .receivedServerRedirect, .committed: break
        }
    }
}
