import BridgeTesting
import Bridgehead
import ChromiumEngine
import Foundation
import InAppBrowser
import PageEngines
import PageModel
import Testing
import XCTest

private let missing: Comment = "There is no browser of Chromium's family; Tests/run installs one."

@Suite(.timeLimit(.minutes(5))) struct WithWebPageTests {
    static let site = TestSite.pages([
        "/a": "<title>A</title>", "/b": "<title>B</title>", "/style.css": "body {}",
        "/phone": #"<meta name="viewport" content="width=device-width"><title>Phone</title>"#,
        "/posts": "<script>var answer = webkit.messageHandlers.bridge.postMessage({eventName: 'hello'})</script>",
    ])

    @Test(.enabled(if: ChromiumBrowser.isInstalled, missing)) func aWindowOpensInTheSamePage() async throws {
        try await withWebPage(.chromium, at: "/a", of: Self.site) { page in
            let browser = InAppBrowserViewModel(page: page)
            var commits = page.urlChanges.filter(\.isCommitted).makeAsyncIterator()
            try await page.callJavaScript("window.open('/b')")
            #expect(await commits.next()?.url.path == "/b")
            #expect(browser.canGoBack)
        }
    }

    @Test(.enabled(if: ChromiumBrowser.isInstalled, missing)) func whatTheBodyReturnsComesBackWhenThePageIsGone()
        async throws
    {
        let (title, page) = try await withWebPage(.chromium, at: "/a", of: Self.site) { page in (page.title, page) }
        #expect(title == "A")
        await #expect(throws: WebPageError.pageClosed("it was closed by the app")) {
            try await page.evaluateJavaScript("1")
        }
    }

    @Test(.enabled(if: ChromiumBrowser.isInstalled, missing)) func whatTheBodyThrowsComesOut() async throws {
        await #expect(throws: CancellationError.self) {
            try await withWebPage(.chromium, at: "/a", of: Self.site) { _ in throw CancellationError() }
        }
    }

    @Test(.enabled(if: ChromiumBrowser.isInstalled, missing)) func pagesShareNothing() async throws {
        let seen = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<6 {
                group.addTask {
                    try await withWebPage(.chromium, at: "/a", of: Self.site) { page in
                        try await page.evaluateJavaScript(
                            "document.cookie = 'c\(number)=1'; localStorage.setItem('k', '\(number)')")
                        let kept = try await page.evaluateJavaScript("document.cookie + localStorage.getItem('k')")
                        guard case .string(let text) = kept else { return "\(kept)" }
                        return text
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(seen.sorted() == (0..<6).map { "c\($0)=1\($0)" })
    }

    @Test(.enabled(if: ChromiumBrowser.isInstalled, missing)) func itsFirstScriptReachesTheBridge() async throws {
        let bridge = Bridge()
        bridge.on("hello") { _, _ in "hello, page" }
        try await withWebPage(.chromium, at: "/posts", of: Self.site, bridge: bridge) { page in
            let said = try await page.callJavaScript("return await answer")
            #expect(said == .string("hello, page"))
        }
    }

    @Test(.enabled(if: ChromiumBrowser.isInstalled, missing)) func itIsShownAsItIsAskedFor() async throws {
        let viewport = try #require(ChromiumAppearance.Viewport("393x852@3"))
        let look = ChromiumAppearance(viewport: viewport, colorScheme: .dark, userAgent: "Phone/1.0")
        let script = """
            [innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints > 0, navigator.userAgent,
            matchMedia("(prefers-color-scheme: dark)").matches].join()
            """
        try await withWebPage(.chromium(look), at: "/phone", of: Self.site) { page in
            let seen = try await page.evaluateJavaScript(script)
            #expect(seen == .string("393,852,3,true,Phone/1.0,true"))
            let view = try #require(page.backing as? ChromiumWebView)
            let portrait = try await view.screenshot()
            #expect(try size(ofPNG: portrait) == [1179, 2556])
            let landscape = try #require(ChromiumAppearance.Viewport(width: 852, height: 393, scale: 2))
            try await view.show(as: ChromiumAppearance(viewport: landscape))
            let turned = try await page.evaluateJavaScript("[innerWidth, devicePixelRatio].join()")
            #expect(turned == .string("852,2"))
            let picture = try await view.screenshot()
            #expect(try size(ofPNG: picture) == [1704, 786])
            // Of the least there is a picture, and less than that is never waited for.
            var least = landscape
            least.scale = 1 / 393
            try await view.show(as: ChromiumAppearance(viewport: least))
            let dot = try await view.screenshot()
            #expect(try size(ofPNG: dot) == [2, 1])
            least.scale = 0.001
            await #expect(throws: WebPageError.self) { try await view.show(as: ChromiumAppearance(viewport: least)) }
        }
        try await withWebPage(.chromium, at: "/a", of: Self.site) { page in
            let plain = try await page.evaluateJavaScript(script)
            guard case .string(let text) = plain else { return #expect(Bool(false), "\(plain)") }
            #expect(text.hasPrefix("1024,768,1,false,Mozilla/5.0"))
            #expect(text.hasSuffix(",false"))
        }
    }

    private func size(ofPNG data: Data) throws -> [Int] {
        let bytes = Array(data)
        try #require(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count > 24)
        return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    @Test func aViewportIsReadFromItsText() {
        typealias Viewport = ChromiumAppearance.Viewport
        #expect(Viewport("393x852@3") == Viewport(width: 393, height: 852, scale: 3))
        #expect(Viewport("412x915@2.625") == Viewport(width: 412, height: 915, scale: 2.625))
        #expect(Viewport("1x10000") == Viewport(width: 1, height: 10_000))
        #expect(Viewport("1000x1000@0.001") != nil && Viewport("3x3@0.5") != nil && Viewport("3000x10@10") != nil)
        let wrong = [
            "", "x", "393", "393x", "393x852@", "393x852@0", "393x852@-1", "393x852@11", "393x852@nan", "0x1",
            "1x10001",
            "1x1@0.1", "1x1@0.9", "10x100@0.05", "100x10@0.05", "100x100@0.001", "10000x10000@1.1", "4000x4000@3",
            "393x852x1", "393x852@3@3", "-1x2", "393 x852", "99999999999999999999x1", "393x852@inf", "393X852",
        ]
        for text in wrong { #expect(Viewport(text) == nil, "\(text)") }
    }

    @Test(arguments: ["a", "", "/a?x=1", "/a#b", "?"]) func aPageThatNothingCanAskForIsRefused(_ path: String) async {
        let site = TestSite.pages(["/a": "", path: ""])
        await #expect {
            try await withWebPage(.chromium, at: "/a", of: site) { _ in }
        } throws: { error in
            "\(error)".contains("the site has a page at \"\(path)\", which nothing asks for")
        }
    }

    @Test(.enabled(if: ChromiumBrowser.isInstalled, missing)) func aPageThatDoesNotLoadSaysWhy() async throws {
        func failure(at address: String, of site: TestSite) async -> String {
            do {
                try await withWebPage(.chromium, at: address, of: site) { _ in }
                return "it did load"
            } catch {
                return "\(error)"
            }
        }
        #expect(await failure(at: "a", of: Self.site) == "\"a\" is neither a path, which begins with /, nor a URL")
        let closed = await failure(at: "/a", of: .server("http://127.0.0.1:1/"))
        #expect(closed.hasPrefix("http://127.0.0.1:1/a did not load: The load failed: net::ERR_"), "\(closed)")
        #expect(await failure(at: "/style.css", of: .folder("/nonexistent")).contains("/nonexistent"))
    }
}

final class WithWebPageXCTests: XCTestCase {
    func testAPageIsThere() async throws {
        try XCTSkipUnless(ChromiumBrowser.isInstalled, "There is no browser of Chromium's family")
        let title = try await withWebPage(.chromium, at: "/a", of: WithWebPageTests.site) { $0.title }
        XCTAssertEqual(title, "A")
    }
}
