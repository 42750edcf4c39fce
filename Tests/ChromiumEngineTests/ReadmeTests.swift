import BridgeTesting
import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

@Test(.enabled(if: ChromiumBrowser.isInstalled)) func aLinkToANewWindowOpensInTheSamePage() async throws {
    let site = TestSite.pages(["/": "<a href='/news' target='_blank'>News</a>", "/news": "<title>News</title>"])
    try await withWebPage(.chromium, at: "/", of: site) { page in
        var commits = page.urlChanges.filter(\.isCommitted).makeAsyncIterator()
        try await page.callJavaScript("document.querySelector('a').click()")
        #expect(await commits.next()?.url.path == "/news")
        #expect(page.canGoBack)
    }
}

// The test above stands in the README too, which a test compares.
