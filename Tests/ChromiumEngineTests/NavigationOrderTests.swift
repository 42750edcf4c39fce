import BridgeDevTools
import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// WebKit's order of events and changes, case by case, in a real browser.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct NavigationOrderTests {
    @Test(arguments: OrderCase.all) func theOrderIsWebKits(_ order: OrderCase) async throws {
        try await Chromium.withPage { page, pages in
            order.answers(pages)
            let log = EventLog(page)
            if order.startsInA {
                page.load(pages.url("/a"))
                await log.until("F")
                await log.until("t=A")
                _ = log.take()
            }
            try await order.act(page, pages, log)
            await log.until(order.end)
            let seen = log.take(order.letters)
            #expect(seen == order.expected)
            // What differs is said, and does differ.
            if let difference = order.difference { #expect(seen != difference.webKit && !difference.reason.isEmpty) }
        }
    }
}
