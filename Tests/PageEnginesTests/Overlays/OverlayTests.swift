import BridgeTesting
import Foundation
import Observation
import PageEngines
import PageModel
import Testing

/// Overlays over a stub's page: what is asked of it, and what is told of it.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct OverlayTests {
    private let stub = StubWebView()
    private let page: WebPage
    private let url = URL(string: "https://a.example/") ?? .temporaryDirectory
    private let footer = OverlayPlacement.placeholder("app-footer-placeholder")

    init() {
        page = WebPage(stub)
        stub.overlays.layout = StubLayout(height: 2_000, placeholders: ["app-footer-placeholder": 1_900, "header": 10])
    }

    private func view(_ text: String = "x") throws -> NativeView { try NativeView(label: "Footer", "<p>\(text)</p>") }

    private func frame(_ overlay: NativeOverlay) -> String {
        let frame = overlay.frame.map { "\(Int($0.x)) \(Int($0.y)) \(Int($0.width)) \(Int($0.height))" }
        return [frame, overlay.contentHeight.map { "of \(Int($0))" }, overlay.reason.map { "\($0)" }]
            .compactMap(\.self).joined(separator: " ")
    }

    /// The height counts once, however often it changes and the page loads.
    @Test func theHeightIsTheOverlaysOwnAndCountsOnce() async throws {
        page.load(url)
        let overlay = try page.overlays.attach(try view(), at: footer, height: 0)
        try await overlay.placed()
        #expect(overlay.frame == OverlayRect(x: 0, y: 1_900, width: 393, height: 0))
        #expect(overlay.contentHeight == 2_000 && overlay.reason == .noHeight && !overlay.isVisible)
        for height in [44.0, 120, 400, 120, 0, 400.5] {
            overlay.height = height
            try await overlay.placed()
            #expect(overlay.frame == OverlayRect(x: 0, y: 1_900, width: 393, height: height))
            #expect(overlay.contentHeight == 2_000 + height && overlay.isVisible == (height > 0))
            page.reload()
            #expect(overlay.frame == nil && overlay.contentHeight == nil && overlay.reason == .notMeasured)
            try await overlay.placed()
            #expect(overlay.frame?.height == height && overlay.contentHeight == 2_000 + height)
        }
    }

    @Test func aShortPageHasItsOwnHeight() async throws {
        stub.overlays.layout = StubLayout(height: 300, placeholders: ["app-footer-placeholder": 284])
        page.load(url)
        let overlay = try page.overlays.attach(try view(), at: footer, height: 120)
        let end = try page.overlays.attach(try view(), at: .endOfContent, height: 44)
        let below = try page.overlays.attach(try view(), at: .stacked, height: 10)
        try await below.placed()
        #expect(frame(overlay) == "0 284 393 120 of 474")
        #expect(frame(end) == "0 420 393 44 of 474")
        #expect(frame(below) == "0 464 393 10 of 474")
    }

    @Test func whatIsStackedIsBelowLateContentToo() async throws {
        page.load(url)
        let overlay = try page.overlays.attach(try view(), at: .stacked, height: 120)
        try await overlay.placed()
        #expect(frame(overlay) == "0 2000 393 120 of 2120")
        stub.overlays.layout.height = 3_500
        #expect(frame(overlay) == "0 3500 393 120 of 3620")
        stub.overlays.layout.height = 200
        #expect(frame(overlay) == "0 200 393 120 of 320")
    }

    @Test func severalFollowTheirMarkers() async throws {
        page.load(url)
        let first = try page.overlays.attach(try view(), at: .placeholder("header"), height: 44)
        let second = try page.overlays.attach(try view(), at: footer, height: 100)
        let third = try page.overlays.attach(try view(), at: footer, height: 20)
        try await third.placed()
        #expect(
            [first, second, third].map(frame) == [
                "0 10 393 44 of 2164", "0 1944 393 100 of 2164", "0 2044 393 20 of 2164",
            ])
        #expect(page.overlays.all.map(\.id) == [first.id, second.id, third.id])
        second.isHidden = true
        try await third.placed()
        #expect(
            frame(second) == "of 2064 the overlay is hidden: set isHidden to false"
                && frame(third) == "0 1944 393 20 of 2064")
        await #expect(throws: OverlayError.notPlaced(.hidden)) { try await second.placed() }
        second.isHidden = false
        first.remove()
        try await third.placed()
        #expect([second, third].map(frame) == ["0 1900 393 100 of 2120", "0 2000 393 20 of 2120"])
        #expect(first.reason == .removed && first.frame == nil)
        await #expect(throws: OverlayError.notPlaced(.removed)) { try await first.placed() }
        first.height = 1
        first.remove()
        #expect(page.overlays.all.count == 2)
    }

    // MARK: The marker

    @Test func aPageWithoutTheMarkerSaysHowToAddIt() async throws {
        page.load(url)
        let overlay = try page.overlays.attach(try view(), at: .placeholder("x"), height: 120)
        let error = await #expect(throws: OverlayError.self) { try await overlay.placed() }
        #expect(error == .notPlaced(.noMarker(.placeholder("x"))))
        #expect("\(String(describing: error))".contains("<div id=\"x\"></div>"))
        #expect(overlay.reason == .noMarker(.placeholder("x")))
    }

    @Test func aMarkerThatComesLateIsFollowedAndGoes() async throws {
        page.load(url)
        let overlay = try page.overlays.attach(try view(), at: .placeholder("x"), height: 120)
        await #expect(throws: OverlayError.self) { try await overlay.placed() }
        stub.overlays.layout.placeholders["x"] = 500
        #expect(frame(overlay) == "0 500 393 120 of 2120")
        try await overlay.placed()
        stub.overlays.layout.unrendered = ["x"]
        #expect(
            overlay.reason == .notRendered(.placeholder("x")) && overlay.frame == nil && overlay.contentHeight == 2_000)
        stub.overlays.layout.unrendered = []
        #expect(overlay.isVisible)
        stub.overlays.layout.clips["x"] = .init(top: 0, bottom: 400)
        #expect(overlay.reason == .scrolledOut && overlay.frame?.y == 500)
        stub.overlays.layout.placeholders["x"] = nil
        #expect(overlay.reason == .noMarker(.placeholder("x")))
    }

    @Test func whetherItIsPlacedIsKnownOnlyOfALoadedPage() async throws {
        stub.responses[url] = .pending
        let overlay = try page.overlays.attach(try view(), at: .placeholder("x"), height: 120)
        async let placed: Void = overlay.placed()
        #expect(stub.overlays.requests.isEmpty)
        page.load(url)
        stub.overlays.layout.isLoaded = false
        stub.respond(.page())
        while overlay.reason == .notMeasured { await Task.yield() }
        #expect(overlay.reason == .noMarker(.placeholder("x")))
        stub.overlays.layout.placeholders["x"] = 100
        #expect(overlay.frame?.y == 100)
        stub.overlays.layout.isLoaded = true
        try await placed
    }

    // MARK: What is asked

    @Test func whatChangesAtOnceIsAskedOnce() async throws {
        page.load(url)
        let overlay = try page.overlays.attach(try view("a"), at: footer, height: 1)
        for height in 2...100 { overlay.height = Double(height) }
        overlay.view = try view("b")
        page.overlays.explain = true
        page.overlays.safeArea = OverlayInsets(top: 59, bottom: 34)
        try await overlay.placed()
        let request = try #require(stub.overlays.requests.first)
        #expect(stub.overlays.requests.count == 1 && request.items.map(\.height) == [100])
        #expect(request.items[0].version == 2 && request.explain && request.safeArea?.top == 59)
    }

    @Test func oneRequestIsUnderWayAndTheNextHasAllThatChanged() async throws {
        page.load(url)
        var isUnderWay = 0
        var continuations: [CheckedContinuation<Void, Never>] = []
        stub.overlays.meanwhile = {
            isUnderWay += 1
            #expect(isUnderWay == 1)
            await withCheckedContinuation { continuations.append($0) }
            isUnderWay -= 1
        }
        let overlay = try page.overlays.attach(try view(), at: footer, height: 1)
        while continuations.isEmpty { await Task.yield() }
        for height in 2...50 {
            overlay.height = Double(height)
            await Task.yield()
        }
        #expect(stub.overlays.requests.count == 1)
        continuations.removeFirst().resume()
        while continuations.isEmpty { await Task.yield() }
        // What the page has is what was asked first; nothing else is told.
        #expect(overlay.frame?.height == 1 && overlay.height == 50)
        #expect(stub.overlays.requests.map { $0.items[0].height } == [1, 50])
        stub.overlays.meanwhile = nil
        continuations.removeFirst().resume()
        try await overlay.placed()
        #expect(overlay.frame?.height == 50 && stub.overlays.requests.count == 2)
    }

    /// What was measured with the former request is not taken for the next one's.
    @Test func aMeasurementIsOfItsRequest() async throws {
        page.load(url)
        let overlay = try page.overlays.attach(try view(), at: footer, height: 100)
        try await overlay.placed()
        stub.overlays.meanwhile = {
            let old = self.stub.overlays.requests[0]
            self.stub.overlays.receive?(.measurement(StubLayout(height: 7).measurement(with: old), request: old.number))
            self.stub.overlays.receive?(.measurement(StubLayout(height: 8).measurement(with: old), request: 999))
            self.stub.overlays.receive?(.measurement(StubLayout(height: 9).measurement(with: old), request: -1))
        }
        overlay.height = 200
        try await overlay.placed()
        #expect(frame(overlay) == "0 1900 393 200 of 2200")
        page.reload()
        stub.overlays.meanwhile = nil
        let old = stub.overlays.requests[0]
        stub.overlays.receive?(.measurement(stub.overlays.layout.measurement(with: old), request: old.number))
        #expect(overlay.frame == nil)
    }

    @Test func aPageWithoutOverlaysIsAskedNothing() async throws {
        _ = page.overlays.all
        page.load(url)
        page.reload()
        let overlay = try page.overlays.attach(try view(), at: footer, height: 100)
        try await overlay.placed()
        #expect(stub.overlays.requests.count == 1)
        overlay.remove()
        page.overlays.explain = false
        while stub.overlays.requests.count < 2 { await Task.yield() }
        #expect(stub.overlays.requests[1].items.isEmpty)
        page.reload()
        for _ in 1...50 { await Task.yield() }
        #expect(stub.overlays.requests.count == 2)
    }

    @Test func eachDocumentHasThemAgain() async throws {
        let overlay = try page.overlays.attach(try view(), at: footer, height: 100)
        for load in [
            { _ = page.load(url) }, { _ = page.reload() }, { _ = page.load(url.appending(path: "b")) },
            { _ = page.goBack() },
        ] {
            let before = stub.overlays.requests.count
            load()
            try await overlay.placed()
            #expect(stub.overlays.requests.count > before && frame(overlay) == "0 1900 393 100 of 2100")
        }
        stub.pushState(url.appending(path: "c"))
        #expect(frame(overlay) == "0 1900 393 100 of 2100")
    }

    @Test func aDocumentThatGoesAwayMeanwhileIsNoError() async throws {
        page.load(url)
        let overlay = try page.overlays.attach(try view(), at: footer, height: 100)
        let gone = [WebPageError.unreachable, .webContentProcessTerminated, .pageClosed("lost"), .cancelled]
        for error in gone {
            stub.overlays.failure = error
            overlay.height += 1
            while stub.overlays.failure != nil { await Task.yield() }
            stub.overlays.receive?(.outdated)
            try await overlay.placed()
            #expect(overlay.isVisible)
        }
    }

    @Test func whatCannotBeDrawnSaysWhy() async throws {
        page.load(url)
        let overlay = try page.overlays.attach(try view(), at: footer, height: 100)
        stub.overlays.failure = .unsupported("no client")
        await #expect(throws: WebPageError.unsupported("no client")) { try await overlay.placed() }
        #expect(overlay.reason == .failed("Not supported: no client") && overlay.frame == nil)
        overlay.height = 50
        try await overlay.placed()
        #expect(overlay.isVisible)
    }

    // MARK: Ends

    @Test func aClosedPagePlacesNothing() async throws {
        let overlay = try page.overlays.attach(try view(), at: footer, height: 100)
        let placed = Task { try await overlay.placed() }
        await Task.yield()
        page.close()
        await #expect(throws: WebPageError.pageClosed("it was closed by the app")) { try await placed.value }
        await #expect(throws: WebPageError.pageClosed("it was closed by the app")) { try await overlay.placed() }
        let late = try page.overlays.attach(try view(), at: footer, height: 100)
        await #expect(throws: WebPageError.pageClosed("it was closed by the app")) { try await late.placed() }
        #expect(
            late.reason == .failed("The page is closed: it was closed by the app") && stub.overlays.requests.isEmpty)
    }

    @Test func aPageThatWasClosedBeforePlacesNothing() async throws {
        stub.navigationDelegate?.didClose("the browser has ended")
        let overlay = try page.overlays.attach(try view(), at: footer, height: 100)
        await #expect(throws: WebPageError.pageClosed("the browser has ended")) { try await overlay.placed() }
    }

    @Test func afterACrashTheNextLoadHasThemAgain() async throws {
        page.load(url)
        let overlay = try page.overlays.attach(try view(), at: footer, height: 100)
        try await overlay.placed()
        stub.terminateWebContent()
        #expect(overlay.frame == nil)
        page.load(url)
        try await overlay.placed()
        #expect(overlay.isVisible)
    }

    @Test func waitingEndsWithItsTask() async throws {
        let overlay = try page.overlays.attach(try view(), at: footer, height: 100)
        let waiting = Task { try await overlay.placed() }
        await Task.yield()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let removed = Task { try await overlay.placed() }
        await Task.yield()
        overlay.remove()
        await #expect(throws: OverlayError.notPlaced(.removed)) { try await removed.value }
    }

    @Test func nothingKeepsAPageThatIsLetGo() throws {
        weak var gone: WebPage?
        weak var overlays: PageOverlays?
        do {
            let page = WebPage(StubWebView())
            (gone, overlays) = (page, page.overlays)
            try page.overlays.attach(try view(), at: footer, height: 1)
        }
        #expect(gone == nil && overlays == nil)
    }

    // MARK: Values and events

    @Test(arguments: [-1, -0.001, .nan, .infinity, -.infinity, 10_000_000.1]) func whatIsNoHeightIsRefused(
        _ height: Double
    ) throws {
        let error = #expect(throws: OverlayError.self) {
            try page.overlays.attach(try view(), at: footer, height: height)
        }
        #expect("\(String(describing: error))".contains("from 0 to 10000000") && page.overlays.all.isEmpty)
        let overlay = try page.overlays.attach(try view(), at: footer, height: 44)
        overlay.height = height
        #expect(overlay.height == (height > 1 ? 10_000_000 : 0))
    }

    @Test func anEmptyIdIsRefused() throws {
        #expect(throws: OverlayError.emptyPlaceholder) {
            try page.overlays.attach(try view(), at: .placeholder(""), height: 1)
        }
    }

    private enum Press: String, CaseIterable { case like, share }

    @Test func eventsComeTypedToTheViewThatIsThere() async throws {
        page.load(url)
        var heard: [String] = []
        func view(_ name: String) throws -> NativeView {
            try NativeView(label: "Footer", events: Press.self, "<button event='like'>x</button>") { event, value in
                heard.append("\(name) \(event) \(value ?? "-")")
            }
        }
        let overlay = try page.overlays.attach(try view("a"), at: footer, height: 44)
        let other = try page.overlays.attach(try view("b"), at: footer, height: 44)
        stub.overlays.send("like", from: overlay)
        stub.overlays.send("share", value: "v", from: other)
        stub.overlays.send("nothing of ours", from: other)
        overlay.view = try view("c")
        stub.overlays.send("like", value: "", from: overlay)
        other.remove()
        stub.overlays.send("like", from: other)
        #expect(heard == ["a like -", "b share v", "c like "])
    }

    @Test func eachStateIsObserved() async throws {
        page.load(url)
        let overlay = try page.overlays.attach(try view(), at: footer, height: 44)
        try await overlay.placed()
        func changes(_ name: String, _ read: () -> Void, _ change: () throws -> Void) rethrows {
            let seen = Flag()
            withObservationTracking(read) { seen.isSet = true }
            try change()
            #expect(seen.isSet, "\(name)")
        }
        changes("frame", { _ = overlay.frame }, { stub.overlays.layout.placeholders["app-footer-placeholder"] = 1 })
        changes("contentHeight", { _ = overlay.contentHeight }, { stub.overlays.layout.height = 1_999 })
        changes(
            "isVisible", { _ = overlay.isVisible }, { stub.overlays.layout.unrendered = ["app-footer-placeholder"] })
        changes("reason", { _ = overlay.reason }, { stub.overlays.layout.unrendered = [] })
        changes("height", { _ = overlay.height }, { overlay.height = 45 })
        changes("isHidden", { _ = overlay.isHidden }, { overlay.isHidden = true })
        try changes("view", { _ = overlay.view.label }, { overlay.view = try view() })
        changes("explain", { _ = page.overlays.explain }, { page.overlays.explain = true })
        changes("safeArea", { _ = page.overlays.safeArea }, { page.overlays.safeArea = OverlayInsets() })
        try changes(
            "all", { _ = page.overlays.all.count }, { try page.overlays.attach(try view(), at: footer, height: 1) })
        // What is as it was is not told.
        let seen = Flag()
        withObservationTracking {
            _ = (overlay.frame, overlay.contentHeight, overlay.isVisible, overlay.height, overlay.isHidden)
        } onChange: {
            seen.isSet = true
        }
        overlay.height = 45
        overlay.isHidden = true
        #expect(!seen.isSet)
    }
}

private final class Flag: @unchecked Sendable {
    /// On the main actor alone.
    var isSet = false
}
