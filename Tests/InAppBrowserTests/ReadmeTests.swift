import BridgeTesting
import Foundation
import PageEngines
import PageModel
import Testing

@MainActor @Test func aWindowOpensInTheSamePage() async throws {
    let home = try #require(URL(string: "https://example.com/"))
    let news = try #require(URL(string: "https://example.com/news"))
    let stub = StubWebView()
    stub.responses[news] = .page(title: "News")
    let page = WebPage(stub)
    page.load(home)
    var commits = page.urlChanges.filter(\.isCommitted).makeAsyncIterator()
    await stub.openWindow(news)
    #expect(await commits.next()?.url == news)
    #expect(page.title == "News" && page.canGoBack)
}

// The test above stands in the README too, which a test compares.
