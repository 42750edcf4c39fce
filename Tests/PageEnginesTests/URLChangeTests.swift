import BridgeTesting
import Foundation
import PageEngines
import PageModel
import Testing

/// Every change of the URL, once, in order, whoever makes it.
@MainActor @Suite struct URLChangeTests {
    private let stub = StubWebView()
    private let page: WebPage

    init() {
        page = WebPage(stub)
        stub.responses[local("/r")] = .redirect(local("/b"))
    }

    /// What a subscription holds when the page closes.
    private func all(_ changes: WebPageURLChanges) async -> [WebPageURLChange] {
        page.close()
        return await collected(changes)
    }

    private func collected(_ changes: WebPageURLChanges) async -> [WebPageURLChange] {
        var all: [WebPageURLChange] = []
        for await change in changes { all.append(change) }
        return all
    }

    private func text(_ changes: [WebPageURLChange]) -> [String] {
        changes.map { change in
            let mark = change.isCommitted ? "" : "?"
            let fragment = change.url.fragment.map { "#\($0)" } ?? ""
            return "\(change.cause)\(mark) \(change.url.path())\(fragment) @\(change.index.map { "\($0)" } ?? "-")"
        }
    }

    @Test func eachHasItsCause() async {
        let changes = page.urlChanges
        page.load(local("/a"))
        page.load(local("/r"))
        stub.click(local("/b#x"))
        stub.pushState(local("/s"))
        stub.replaceState(local("/t"))
        stub.historyGo(-1)
        page.goBack()
        page.goBack()
        page.reload()
        stub.replaceLocation(local("/c"))
        stub.responses[local("/no")] = .failure(.network("net::ERR_FAILED"))
        page.load(local("/no"))
        let seen = await all(changes)
        #expect(
            text(seen) == [
                "load? /a @-", "commit /a @0", "load? /r @0", "redirect? /b @0", "commit /b @1", "hash /b#x @2",
                "push /s @3", "replace /t @3", "traversal /b#x @2", "traversal /b @1",
                "traversal? /a @1", "traversal /a @0", "reload /a @0", "replace /c @0",
                "load? /no @0", "revert? /c @0",
            ])
        #expect(seen.map(\.sequence) == Array(1...UInt64(seen.count)))
    }

    /// What key-value observing does not see: the URL is the same before and after.
    @Test func changesToAnEqualURLAreChanges() async {
        let changes = page.urlChanges
        page.load(local("/a"))
        page.load(local("/a"))
        stub.pushState(local("/a"))
        page.reload()
        page.goBack()
        #expect(
            text(await all(changes).filter(\.isCommitted)) == [
                "commit /a @0", "commit /a @1", "push /a @2", "reload /a @2", "traversal /a @1",
            ])
    }

    @Test func threeSubscribersSeeTenThousandChangesOfOneTurn() async {
        page.load(local("/a"))
        let subscriptions = (0..<3).map { _ in page.urlChanges }
        for index in 1...10_000 { stub.pushState(local("/\(index)")) }
        page.close()
        for subscription in subscriptions {
            let seen = await collected(subscription)
            #expect(seen.map { $0.url.path() } == (1...10_000).map { "/\($0)" })
        }
    }

    @Test func aSubscriptionBeginsWhenItIsMade() async {
        page.load(local("/a"))
        let changes = page.urlChanges
        page.load(local("/b"))
        #expect(text(await all(changes)) == ["load? /b @0", "commit /b @1"])
    }

    @Test func whoeverIsThereAfterTheEndSeesTheEnd() async {
        page.close()
        for await change in page.urlChanges { Issue.record("\(change)") }
    }

    @Test func theListIsRightWhenAChangeIsRead() async {
        var commits = page.urlChanges.filter(\.isCommitted).makeAsyncIterator()
        page.load(local("/a"))
        _ = await commits.next()
        await stub.openWindow(local("/b"))
        #expect(await commits.next()?.url.path() == "/b")
        #expect(page.canGoBack)
    }

    @Test func theMembersOfOneTurnComeOnceEachInOrder() async {
        page.load(local("/a"))
        let changes = page.urlChanges
        stub.pushState(local("/1"))
        stub.replaceState(local("/2"))
        stub.navigate(to: local("/2#h"))
        stub.historyGo(-1)
        stub.historyGo(1)
        stub.navigate(to: local("/3"))
        #expect(
            text(await all(changes)) == [
                "push /1 @1", "replace /2 @1", "hash /2#h @2", "traversal /2 @1", "traversal /2#h @2", "commit /3 @3",
            ])
    }
}
