import BridgeDevTools
import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// Every change of the URL, once, in order, whoever makes it.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct URLChangeTests {
    private func run(_ script: String, in page: WebPage) async {
        // The document may go before the answer comes.
        _ = try? await page.evaluateJavaScript("\(script); 0")
    }

    @Test func eachHasItsCause() async throws {
        try await Chromium.withPage { page, pages in
            pages["/r"] = .redirect("/b")
            let (log, changes) = (EventLog(page), ChangeLog(page))
            @MainActor func finished(_ act: @MainActor () async -> Void) async {
                _ = log.take()
                await act()
                await log.until("F")
            }
            await finished { page.load(pages.url("/a")) }
            await finished { page.load(pages.url("/r")) }
            await run("location.hash = 'x'", in: page)
            await run("history.pushState(1, '', '/s')", in: page)
            await run("history.replaceState(1, '', '/t')", in: page)
            _ = log.take()
            page.goBack()
            await log.until("u=/b#x")
            await log.until("l=false")
            await finished { page.load(pages.url("/c")) }
            await finished { page.goBack() }
            await finished { page.reload() }
            await finished { await run("location.replace('/d')", in: page) }
            pages["/no"] = .noContent
            page.load(pages.url("/no"))
            await log.until("X")
            page.close()
            await changes.untilClosed()
            #expect(
                changes.text == [
                    "load? /a @-", "commit /a @0", "load? /r @0", "redirect? /b @0", "commit /b @1", "hash /b#x @2",
                    "push /s @3", "replace /t @3", "traversal /b#x @2", "load? /c @2", "commit /c @3",
                    "traversal? /b#x @3", "traversal /b#x @2", "reload /b#x @2", "replace /d @2", "load? /no @2",
                    "revert? /d @2",
                ])
            #expect(changes.changes.map(\.sequence) == Array(1...UInt64(changes.changes.count)))
        }
    }

    /// U19: one turn of a page's script.
    @Test func theChangesOfOneTurnComeOnceEachInOrder() async throws {
        try await Chromium.withPage { page, pages in
            let (log, changes) = (EventLog(page), ChangeLog(page))
            page.load(pages.url("/a"))
            await log.until("F")
            await run(
                """
                history.pushState(1, '', '/1'); history.replaceState(2, '', '/2'); location.hash = 'h';
                history.pushState(3, '', '/3'); location.replace('#r'); history.pushState(4, '', '/3#r');
                onpopstate = () => { onpopstate = null; history.pushState(5, '', '/5'); location = '/4'; };
                history.back();
                """, in: page)
            await changes.until(committed: "/4")
            #expect(
                changes.text == [
                    "load? /a @-", "commit /a @0", "push /1 @1", "replace /2 @1", "hash /2#h @2", "push /3 @3",
                    "replace /3#r @3", "push /3#r @4", "traversal /3#r @3", "push /5 @4", "commit /4 @5",
                ])
        }
    }

    @Test func aRefreshAndForwardAreChangesToo() async throws {
        try await Chromium.withPage { page, pages in
            pages["/m"] = .page("M", "<meta http-equiv=refresh content='0;url=/n'>")
            let (log, changes) = (EventLog(page), ChangeLog(page))
            page.load(pages.url("/a"))
            await log.until("F")
            await run("location = '/m'", in: page)
            await changes.until(committed: "/n")
            await log.until("F", times: 3)
            await run("history.back()", in: page)
            await changes.until(5)
            await log.until("F", times: 4)
            await run("history.forward()", in: page)
            await log.until("F", times: 5)
            await changes.until(6)
            #expect(
                changes.text == [
                    "load? /a @-", "commit /a @0", "commit /m @1", "replace /n @1", "traversal /a @0",
                    "traversal /n @1",
                ])
        }
    }

    /// A frame's own history is the page's: one can go back in it, and the page's URL does not change.
    @Test(arguments: ["127.0.0.1", "localhost"]) func aFramesChangesCountInTheList(_ host: String) async throws {
        try await Chromium.withPage { page, pages in
            pages["/f"] = .page("F", "<iframe src='\(pages.url("/in", host: host))'></iframe>")
            pages["/in"] = .page(
                "In",
                """
                <script>onmessage = (e) => eval(e.data)</script>
                """)
            pages["/in2"] = pages["/in"]
            let (log, changes) = (EventLog(page), ChangeLog(page))
            page.load(pages.url("/f"))
            await log.until("F")
            _ = log.take()
            #expect(!page.canGoBack)
            await run("frames[0].postMessage(\"history.pushState(1, '', '/in?1')\", '*')", in: page)
            await log.until("h=2@1")
            #expect(page.canGoBack && page.url == pages.url("/f"))
            await run("frames[0].postMessage(\"location = '/in2'\", '*')", in: page)
            await log.until("h=3@2")
            await run("history.pushState(1, '', '/g')", in: page)
            await log.until("h=4@3")
            _ = log.take()
            page.goBack()
            await log.until("l=false")
            #expect(page.backForwardList.currentIndex == 2 && page.url == pages.url("/f"))
            _ = log.take()
            await run("history.back()", in: page)
            await log.until("h=4@1")
            #expect(changes.text == ["load? /f @-", "commit /f @0", "push /g @3", "traversal /f @2"])
            #expect(page.backForwardList.items.map { $0.url.path() } == ["/f", "/f", "/f", "/g"])
        }
    }

    /// The list keeps fifty, as Chromium's does; WebKit's keeps a hundred.
    @Test func threeSubscribersSeeTenThousandChanges() async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            page.load(pages.url("/a"))
            await log.until("F")
            page.navigationHandler = nil
            let readers = (1...3).map { _ in ChangeLog(page) }
            await run("for (let n = 1; n <= 10000; n++) history.pushState(n, '', '/' + n)", in: page)
            for reader in readers { await reader.until(10_000) }
            page.close()
            let expected = (1...10_000).map { "push /\($0) @\(min($0, 49))" }
            for reader in readers {
                await reader.untilClosed()
                #expect(reader.text == expected)
            }
            #expect(page.backForwardList.items.count == 50)
        }
    }
}
