import BridgeDevTools
import ChromiumEngine
import PageEngines
import PageModel
import Testing

/// What things cost in messages to the browser, each of which is a way there and back.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(5)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct CostTests {
    /// Of a page at rest: nothing else is said meanwhile.
    private func cost(_ count: Int, of act: (WebPage) async throws -> Void) async throws -> Int {
        var sent = 0
        try await Chromium.withPage { page, pages in
            let connection = try #require(Chromium.browser).browser.connection
            try await page.arrive(at: pages.url("/a"))
            try await act(page)
            let before = connection.sentCount
            for _ in 1...count { try await act(page) }
            sent = connection.sentCount - before
        }
        return sent
    }

    @Test func aCallIsOneMessage() async throws {
        let sent = try await cost(100) { page in
            let sum = try await page.callJavaScript("return a + b", arguments: ["a": 1, "b": 2])
            #expect(sum == 3)
        }
        #expect(sent == 100)
    }

    @Test func aScriptIsOneMessage() async throws {
        let sent = try await cost(100) { page in
            let sum = try await page.evaluateJavaScript("1 + 2")
            #expect(sum == 3)
        }
        #expect(sent == 100)
    }

    @Test func aMessageAndItsReplyAreTwo() async throws {
        let posted = Posted()
        let sent = try await cost(10) { page in
            if posted.bodies.isEmpty { try page.messageHandlers.add("h", posted) }
            _ = try await page.callJavaScript("return await webkit.messageHandlers.h.postMessage(1)")
        }
        #expect(posted.bodies.count == 11)
        #expect(sent == 20)
    }
}
