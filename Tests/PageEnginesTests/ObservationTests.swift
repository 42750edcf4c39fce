import BridgeTesting
import Foundation
import Observation
import PageEngines
import PageModel
import Testing

/// The bridge from a backing's notices to Observation.
@MainActor @Suite struct ObservationTests {
    private let stub = StubWebView()

    @Test func beforeTheFirstLoadAllIsEmpty() {
        let page = WebPage(stub)
        #expect(page.url == nil && page.title.isEmpty && !page.isLoading && page.estimatedProgress == 0)
        #expect(!page.canGoBack && !page.canGoForward && !page.hasOnlySecureContent)
        #expect(page.backForwardList == WebPageBackForwardList())
    }

    /// Each property, alone: a change of it is told to whoever has read it, before it changes, and to nobody else.
    @Test(arguments: Property.all) func aChangeIsToldBeforeItHappens(_ property: Property) {
        let page = WebPage(stub)
        page.load(local("/a"))
        var before: String?
        let old = withObservationTracking {
            property.read(page)
        } onChange: {
            MainActor.assumeIsolated { before = property.read(page) }
        }
        property.change(stub, page)
        #expect(before == old, "told, and the old value still held")
        #expect(property.read(page) != old)
    }

    @Test(arguments: Property.all) func whoHasNotReadItIsNotTold(_ property: Property) {
        let page = WebPage(stub)
        page.load(local("/a"))
        var told = false
        withObservationTracking {
            _ = page.hasOnlySecureContent
        } onChange: {
            MainActor.assumeIsolated { told = true }
        }
        property.change(stub, page)
        #expect(!told)
    }

    /// The value that is read is the backing's, so that nothing has to be told for it to be right.
    @Test func nothingIsKeptInThePage() {
        let page = WebPage(stub)
        #expect(page.title.isEmpty)
        page.load(local("/a"))
        stub.changeTitle("Another")
        #expect(page.title == "Another" && page.backForwardList.currentItem?.title == "Another")
    }

    @Test func allChangesOfOneStepAreThereAtOnce() {
        let page = WebPage(stub)
        page.load(local("/a"))
        var seen: [Bool] = []
        let observation = stub.observe(.backForwardList) { notice in
            if notice == .after { seen.append(page.canGoBack && page.url == local("/b") && page.title.isEmpty) }
        }
        stub.click(local("/b"))
        #expect(seen.first == true)
        withExtendedLifetime(observation) {}
    }

    @Test func anObservationThatIsLetGoIsNotTold() {
        var count = 0
        var observation: BackingObservation? = stub.observe(.url) { _ in count += 1 }
        let page = WebPage(stub)
        page.load(local("/a"))
        #expect(count > 0)
        let before = count
        withExtendedLifetime(observation) {}
        observation = nil
        page.load(local("/b"))
        #expect(count == before)
    }

    @Test func aPageIsLetGoWithItsObservations() {
        weak var gone: WebPage?
        do {
            let page = WebPage(stub)
            _ = page.url
            _ = page.title
            gone = page
        }
        #expect(gone == nil)
        #expect(stub.calls == [.close])
    }

    @Test func handlersAreHeldWeakly() {
        let page = WebPage(stub)
        weak var gone: EventLog?
        do {
            let log = EventLog(page)
            gone = log
        }
        #expect(gone == nil && page.navigationHandler == nil)
        page.load(local("/a"))
        #expect(page.url == local("/a"))
    }
}

extension ObservationTests {
    struct Property: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let read: @MainActor @Sendable (WebPage) -> String
        let change: @MainActor @Sendable (StubWebView, WebPage) -> Void

        static let all = [
            Property(testDescription: "url", read: { "\($0.url?.path() ?? "")" }, change: { $1.load(local("/b")) }),
            Property(testDescription: "title", read: { $0.title }, change: { stub, _ in stub.changeTitle("New") }),
            Property(
                testDescription: "isLoading", read: { "\($0.isLoading)" },
                change: { stub, page in
                    stub.otherResponse = .pending
                    page.load(local("/b"))
                }),
            Property(
                testDescription: "estimatedProgress", read: { "\($0.estimatedProgress)" },
                change: { stub, page in
                    stub.otherResponse = .pending
                    page.load(local("/b"))
                }),
            Property(
                testDescription: "canGoBack", read: { "\($0.canGoBack)" },
                change: { stub, _ in stub.pushState(local("/b")) }),
            Property(
                testDescription: "canGoForward", read: { "\($0.canGoForward)" },
                change: { stub, page in
                    stub.pushState(local("/b"))
                    page.goBack()
                }),
            Property(
                testDescription: "backForwardList", read: { "\($0.backForwardList.items.count)" },
                change: { stub, _ in stub.pushState(local("/b")) }),
        ]
    }
}
