import BridgeJSON
import Bridgehead
import ConnectedEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// A page is followed from document to document.
@MainActor @Suite(.timeLimit(.minutes(5))) struct FollowTests {
    let bridge = Bridge()
    let pages: ConnectedPages

    init() { pages = ConnectedPages(bridge) }

    /// The page of a loaded document at `/a`.
    func open() async throws -> (WebPage, ConnectedWebView, FakePage, Log) {
        let document = FakePage(bridge, "http://127.0.0.1/a", document: "1")
        document.open(title: "A")
        let view = try await pages.next()
        await settled()
        let page = WebPage(view)
        return (page, view, document, Log(page))
    }

    func document(_ path: String, _ id: String, type: String = "push", index: Int = 1) -> FakePage {
        FakePage(bridge, "http://127.0.0.1\(path)", document: id, type: type, index: index)
    }

    @Test func aPageThatConnectsIsThereAsItIs() async throws {
        let (page, view, _, _) = try await open()
        #expect(page.url?.path == "/a" && page.title == "A" && !page.isLoading && page.estimatedProgress == 1)
        #expect(page.backForwardList.items.count == 1 && !page.canGoBack && view.connection == .connected)
    }

    @Test func eachTabIsAPageAndFramesAreNone() async throws {
        let frame = FakePage(bridge, "http://127.0.0.1/frame", document: "f", isMainFrame: false)
        let first = FakePage(bridge, "http://127.0.0.1/1", tab: "x", document: "1")
        let second = FakePage(bridge, "http://127.0.0.1/2", tab: "y", document: "2")
        let third = FakePage(bridge, "http://127.0.0.1/3", tab: nil, document: "3")
        for page in [frame, first, second, third] { page.open() }
        var paths: [String?] = []
        for _ in 1...3 {
            let view = try await pages.next()
            await settled()
            paths.append(view.state.url?.path)
        }
        #expect(paths == ["/1", "/2", "/3"])
        let none = Task { try await pages.next() }
        none.cancel()
        await #expect(throws: CancellationError.self) { _ = try await none.value }
    }

    @Test func aLoadOfThisSideIsSeenThrough() async throws {
        let (page, view, first, log) = try await open()
        page.load(local("/b"))
        #expect(page.url?.path == "/b" && page.isLoading && page.estimatedProgress == 0.1)
        #expect(await log.take() == ["S", "load /b?@0"])
        #expect(first.asked("$/page.load").map { $0["url"] } == ["http://127.0.0.1/b"])
        first.end()
        await settled()
        #expect(view.connection == .betweenDocuments && page.isLoading)
        let second = document("/b", "2")
        second.connect()
        second.tell(url: "http://127.0.0.1/b", "load", 1)
        await settled()
        #expect(page.isLoading && page.estimatedProgress == 0.5 && page.title.isEmpty)
        second.tellState(title: "B")
        #expect(await log.take() == ["C", "F", "commit /b@1"])
        #expect(!page.isLoading && page.estimatedProgress == 1 && page.title == "B" && page.canGoBack)
        // The address of the greeting is the one at that moment: those before it come in their places.
        #expect(page.backForwardList.items.map(\.title) == ["A", "B"])
    }

    @Test func aLoadOfThePagesIsSeenFromItsCommit() async throws {
        let (page, _, first, log) = try await open()
        first.end()
        await settled()
        #expect(page.url?.path == "/a")
        document("/b", "2").open(title: "B")
        #expect(await log.take() == ["S", "C", "F", "commit /b@1"])
        #expect(page.url?.path == "/b" && page.title == "B")
    }

    @Test func reloadReplaceAndTraversalKeepTheList() async throws {
        let (page, _, first, log) = try await open()
        first.end()
        let second = document("/b", "2")
        second.open()
        await settled()
        #expect(page.reload() != nil)
        await settled()
        #expect(second.asked("$/page.reload").count == 1)
        second.end()
        let third = document("/b", "3", type: "reload")
        third.open()
        _ = await log.take()
        #expect(page.goBack() != nil)
        await settled()
        #expect(third.asked("$/page.go").map { $0["delta"] } == [-1])
        third.end()
        // As the browser kept it.
        first.connect()
        first.tellState(title: "A")
        #expect(await log.take() == ["S", "C", "F", "traversal /a?@1", "traversal /a@0"])
        #expect(page.canGoForward && !page.canGoBack && page.backForwardList.items.count == 2)
        first.end()
        document("/c", "4", type: "replace", index: 0).open()
        #expect(await log.take() == ["S", "C", "F", "replace /c@0"])
        #expect(page.backForwardList.items.map(\.url.path) == ["/c", "/b"])
    }

    @Test func whatThePageDoesInItsDocumentIsInOrder() async throws {
        let (page, _, first, log) = try await open()
        first.tell(url: "http://127.0.0.1/a#x", "push", 1, isHash: true)
        first.tell(url: "http://127.0.0.1/p", "push", 2)
        first.tell(url: "http://127.0.0.1/r", "replace", 2)
        first.tell(url: "http://127.0.0.1/a", "traverse", 0)
        #expect(await log.take() == ["hash /a@1", "push /p@2", "replace /r@2", "traversal /a@0"])
        #expect(page.goForward() != nil)
        #expect(page.isLoading)
        first.tell(url: "http://127.0.0.1/a#x", "traverse", 1)
        #expect(await log.take() == ["traversal /a@1"])
        #expect(!page.isLoading && page.canGoForward && page.estimatedProgress == 1)
        #expect(first.asked("$/page.go").map { $0["delta"] } == [1])
    }

    /// The document of the first load comes before the page has heard of the second.
    @Test func aLoadThatComesTooLateForItsDocumentIsAskedOfTheNext() async throws {
        let (page, _, first, log) = try await open()
        page.load(local("/slow"))
        page.load(local("/b"))
        first.end()
        let slow = document("/slow", "2")
        slow.open()
        await settled()
        #expect(slow.asked("$/page.load").map { $0["url"] } == ["http://127.0.0.1/b"])
        #expect(page.url?.path == "/b" && page.isLoading)
        slow.end()
        document("/b", "3", index: 2).open(title: "B")
        let entries = await log.take()
        #expect(
            entries == [
                "S", "X The load was cancelled", "S", "S", "C", "x The load was cancelled", "C", "F", "load /slow?@0",
                "load /b?@0", "commit /slow@1", "commit /b@2",
            ])
        #expect(page.url?.path == "/b" && !page.isLoading && page.title == "B")
    }

    @Test func aLoadBetweenDocumentsWaitsForThePagesOwn() async throws {
        let (page, _, first, log) = try await open()
        first.end()
        await settled()
        page.load(local("/b"))
        let own = document("/x", "2")
        own.open()
        await settled()
        #expect(own.asked("$/page.load").map { $0["url"] } == ["http://127.0.0.1/b"])
        own.end()
        document("/b", "3", index: 2).open()
        #expect(
            await log.take() == [
                "S", "S", "C", "x The load was cancelled", "C", "F", "load /b?@0", "commit /x@1", "commit /b@2",
            ])
        #expect(page.url?.path == "/b" && page.backForwardList.items.count == 3)
    }

    @Test func aLoadToAnotherOriginIsKnownByItsURL() async throws {
        let (page, _, first, log) = try await open()
        page.load(try #require(URL(string: "http://localhost:1/x")))
        await settled()
        first.end()
        let other = FakePage(bridge, "http://localhost:1/x", tab: "another", document: "2")
        other.open(title: "X")
        _ = await log.take()
        #expect(page.title == "X" && page.backForwardList.items.count == 2)
        #expect(page.goBack() != nil)
        await settled()
        #expect(other.asked("$/page.go").map { $0["delta"] } == [-1])
    }

    @Test func aRefusedLoadChangesNothing() async throws {
        let (page, _, first, log) = try await open()
        log.policy = .cancel
        page.load(local("/b"))
        #expect(await log.take() == ["load /b?@0", "revert /a?@0"])
        #expect(page.url?.path == "/a" && !page.isLoading && first.asked("$/page.load").isEmpty)
    }

    @Test func stopEndsALoadAndTheDocumentStays() async throws {
        let (page, _, first, log) = try await open()
        page.load(local("/slow"))
        page.stopLoading()
        #expect(await log.take() == ["S", "X The load was cancelled", "load /slow?@0", "revert /a?@0"])
        #expect(page.url?.path == "/a" && !page.isLoading && first.asked("$/page.stop").count == 1)
    }
}

func local(_ path: String) -> URL { URL(string: "http://127.0.0.1\(path)") ?? URL(filePath: path) }
