import BridgeDevTools
import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// What is decided upon late, while other things happen: nothing hangs, nothing is answered twice, and what comes too late
/// decides nothing.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct LateDecisionTests {
    /// What is asked.
    enum Question: CaseIterable { case load, link, redirect, response, frame }
    enum Event: CaseIterable { case load, stop, link, crash, close }

    /// Chromium keeps scripts waiting while the document's own place is being decided upon, so that none clicks then.
    private nonisolated static let cases: [(question: Question, event: Event)] = {
        var all: [(question: Question, event: Event)] = []
        for question in Question.allCases {
            for event in Event.allCases {
                let waits: [Question] = [.link, .redirect, .response]
                if event == .link, waits.contains(question) { continue }
                all.append((question, event))
            }
        }
        return all
    }()

    @Test(arguments: cases, [true, false])
    func whatComesTooLateDecidesNothing(_ what: (question: Question, event: Event), _ allows: Bool) async throws {
        try await Chromium.withPage { page, pages in
            pages["/a"] = .page("A", "<a id=l href=/b>l</a><a id=c href=/c>c</a>")
            pages["/r"] = .redirect("/b")
            pages["/f"] = .page("F", "<a id=c href=/c>c</a><iframe src=/b></iframe>")
            let log = EventLog(page)
            page.load(pages.url("/a"))
            await log.until("F")
            let handler = Decider(of: what.question == .response)
            page.navigationHandler = handler
            switch what.question {
            case .load, .response: page.load(pages.url("/b"))
            case .link: _ = try await page.evaluateJavaScript("document.getElementById('l').click()")
            case .redirect: page.load(pages.url("/r"))
            case .frame: page.load(pages.url("/f"))
            }
            await handler.untilAsked("/b")
            page.navigationHandler = log
            _ = log.take()
            var end: String? = "F"
            switch what.event {
            case .load: page.load(pages.url("/c"))
            case .stop:
                page.stopLoading()
                handler.decide(allows ? .allow : .cancel)
                page.load(pages.url("/c"))
            case .link:
                _ = try await page.evaluateJavaScript("document.getElementById('c').click()")
                await log.until("A(/c")
            case .crash:
                await Chromium.crash(try #require(Chromium.browser))
                end = "T"
            case .close:
                page.close()
                end = nil
            }
            if what.event == .crash { await log.until("T") }
            if what.event != .stop { handler.decide(allows ? .allow : .cancel) }
            if what.event == .crash {
                page.load(pages.url("/c"))
                end = "F"
            }
            guard let end else { return #expect(page.isLoading == false) }
            await log.until(end)
            #expect(page.url == pages.url("/c") && page.title == "/c" && !page.isLoading && page.estimatedProgress == 1)
            #expect(log.take("T").count <= 1)
            // Nothing of it comes afterwards.
            page.load(pages.url("/d"))
            await log.until("F")
            #expect(log.take("ASDRCFX") == "A(/d) S R C F")
        }
    }

    /// Whoever waits decides when it likes.
    @Test func whatIsAllowedLateGoesOn() async throws {
        try await Chromium.withPage { page, pages in
            pages["/r"] = .redirect("/b")
            let handler = Decider(of: false)
            let changes = ChangeLog(page)
            page.navigationHandler = handler
            page.load(pages.url("/r"))
            await handler.untilAsked("/r")
            #expect(pages.requests.isEmpty && page.isLoading)
            handler.decide(.allow)
            await handler.untilAsked("/b")
            #expect(pages.log == "GET /r")
            handler.decide(.allow)
            await changes.until(committed: "/b")
            #expect(changes.text == ["load? /r @-", "redirect? /b @-", "commit /b @0"])
        }
    }
}

/// Lets what is not the question go on, and what is wait.
@MainActor
final class Decider: WebPageNavigationHandling {
    private let isOfResponses: Bool
    private var asked: [(path: String, continuation: CheckedContinuation<WebPageNavigationPolicy, Never>)] = []
    private var waiter: (path: String, continuation: CheckedContinuation<Void, Never>)?

    init(of responses: Bool) { isOfResponses = responses }

    func untilAsked(_ path: String) async {
        guard !asked.contains(where: { $0.path == path }) else { return }
        await withCheckedContinuation { waiter = (path, $0) }
    }

    func decide(_ policy: WebPageNavigationPolicy) {
        for (_, continuation) in asked { continuation.resume(returning: policy) }
        asked = []
    }

    private func ask(_ path: String) async -> WebPageNavigationPolicy {
        await withCheckedContinuation { continuation in
            asked.append((path, continuation))
            guard let waiter, waiter.path == path else { return }
            self.waiter = nil
            waiter.continuation.resume()
        }
    }

    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor action: WebPageNavigationAction
    ) async -> WebPageNavigationPolicy {
        let path = action.request.url.path()
        return isOfResponses || path == "/f" || path == "/r" && page.backForwardList.currentIndex != nil
            ? .allow : await ask(path)
    }

    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor response: WebPageNavigationResponse
    ) async -> WebPageNavigationPolicy {
        isOfResponses ? await ask(response.url.path()) : .allow
    }
}
