import ChromiumEngine
import ConnectedEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// What a person does with native views, and what the page can do to them.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Browser.path != nil, "Chromium is not installed: Tests/run installs it"), .sharedBrowser)
struct OverlayUseTests {
    nonisolated private static let backings = [Backing.chromium, .connected]
    private static let page = ["/": "<p>a</p><div id=m></div>", "/b": "<div id=m></div><p>b</p>"]
    private let marker = OverlayPlacement.placeholder("m")

    private enum Use: String, CaseIterable { case like, share, note }

    private static let style = "* { margin: 0; box-sizing: border-box; display: block; width: 100px; height: 40px }"

    private func view(_ name: String, _ heard: Told) throws -> NativeView {
        try NativeView(
            label: "Footer", events: Use.self, style: Self.style,
            "<button event='like'>\(name)</button><input event='note' aria-label='Note'>"
        ) { event, value in
            heard.all.append("\(name) \(event) \(value ?? "-")")
        }
    }

    @Test(arguments: backings) func whatIsPressedComesToSwiftTyped(_ backing: Backing) async throws {
        try await OverlayFixture.with(backing, Self.page) { fixture in
            let heard = Told()
            let overlay = try fixture.page.overlays.attach(try view("a", heard), at: marker, height: 80)
            try await overlay.placed()
            try await fixture.screen.click(x: 50, y: 120)
            await fixture.until { heard.all == ["a like -"] }
            try await fixture.screen.press(tab: true)
            try await fixture.screen.type("héllo")
            await fixture.until { heard.all.last == "a note héllo" }
            // The view that is there now, in another document.
            overlay.view = try view("b", heard)
            await fixture.open("/b")
            try await overlay.placed()
            try await fixture.screen.press(tab: true)
            try await fixture.screen.press(tab: false)
            await fixture.until { heard.all.last == "b like -" }
            #expect(heard.all == ["a like -", "a note héllo", "b like -"])
        }
    }

    @Test(arguments: backings) func thePageKnowsTheScreensEdges(_ backing: Backing) async throws {
        try await OverlayFixture.with(backing, Self.page) { fixture in
            let script =
                "return ['top', 'right', 'bottom', 'left'].map((edge) => getComputedStyle(document.documentElement).getPropertyValue('--safe-area-inset-' + edge)).join()"
            fixture.page.overlays.safeArea = OverlayInsets(top: 59, right: .nan, bottom: 34, left: 0.5)
            while try await fixture.look(script) != "59px,0px,34px,0.5px" { await Task.yield() }
            await fixture.open("/b")
            while try await fixture.look(script) != "59px,0px,34px,0.5px" { await Task.yield() }
            fixture.page.overlays.safeArea = nil
            while try await fixture.look(script) != ",,," { await Task.yield() }
        }
    }

    /// What is beside the view is the page's.
    @Test(arguments: backings) func whatIsBesideTheViewIsThePages(_ backing: Backing) async throws {
        try await OverlayFixture.with(backing, Self.page) { fixture in
            let heard = Told()
            let overlay = try fixture.page.overlays.attach(try view("a", heard), at: marker, height: 80)
            try await overlay.placed()
            try await fixture.look("window.seen = []; document.onclick = ({ target }) => seen.push(target.localName)")
            try await fixture.screen.click(x: 50, y: 50)
            #expect(try await fixture.look("return seen") == ["p"] && heard.all.isEmpty)
        }
    }

    /// All that Swift lets into a view is let into the page, and stays what it was.
    @Test(arguments: backings) func whatAViewMayHaveThePageTakes(_ backing: Backing) async throws {
        try await OverlayFixture.with(backing, Self.page) { fixture in
            let hostile = "</p><script>parent.bad = 1</script>\"'&lt;\u{0}\u{2028}"
            for template in NativeViewSamples.all(hostile) {
                let overlay = try fixture.page.overlays.attach(
                    try NativeView(label: hostile, events: Use.self, template) { _, _ in }, at: marker, height: 40)
                try await overlay.placed()
                #expect(overlay.isVisible)
                overlay.remove()
            }
            #expect(try await fixture.look("return typeof bad") == "undefined")
        }
    }

    @Test func anAppThatTakesItsScriptsAwayLeavesTheOverlays() async throws {
        try await OverlayFixture.with(.chromium, Self.page) { fixture in
            let heard = Told()
            let overlay = try fixture.page.overlays.attach(try view("a", heard), at: marker, height: 80)
            try await overlay.placed()
            fixture.page.removeAllUserScripts()
            fixture.page.messageHandlers.removeAll()
            await fixture.open("/b")
            try await overlay.placed()
            #expect(overlay.frame?.y == 0)
            try await fixture.screen.click(x: 50, y: 20)
            await fixture.until { heard.all == ["a like -"] }
            // Nothing of it is among the page's globals.
            let names = try await fixture.look(
                "return Object.getOwnPropertyNames(window).filter((n) => /bridgehead|webkit$/i.test(n))")
            #expect(names == [])
        }
    }

    /// Its document is seen, and nobody is told of its commit.
    @Test func aDocumentOfASupersededLoadHasThemToo() async throws {
        try await OverlayFixture.with(.chromium, Self.page) { fixture in
            let overlay = try fixture.page.overlays.attach(try view("a", Told()), at: marker, height: 80)
            for _ in 1...10 {
                fixture.page.load(fixture.url("/b"))
                fixture.page.load(fixture.url("/"))
                try await overlay.placed()
                #expect(overlay.frame?.y == 100 && overlay.contentHeight == 180)
            }
        }
    }

    @Test func aServerThatComesBackFindsThemAgain() async throws {
        try await OverlayFixture.with(.connected, Self.page) { fixture in
            let heard = Told()
            let overlay = try fixture.page.overlays.attach(try view("a", heard), at: marker, height: 80)
            try await overlay.placed()
            try await fixture.restart {
                overlay.height = 120
                while (fixture.page.backing as? ConnectedWebView)?.connection == .connected { await Task.yield() }
                overlay.height = 90
            }
            await fixture.until { overlay.frame?.height == 90 }
            #expect(overlay.contentHeight == 190)
            try await fixture.screen.click(x: 50, y: 120)
            await fixture.until { heard.all == ["a like -"] }
        }
    }

    @Test(arguments: backings) func aPageThatEndsPlacesNothing(_ backing: Backing) async throws {
        try await OverlayFixture.with(backing, Self.page) { fixture in
            let overlay = try fixture.page.overlays.attach(try view("a", Told()), at: marker, height: 80)
            let placed = Task { try await overlay.placed() }
            await Task.yield()
            fixture.page.close()
            await #expect(throws: WebPageError.pageClosed("it was closed by the app")) { try await placed.value }
            await #expect(throws: WebPageError.pageClosed("it was closed by the app")) { try await overlay.placed() }
        }
    }

    @Test func afterACrashTheNextLoadHasThem() async throws {
        try await OverlayFixture.with(.chromium, Self.page) { fixture in
            let overlay = try fixture.page.overlays.attach(try view("a", Told()), at: marker, height: 80)
            try await overlay.placed()
            fixture.screen.crash()
            await fixture.until { overlay.frame == nil }
            await fixture.open("/b")
            try await overlay.placed()
            #expect(overlay.frame?.y == 0)
        }
    }
}
