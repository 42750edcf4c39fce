import Foundation
import PageEngines
import PageModel
import Testing

/// Where a page wants to go, and the browser goes for no page: an app is asked all the same, and told that it failed.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct RefusalTests {
    private nonisolated static let places = [
        "file:///etc/passwd", "chrome://version/", "view-source:http://127.0.0.1/", "data:text/html,x", "blob:x",
        "app:open", "mailto:a@b.c",
    ]

    private static let ways = [
        "location = '@'", "location.replace('@')", "location.assign('@')",
        "document.body.innerHTML = '<a id=z href=\"@\">z</a>'; document.getElementById('z').click()",
    ]

    @Test(arguments: places, [true, false]) func aPageThatMayNotGoSomewhereIsHeard(
        _ place: String, _ isAllowed: Bool
    ) async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            page.load(pages.url("/a"))
            await log.until("F")
            log.policy = { _ in isAllowed ? .allow : .cancel }
            for way in Self.ways {
                _ = log.take()
                let script = way.replacing("@", with: place)
                _ = try await page.evaluateJavaScript("\(script); 0")
                await log.until(isAllowed ? "X" : "A")
                let type = way.contains("click") ? " linkActivated" : ""
                // What has begun ends; what was refused leaves nothing that could.
                let told = log.take("ASDRCFXul")
                let url = try #require(URL(string: place))
                let asked = "A(\(EventLog.short(url))\(type))"
                #expect(told == (isAllowed ? "\(asked) l=true S l=false X(101)" : asked))
                #expect(page.url == pages.url("/a") && page.backForwardList.items.count == 1)
                #expect(log.actions.last?.request.url == url && log.actions.last?.targetFrame?.isMainFrame == true)
            }
            log.policy = { _ in .allow }
            page.load(pages.url("/b"))
            await log.until("F")
        }
    }

    /// What a page only shows, and where its frames go, are no ways of its own.
    @Test func whatIsInThePageIsNotAskedAbout() async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            pages["/a"] = .page("A", "<img src=file:///x.png><iframe src=file:///x></iframe><a id=y href='#y'>y</a>")
            page.load(pages.url("/a"))
            await log.until("F")
            _ = try await page.evaluateJavaScript(
                """
                new Image().src = "file:///y.png"; fetch("file:///z").catch(() => 0); location = "#x";
                document.getElementById("y").click(); location = "javascript:1"; 0
                """)
            _ = log.take()
            page.load(pages.url("/b"))
            await log.until("F")
            #expect(log.take("ASX").hasPrefix("A(/b) S"))
            #expect(log.actions.map(\.request.url.scheme) == ["http", "http"])
        }
    }

    /// Another way that the page takes at once is not lost.
    @Test func theNextWayIsTaken() async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            page.load(pages.url("/a"))
            await log.until("F")
            _ = log.take()
            _ = try? await page.evaluateJavaScript("location = 'file:///x'; location = '/b'; 0")
            await log.until("F")
            let told = log.take("ASCFX")
            #expect(told.contains("A(file:///x)") && told.contains("A(/b)") && told.hasSuffix("S C F"), "\(told)")
            #expect(told.contains("X(101)") && page.url == pages.url("/b"))
        }
    }
}
