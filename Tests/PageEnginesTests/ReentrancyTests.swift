import BridgeTesting
import Foundation
import PageEngines
import PageModel
import Testing

/// Whoever is told of something may do anything: what was going on does not go on over it.
@MainActor @Suite struct ReentrancyTests {
    private let stub = StubWebView()
    private let page: WebPage
    private let log: EventLog

    init() {
        page = WebPage(stub)
        log = EventLog(page)
        stub.responses[local("/a")] = .page(title: "A")
        stub.responses[local("/b")] = .pending
    }

    /// Each navigation that has begun ends once, and nothing is told of it afterwards.
    private func expectWholeNavigations(_ events: [WebPageNavigationEvent]) {
        for navigation in Set(events.compactMap(\.navigation)) {
            let own = events.filter { $0.navigation == navigation }
            let ends = own.filter {
                switch $0 {
                case .finished, .failed, .failedProvisional: true
                default: false
                }
            }
            #expect(ends.count == 1 && own.last == ends.last && own.first == .startedProvisional(navigation))
        }
    }

    private func expectToLoadB(_ events: () -> [WebPageNavigationEvent]) {
        #expect(page.isLoading && page.url == local("/b") && page.estimatedProgress == 0.1)
        stub.respond(.page(title: "B"))
        #expect(!page.isLoading && page.url == local("/b") && page.title == "B" && page.estimatedProgress == 1)
        #expect(page.backForwardList.currentItem?.url == local("/b") && page.backForwardList.currentItem?.title == "B")
        expectWholeNavigations(events())
    }

    @Test(
        arguments: [
            BackingProperty.title, .isLoading, .url, .estimatedProgress, .backForwardList,
        ].flatMap { property in (1...3).map { (property, $0) } }, [BackingNotice.prior, .after])
    func aLoadInsideANoticeTakesOver(_ change: (property: BackingProperty, number: Int), _ notice: BackingNotice) {
        var events: [WebPageNavigationEvent] = []
        log.onEvent = { events.append($0) }
        var count = 0
        var isDone = false
        let observation = stub.observe(change.property) { [page] told in
            guard told == notice, !isDone else { return }
            count += 1
            guard count == change.number else { return }
            isDone = true
            page.load(local("/b"))
        }
        page.load(local("/a"))
        if !isDone {
            isDone = true
            page.load(local("/b"))
        }
        expectToLoadB { events }
        withExtendedLifetime(observation) {}
    }

    @Test(arguments: 1...3) func aLoadInsideAnEventTakesOver(_ number: Int) {
        var events: [WebPageNavigationEvent] = []
        log.onEvent = { [page] event in
            events.append(event)
            if events.count == number { page.load(local("/b")) }
        }
        page.load(local("/a"))
        #expect(events.count >= 3 || number < 3)
        expectToLoadB { events }
    }

    /// What is loaded in the place of a finished document keeps its own title.
    @Test func aDocumentsTitleIsNotGivenToTheNext() {
        stub.responses[local("/b")] = .page(title: "B")
        log.onEvent = { [page] event in
            if case .finished = event, page.url == local("/a") { page.load(local("/b")) }
        }
        page.load(local("/a"))
        #expect(page.title == "B" && page.backForwardList.items.map(\.title) == ["", "B"])
    }

    @Test func whatIsStoppedAfterItsCommitStays() {
        var ended: WebPageNavigationEvent?
        log.onEvent = { [page] event in
            if case .committed = event { page.stopLoading() } else { ended = event }
        }
        let navigation = page.load(local("/a"))
        #expect(ended == .failed(navigation, .cancelled))
        #expect(page.url == local("/a") && !page.isLoading)
    }

    @Test(arguments: 1...3) func closingInsideAnEventEndsAll(_ number: Int) {
        var count = 0
        log.onEvent = { [page] _ in
            count += 1
            if count == number { page.close() }
        }
        page.load(local("/a"))
        #expect(count == number && !page.isLoading)
        #expect(page.url == (number == 1 ? nil : local("/a")))
    }

    @Test func anObserverThatWasLetGoIsNotTold() {
        var second: BackingObservation?
        var told = 0
        let first = stub.observe(.url) { _ in second = nil }
        second = stub.observe(.url) { _ in told += 1 }
        page.load(local("/a"))
        #expect(told == 0 && second == nil)
        withExtendedLifetime(first) {}
    }
}
