import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// Where native views are over real pages, in exact numbers, and what is left of the page.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Browser.path != nil, "Chromium is not installed: Tests/run installs it"), .sharedBrowser)
struct OverlayPlaceTests {
    nonisolated private static let backings = [Backing.chromium, .connected]
    private static let marker = "<div id=app-footer-placeholder></div>"
    private let footer = OverlayPlacement.placeholder("app-footer-placeholder")

    private func view() throws -> NativeView { try NativeView(label: "Footer", "<p>A footer</p>") }

    /// The marker as the page's own script has it: its top, its height, how far the page scrolls.
    private func seen(_ fixture: OverlayFixture) async throws -> JavaScriptValue {
        try await fixture.look(
            """
            const rect = document.getElementById("app-footer-placeholder").getBoundingClientRect();
            const { scrollHeight, clientHeight } = document.documentElement;
            return [rect.top + scrollY, rect.height, scrollHeight > clientHeight ? scrollHeight : 0];
            """)
    }

    private func check(_ overlay: NativeOverlay, _ fixture: OverlayFixture, y: Double, own: Double) async throws {
        try await overlay.placed()
        let height = overlay.height
        let size = try await fixture.look(
            "return [document.documentElement.clientWidth, document.documentElement.clientHeight]")
        let (width, viewport) = (size[0]?.number ?? 0, size[1]?.number ?? 0)
        #expect(overlay.frame == OverlayRect(x: 0, y: y, width: width, height: height))
        #expect(overlay.contentHeight == own + height)
        #expect(overlay.reason == (height == 0 ? .noHeight : nil))
        let scrolls = own + height > viewport ? own + height : 0
        #expect(try await seen(fixture) == [.number(y), .number(height), .number(scrolls)])
    }

    /// Of long and of short pages, again and again; each load finds the same.
    @Test(arguments: backings) func theMarkerKeepsTheHeightOnce(_ backing: Backing) async throws {
        let pages = [
            "/": "<p>a</p>\(Self.marker)", "/long": "<p class=long>a</p>\(Self.marker)<p>b</p>",
            "/middle": "<p>a</p>\(Self.marker)<p class=long>b</p>",
        ]
        try await OverlayFixture.with(backing, pages) { fixture in
            let overlay = try fixture.page.overlays.attach(try view(), at: footer, height: 0)
            for (path, y, own) in [("/", 100.0, 100.0), ("/long", 3_000, 3_100), ("/middle", 100, 3_100)] {
                if path != "/" { await fixture.open(path) }
                for height in [0, 44, 120, 400, 44] {
                    overlay.height = Double(height)
                    try await check(overlay, fixture, y: y, own: own)
                }
                overlay.height = 120
                for _ in 1...2 {
                    fixture.page.reload()
                    try await check(overlay, fixture, y: y, own: own)
                }
            }
            fixture.page.goBack()
            await fixture.until { fixture.page.url?.path() == "/long" && !fixture.page.isLoading }
            try await check(overlay, fixture, y: 3_000, own: 3_100)
            try await fixture.look("scrollTo(0, 1500); history.pushState(null, '', '/pushed')")
            await fixture.until { fixture.page.url?.path() == "/pushed" }
            try await check(overlay, fixture, y: 3_000, own: 3_100)
        }
    }

    @Test(arguments: backings) func theEndAndWhatIsStackedFollowLateContent(_ backing: Backing) async throws {
        let more = "document.body.insertAdjacentHTML('beforeend', '<p></p>')"
        for placement in [OverlayPlacement.endOfContent, .stacked] {
            try await OverlayFixture.with(backing, ["/": "<p>a</p>"]) { fixture in
                let overlay = try fixture.page.overlays.attach(try view(), at: placement, height: 44)
                try await overlay.placed()
                #expect(overlay.frame?.y == 100 && overlay.contentHeight == 144)
                for count in 2...12 {
                    try await fixture.look(more)
                    let own = Double(100 * count)
                    await fixture.until { overlay.frame?.y == own }
                    #expect(overlay.contentHeight == own + 44)
                }
                // All of it can be reached, what is drawn below too.
                let last = try await fixture.look(
                    "scrollTo(0, 1e6); return scrollY + document.documentElement.clientHeight")
                #expect(last == 1_244)
                try await fixture.look("document.querySelectorAll('p').forEach((p, index) => index > 1 && p.remove())")
                await fixture.until { overlay.frame?.y == 200 }
                #expect(overlay.contentHeight == 244)
            }
        }
    }

    @Test(arguments: backings) func aMarkerIsFollowedAsItComesMovesAndGoes(_ backing: Backing) async throws {
        try await OverlayFixture.with(backing, ["/": "<p>a</p><div id=box></div>"]) { fixture in
            let overlay = try fixture.page.overlays.attach(try view(), at: footer, height: 120)
            await #expect(throws: OverlayError.notPlaced(.noMarker(footer))) { try await overlay.placed() }
            try await fixture.look("box.innerHTML = '<p>b</p><div id=app-footer-placeholder></div>'")
            await fixture.until { overlay.isVisible }
            try await check(overlay, fixture, y: 200, own: 200)
            try await fixture.look("document.querySelector('p').style.height = '350.5px'")
            await fixture.until { overlay.frame?.y == 450.5 }
            try await fixture.look("box.style.display = 'none'")
            await fixture.until { overlay.reason == .notRendered(footer) }
            #expect(overlay.frame == nil && overlay.contentHeight == 350.5)
            try await fixture.look("box.style.display = ''")
            await fixture.until { overlay.isVisible }
            try await fixture.look("document.body.prepend(document.getElementById('app-footer-placeholder'))")
            await fixture.until { overlay.frame?.y == 0 }
            try await fixture.look("document.getElementById('app-footer-placeholder').remove()")
            await fixture.until { overlay.reason == .noMarker(footer) }
            #expect(overlay.contentHeight == 450.5)
        }
    }

    @Test(arguments: backings) func anInnerScrollerHidesWhatItScrollsOut(_ backing: Backing) async throws {
        let scroller = "<div id=box style='height: 200px; overflow: auto'><p class=long></p>\(Self.marker)</div>"
        try await OverlayFixture.with(backing, ["/": "<p>a</p>\(scroller)"]) { fixture in
            let overlay = try fixture.page.overlays.attach(try view(), at: footer, height: 120)
            try await overlay.placed()
            #expect(overlay.reason == .scrolledOut && overlay.frame?.y == 3_100 && overlay.contentHeight == 300)
            try await fixture.look("box.scrollTop = 1e6")
            await fixture.until { overlay.isVisible }
            #expect(overlay.frame?.y == 180 && overlay.contentHeight == 300)
        }
    }

    @Test(arguments: backings) func severalAreHiddenAndRemovedAndThePageIsAsItWas(_ backing: Backing) async throws {
        let page = "<p>a</p><div id=top></div><p>b</p>\(Self.marker)"
        try await OverlayFixture.with(backing, ["/": page]) { fixture in
            let text = "return document.documentElement.outerHTML + document.adoptedStyleSheets.length"
            let before = try await fixture.look(text)
            let overlays = fixture.page.overlays
            let top = try overlays.attach(try view(), at: .placeholder("top"), height: 40)
            let one = try overlays.attach(try view(), at: footer, height: 30)
            let two = try overlays.attach(try view(), at: footer, height: 20)
            let end = try overlays.attach(try view(), at: .endOfContent, height: 10)
            let below = try overlays.attach(try view(), at: .stacked, height: 5)
            let all = [top, one, two, end, below]
            try await below.placed()
            #expect(all.map { $0.frame?.y } == [100, 240, 270, 290, 300] && below.contentHeight == 305)
            one.isHidden = true
            try await two.placed()
            #expect(all.map { $0.frame?.y } == [100, nil, 240, 260, 270] && below.contentHeight == 275)
            for overlay in all { overlay.remove() }
            while try await fixture.look("return document.getElementById('top').offsetHeight") != 0 {
                await Task.yield()
            }
            let after = try await fixture.look(text)
            #expect(after == before)
        }
    }

    @Test(arguments: backings) func aPageMayForbidAllButItsOwnScripts(_ backing: Backing) async throws {
        let policy =
            "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'\">"
        try await OverlayFixture.with(backing, ["/": "<p>a</p>\(Self.marker)"], head: policy) { fixture in
            let overlay = try fixture.page.overlays.attach(try view(), at: footer, height: 120)
            try await check(overlay, fixture, y: 100, own: 100)
        }
    }
}
