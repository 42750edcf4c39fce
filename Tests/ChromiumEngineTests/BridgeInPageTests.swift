import BridgeJSON
import Bridgehead
import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing
import WebFixtures

struct Greet: BridgeEvent {
    static let name = "greet"
    var who: String
    typealias Reply = String
}

/// A bridge as a message handler of a page in a real browser, with no server between.
@MainActor
@Suite(.timeLimit(.minutes(5)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct BridgeInPageTests {
    private let bridge = Bridge()

    init() {
        bridge.on(Greet.self) { event, _ in "Hello, \(event.who)" }
    }

    @Test func eventsAreAnswered() async throws {
        try await Chromium.withPage { page, pages in
            try page.messageHandlers.add("bridge", bridge)
            for path in ["/a", "/b"] {
                try await page.arrive(at: pages.url(path))
                let answer = try await page.callJavaScript(
                    "return await webkit.messageHandlers.bridge.postMessage({eventName: 'greet', who: 'Ada'})")
                #expect(answer == "Hello, Ada")
                let failure = try await page.callJavaScript(
                    "return await webkit.messageHandlers.bridge.postMessage({eventName: 'unknown'}).catch(String)")
                #expect(failure == "Error: Method not found")
            }
        }
    }

    /// Handlers reach the page that has asked them.
    @Test func handlersReachThePage() async throws {
        bridge.on("work") { (_: JSON, call: BridgeCall<JSON>) async throws -> JSON in
            let title: JSON = try await call.page.callFunction("app.title", "!", 2)
            let place: JSON = try await call.page.evaluate("location.pathname")
            return ["title": title, "place": place]
        }
        try await Chromium.withPage { page, pages in
            try page.messageHandlers.add("bridge", bridge)
            pages["/a"] = .page(
                "A", "<script>var app = { title(...rest) { return [document.title, this === app, ...rest] } }</script>")
            try await page.arrive(at: pages.url("/a"))
            let answer = try await page.callJavaScript(
                "return await webkit.messageHandlers.bridge.postMessage({eventName: 'work'})")
            #expect(answer == ["title": ["A", true, "!", 2], "place": "/a"])
        }
    }

    /// The convention of many apps' pages: a plain handler, and a function that is told the answers.
    @Test func answersAreToldToThePagesFunction() async throws {
        bridge.onMessage("bridge") { (_: JSON, _) async -> Void in }
        try await Chromium.withPage { page, pages in
            try page.messageHandlers.add("bridge", bridge)
            pages["/a"] = .page(
                "A",
                "<script>var told = new Promise(r => window.handleNativeResponse = (response, id) => r([response, id]))</script>"
            )
            try await page.arrive(at: pages.url("/a"))
            let answer = try await page.callJavaScript(
                """
                const plain = await webkit.messageHandlers.bridge.postMessage({requestId: 7});
                return [plain === undefined, ...await told];
                """)
            #expect(answer == [true, nil, 7])
        }
    }

    /// The client of an ordinary page finds the app's own handlers, and uses them.
    @Test func theClientFindsTheNativeSurface() async throws {
        try await Chromium.withPage { page, pages in
            try page.messageHandlers.add("bridge", bridge)
            pages["/client.js"] = .of(
                "text/javascript", String(decoding: WebFixtures.contents("client/client.js") ?? [], as: UTF8.self))
            pages["/a"] = .page("A", "<script src=/client.js></script>")
            try await page.arrive(at: pages.url("/a"))
            let answer = try await page.callJavaScript(
                "return [bridgehead.status, await bridgehead.request('greet', {who: 'Ada'})]")
            #expect(answer == ["native", "Hello, Ada"])
            #expect(!pages.log.contains("_bridge"))
        }
    }
}
