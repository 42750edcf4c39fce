import BridgeDevTools
import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// U20: what a page wants to open is asked about, and is this page or nothing. No window ever asks a server for anything.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct WindowTests {
    private static let links = """
        <a id=blank target=_blank href=/w>x</a><a id=named target=nm href=/w>x</a>
        <form id=get target=_blank action=/w><input name=q value=1></form>
        <form id=post method=post target=_blank action=/w><input name=q value=1></form>
        <script>onmessage = (e) => eval(e.data)</script>
        """

    /// What opens a window; whether there is a gesture is what the evaluation has.
    private nonisolated static let ways: [(script: String, path: String)] = [
        ("window.open('/w')", "/w"), ("window.open('/w', '_blank', 'noopener')", "/w"),
        ("window.open('/w', 'name')", "/w"), ("window.open('/w', '', 'width=100')", "/w"),
        ("document.getElementById('blank').click()", "/w"), ("document.getElementById('named').click()", "/w"),
        ("document.getElementById('get').submit()", "/w?q=1"), ("document.getElementById('post').submit()", "/w"),
    ]

    @Test(arguments: ways.indices, [nil, "127.0.0.1", "localhost"])
    func aWindowIsAskedAbout(_ way: Int, _ frame: String?) async throws {
        try await Chromium.withPage { page, pages in
            let (script, path) = Self.ways[way]
            pages["/in"] = .page("In", Self.links)
            pages["/a"] = .page(
                "A", Self.links + (frame.map { "<iframe src='\(pages.url("/in", host: $0))'></iframe>" } ?? ""))
            let (log, windows) = (EventLog(page), Windows(.deny))
            page.uiHandler = windows
            page.load(pages.url("/a"))
            await log.until("F")
            let asked = pages.log
            if frame == nil {
                _ = try await page.evaluateJavaScript("\(script); 0")
            } else {
                _ = try await page.evaluateJavaScript("frames[0].postMessage(\"\(script)\", '*')")
            }
            let action = await windows.next()
            #expect(action.request.url == pages.url(path, host: frame ?? "127.0.0.1"))
            #expect(action.targetFrame == nil && action.sourceFrame?.isMainFrame == (frame == nil))
            #expect(action.sourceFrame?.securityOrigin.host == frame ?? "127.0.0.1")
            // Another window, then a document, so that what the first would have loaded has had its time.
            _ = try await page.evaluateJavaScript("window.open('/other'); 0")
            _ = await windows.next()
            page.load(pages.url("/b"))
            await log.until("F", times: 2)
            #expect(pages.log == asked + ", GET /b" && page.backForwardList.items.count == 2)
        }
    }

    @Test func theGestureIsTold() async throws {
        try await Chromium.withPage { page, pages in
            let (log, windows) = (EventLog(page), Windows(.deny))
            pages["/a"] = .page("A", "<script>window.open('/without')</script>")
            page.uiHandler = windows
            page.load(pages.url("/a"))
            #expect(await windows.next().hasUserGesture == false)
            await log.until("F")
            _ = try await page.evaluateJavaScript("window.open('/with')")
            #expect(await windows.next().hasUserGesture)
        }
    }

    @Test(arguments: ["''", "'about:blank'", "undefined", ""]) func anEmptyWindowIsOneToo(_ argument: String)
        async throws
    {
        try await Chromium.withPage { page, pages in
            let (log, windows) = (EventLog(page), Windows(.deny))
            page.uiHandler = windows
            page.load(pages.url("/a"))
            await log.until("F")
            let value1 = try await page.evaluateJavaScript("window.open(\(argument))")
            #expect(value1 == .null)
            #expect(await windows.next().request.url.absoluteString == "about:blank")
        }
    }

    /// Without a handler, and with one that says so.
    @Test(arguments: [true, false]) func itOpensInTheSamePage(_ hasHandler: Bool) async throws {
        try await Chromium.withPage { page, pages in
            let (log, windows) = (EventLog(page), Windows(.openInSamePage))
            if hasHandler { page.uiHandler = windows }
            page.load(pages.url("/a"))
            await log.until("F")
            let value2 = try await page.evaluateJavaScript("window.open('/w')")
            #expect(value2 == .null)
            await log.until("F", times: 2)
            #expect(page.url == pages.url("/w") && page.canGoBack && pages.log == "GET /a, GET /w")
        }
    }

    @Test func framesOfThePageAreFoundByTheirNames() async throws {
        try await Chromium.withPage { page, pages in
            pages["/a"] = .page(
                "A", "<iframe name=in src='\(pages.url("/in", host: "localhost"))'></iframe><iframe id=e></iframe>")
            let (log, windows) = (EventLog(page), Windows(.deny))
            page.uiHandler = windows
            page.load(pages.url("/a"))
            await log.until("F")
            let seen = try await page.evaluateJavaScript(
                """
                [window.open('/in2', 'in') === frames[0], window.open('#x', '_self') === window,
                 frames[1].open('/in3', '_self') === frames[1],
                 frames[1].open('/in4') === null, String(window.open), window.open.name, window.open.length,
                 Object.hasOwn(window.open, 'prototype')].join()
                """)
            #expect(seen == "true,true,true,true,function () { [native code] },open,0,false")
            #expect(await windows.next().request.url == pages.url("/in4"))
            #expect(windows.count == 1)
        }
    }

    /// One after another, with and without a name.
    @Test func manyWindowsAreAskedAboutInOrder() async throws {
        try await Chromium.withPage { page, pages in
            let (log, windows) = (EventLog(page), Windows(.deny))
            page.uiHandler = windows
            page.load(pages.url("/a"))
            await log.until("F")
            _ = try await page.evaluateJavaScript(
                "for (let n = 0; n < 10; n++) window.open('/' + n, n % 2 ? 'same' : '_blank'); 0")
            for number in 0..<10 { #expect(await windows.next().request.url == pages.url("/\(number)")) }
            #expect(pages.log == "GET /a")
        }
    }

    /// Whether a page may be left is not asked in an app, and dialogs name their frames.
    @Test func dialogsAreAnswered() async throws {
        try await Chromium.withPage { page, pages in
            pages["/a"] = .page("A", "<script>onbeforeunload = (e) => { e.preventDefault(); return 'x' }</script>")
            let (log, windows) = (EventLog(page), Windows(.deny))
            page.uiHandler = windows
            page.load(pages.url("/a"))
            await log.until("F")
            let seen = try await page.evaluateJavaScript("alert(1); [confirm('c'), prompt('p', 'd')].join()")
            #expect(seen == "true,d!" && windows.dialogs == ["alert 1", "confirm c", "prompt p"])
            page.load(pages.url("/b"))
            await log.until("F", times: 2)
            #expect(page.url == pages.url("/b") && windows.dialogs.count == 3)
            page.uiHandler = nil
            let without = try await page.evaluateJavaScript("alert(1); [confirm('c'), prompt('p')].join()")
            #expect(without == "false,")
        }
    }
}

/// Notes what it is asked, and decides the same each time.
@MainActor
private final class Windows: WebPageUIHandling {
    private(set) var dialogs: [String] = []
    private(set) var count = 0
    private let policy: WebPageNewWindowPolicy
    private let asking: AsyncStream<WebPageNavigationAction>.Continuation
    private var actions: AsyncStream<WebPageNavigationAction>.Iterator

    init(_ policy: WebPageNewWindowPolicy) {
        self.policy = policy
        let (stream, asking) = AsyncStream<WebPageNavigationAction>.makeStream()
        self.asking = asking
        actions = stream.makeAsyncIterator()
    }

    func next() async -> WebPageNavigationAction {
        var actions = actions
        return await actions.next(isolation: #isolation) ?? WebPageNavigationAction(request: WebPageRequest(local("/")))
    }

    func webPage(
        _ page: any WebPageRepresentable, createWindowFor action: WebPageNavigationAction
    ) async -> WebPageNewWindowPolicy {
        count += 1
        asking.yield(action)
        return policy
    }

    func webPage(_ page: any WebPageRepresentable, showAlert message: String, from frame: WebPageFrameInfo) async {
        dialogs.append("alert \(message)")
    }

    func webPage(
        _ page: any WebPageRepresentable, askToConfirm message: String, from frame: WebPageFrameInfo
    ) async -> Bool {
        dialogs.append("confirm \(message)")
        return true
    }

    func webPage(
        _ page: any WebPageRepresentable, promptFor message: String, defaultText: String, from frame: WebPageFrameInfo
    ) async -> String? {
        dialogs.append("prompt \(message)")
        return defaultText + "!"
    }
}
