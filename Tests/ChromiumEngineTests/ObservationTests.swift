import BridgeDevTools
import ChromiumEngine
import Foundation
import Observation
import PageEngines
import PageModel
import Testing

/// Changes of properties, told before and after.
@MainActor
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: Chromium.path != nil, Chromium.isMissing), .sharedBrowser)
struct ObservationTests {
    private nonisolated static let secure = URL(string: "https://secure.invalid/") ?? local("/")

    /// What changes a property, in a page that is at /a.
    private nonisolated static let changes:
        [(BackingProperty, @MainActor @Sendable (WebPage, Pages) async throws -> Void)] = [
            (.url, { page, pages in page.load(pages.url("/b")) }),
            (.title, { page, _ in _ = try await page.evaluateJavaScript("document.title = 'New'") }),
            (.isLoading, { page, pages in page.load(pages.url("/b")) }),
            (.estimatedProgress, { page, pages in page.load(pages.url("/b")) }),
            (.canGoBack, { page, _ in _ = try await page.evaluateJavaScript("history.pushState(1, '', '/b')") }),
            (
                .canGoForward,
                { page, pages in
                    let changes = ChangeLog(page)
                    _ = try await page.evaluateJavaScript("history.pushState(1, '', '/b')")
                    await changes.until(1)
                    page.goBack()
                }
            ),
            (.backForwardList, { page, _ in _ = try await page.evaluateJavaScript("history.pushState(1, '', '/b')") }),
            (.hasOnlySecureContent, { page, _ in page.load(html: "", baseURL: secure) }),
        ]

    private static func read(_ property: BackingProperty, _ page: WebPage) -> String {
        switch property {
        case .url: "\(String(describing: page.url))"
        case .title: page.title
        case .isLoading: "\(page.isLoading)"
        case .estimatedProgress: "\(page.estimatedProgress)"
        case .canGoBack: "\(page.canGoBack)"
        case .canGoForward: "\(page.canGoForward)"
        case .backForwardList: "\(page.backForwardList.items.count) \(page.backForwardList.currentIndex ?? -1)"
        case .hasOnlySecureContent: "\(page.hasOnlySecureContent)"
        }
    }

    @Test(arguments: changes.indices) func aChangeIsToldBeforeItHappens(_ index: Int) async throws {
        try await Chromium.withPage { page, pages in
            let (property, change) = Self.changes[index]
            let log = EventLog(page)
            page.load(pages.url("/a"))
            await log.until("F")
            let (told, telling) = AsyncStream<String>.makeStream()
            let old = withObservationTracking {
                Self.read(property, page)
            } onChange: {
                MainActor.assumeIsolated { _ = telling.yield(Self.read(property, page)) }
            }
            var notices: [BackingNotice] = []
            let (ends, ending) = AsyncStream<Void>.makeStream()
            let observation = page.backing.observe(property) { notice in
                notices.append(notice)
                if notice == .after { ending.yield() }
            }
            try await change(page, pages)
            var toldIterator = told.makeAsyncIterator()
            #expect(await toldIterator.next(isolation: #isolation) == old, "told, and the old value still held")
            var endIterator = ends.makeAsyncIterator()
            await endIterator.next(isolation: #isolation)
            #expect(notices.prefix(2) == [.prior, .after] && Self.read(property, page) != old)
            withExtendedLifetime(observation) {}
        }
    }

    /// WebKit's order: one way before, the other way round after; in between all is new at once.
    @Test func allChangesOfOneStepAreThereAtOnce() async throws {
        try await Chromium.withPage { page, pages in
            pages["/a"] = .page("A", "<a id=b href=/b>b</a>")
            let log = EventLog(page)
            page.load(pages.url("/a"))
            await log.until("F")
            _ = log.take()
            var notices: [String] = []
            let observations = BackingProperty.allCases.map { property in
                page.backing.observe(property) { notice in
                    guard property != .estimatedProgress, property != .isLoading else { return }
                    let isNew = page.canGoBack && page.url == pages.url("/b") && page.title.isEmpty
                    notices.append("\(property)\(notice == .prior ? "?" : isNew ? "!" : "-")")
                }
            }
            _ = try await page.evaluateJavaScript("document.getElementById('b').click()")
            await log.until("C")
            #expect(
                notices.joined(separator: " ")
                    == "canGoBack? title? url? backForwardList? backForwardList! url! title! canGoBack!")
            withExtendedLifetime(observations) {}
        }
    }

    @Test func progressOnlyGrows() async throws {
        try await Chromium.withPage { page, pages in
            pages["/c"] = .page("C", "<img src=/slow><iframe src=/in></iframe>")
            pages["/slow"] = .pending
            let log = EventLog(page)
            for path in ["/a", "/c"] {
                page.load(pages.url(path))
                if path == "/c" {
                    await log.until("C")
                    #expect(page.isLoading && page.estimatedProgress == 0.5)
                    await pages.release("/slow", with: .of("image/png"))
                }
                await log.until("F")
                #expect(log.take("p") == "p=0.1 p=0.5 p=1.0")
            }
        }
    }

    @Test func aTitleIsFollowed() async throws {
        try await Chromium.withPage { page, pages in
            let log = EventLog(page)
            page.load(pages.url("/a"))
            await log.until("F")
            _ = log.take()
            _ = try await page.evaluateJavaScript("document.title = 'One'")
            await log.until("t=One")
            #expect(page.backForwardList.currentItem?.title == "One")
            _ = try await page.evaluateJavaScript("document.querySelector('title').remove()")
            await log.until("t=")
            #expect(page.title.isEmpty)
            page.load(pages.url("/b"))
            await log.until("t=/b")
            #expect(page.backForwardList.items.map(\.title) == ["", "/b"])
        }
    }
}
