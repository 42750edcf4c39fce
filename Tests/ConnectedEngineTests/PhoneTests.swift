import BridgeJSON
import Bridgehead
import ConnectedEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// Pages on phones: followed by the phone's id, into whose frame this side loads what no page can be asked for.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct PhoneTests {
    private let bridge = Bridge()
    private let begun = Begun()
    private let pages: PhonePages
    private let view: ConnectedWebView
    private let page: WebPage
    private let frame = Frame()

    init() { self.init(patience: .seconds(600)) }

    private init(patience: Duration) {
        let begun = begun
        pages = PhonePages(bridge, patience: patience) { begun.phones.append(($0, $1)) }
        view = pages.view("p")
        view.loadFrame = { [frame] in frame.loads.append($0.absoluteString) }
        page = WebPage(view)
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func document(
        _ url: String, _ document: String, phone: String = "p", type: String = "push",
        entries: (urls: [String], index: Int)? = nil
    ) -> FakePage {
        FakePage(bridge, url, tab: "phone:\(phone)", document: document, type: type, entries: entries)
    }

    @Test func theFirstLoadIsTheFramesAndTheNextIsThePages() async throws {
        let log = Log(page)
        #expect(view.connection == .betweenDocuments)
        page.load(try url("http://localhost/a"))
        #expect(await log.take() == ["S", "load /a?@-"] && frame.loads == ["http://localhost/a"])
        let a = document("http://localhost/a", "1", type: "replace")
        a.open()
        #expect(await log.take() == ["C", "F", "commit /a@0"])
        page.load(try url("http://localhost/b"))
        #expect(await log.take() == ["S", "load /b?@0"])
        #expect(a.asked("$/page.load").count == 1 && frame.loads.count == 1)
    }

    @Test func aRedirectOfTheFramesLoadIsThatLoad() async throws {
        let log = Log(page)
        page.load(try url("http://localhost/a"))
        document("http://localhost/elsewhere", "1").open()
        #expect(await log.take() == ["S", "C", "F", "load /a?@-", "commit /elsewhere@0"])
    }

    @Test func anotherOriginOnThePhoneIsTheSamePage() async throws {
        let a = document("http://localhost:1/a", "1")
        a.open()
        await settled()
        a.end()
        document("http://localhost:2/b", "2").open(title: "B")
        await settled()
        #expect(page.title == "B" && page.backForwardList.items.count == 2 && page.canGoBack)
        #expect(begun.phones.isEmpty)
    }

    @Test func aPageThatNamesAnUnknownPhoneBeginsItAndAnotherTabIsNone() async throws {
        let tabs = ConnectedPages(bridge)
        document("http://localhost/a", "1", phone: "q").open()
        await settled()
        #expect(begun.phones.map(\.0) == ["q"] && pages.view("q") === begun.phones.first?.1)
        FakePage(bridge, "http://localhost/b", tab: "tab", document: "2").open()
        let tab = try await tabs.next()
        await settled()
        #expect(tab.state.url == (try url("http://localhost/b")))
        #expect(begun.phones.count == 1)
    }

    /// As when this side was started again.
    @Test func aPageThatHasBeenElsewhereSaysWhere() async throws {
        let log = Log(page)
        let urls = ["a", "b", "b#x", "c"].map { "http://localhost/\($0)" }
        let b = document(urls[1], "1", type: "push", entries: (urls, 1))
        b.open()
        #expect(await log.take() == ["S", "C", "F", "commit /b@1"])
        #expect(page.backForwardList.items.map(\.url.absoluteString) == urls)
        page.goForward()
        await settled()
        #expect(b.asked("$/page.go").first?["delta"]?.int == 1)
        // It turns out to be of the same document.
        b.tell(url: urls[2], "traverse", 2)
        #expect(await log.take() == ["S", "C", "F", "traversal /b?@1", "traversal /b@2"])
        #expect(!page.isLoading && page.estimatedProgress == 1 && page.canGoForward)
        page.goBack()
        await settled()
        // Now it is known.
        b.tell(url: urls[1], "traverse", 1)
        #expect(await log.take() == ["traversal /b@1"])
    }

    @Test func whatItSaysOfElsewhereIsCheckedAndChangesNoListThatIsKnown() async throws {
        document("http://localhost/a", "1", entries: (["http://localhost/x"], 3)).open()
        await settled()
        #expect(page.backForwardList.items.count == 1)
        document("http://localhost/b", "2", entries: (["http://localhost/x", "http://localhost/b"], 1)).open()
        await settled()
        #expect(page.backForwardList.items.map(\.url.path) == ["/a", "/b"])
    }

    @Test func aWindowIsAskedAboutAndOpensInThePage() async throws {
        let answers = Answers()
        page.uiHandler = answers
        let a = document("http://localhost/a", "1")
        a.open()
        await settled()
        a.send(["eventName": "$/page.window", "url": "http://other.test/w", "hasUserGesture": true])
        await settled()
        #expect(answers.asked == ["http://other.test/w true"])
        #expect(a.asked("$/page.load").first?["url"]?.string == "http://other.test/w")
        page.stopLoading()
        answers.policy = .deny
        a.send(["eventName": "$/page.window", "url": "http://other.test/x"])
        a.send(["eventName": "$/page.window", "url": 5])
        await settled()
        #expect(answers.asked.last == "http://other.test/x false" && a.asked("$/page.load").count == 1)
    }

    @Test func aDialogIsShownByTheUIHandler() async throws {
        let answers = Answers()
        page.uiHandler = answers
        let a = document("http://localhost/a", "1")
        a.open()
        await settled()
        a.send(["eventName": "$/page.dialog", "kind": "alert", "message": "hello"])
        await settled()
        #expect(answers.asked == ["alert hello"])
        #expect(await view.show(.confirm, "sure?") == .accept(text: nil))
        #expect(await view.show(.prompt(defaultText: "d"), "name?") == .accept(text: "d!"))
        a.end(.connectionLost)
        await settled()
        #expect(await view.show(.confirm, "sure?") == .dismiss)
    }

    @Test func aPhoneOutlivesItsPages() async throws { try await Self(patience: .milliseconds(1)).outlive() }

    private func outlive() async throws {
        let log = Log(page)
        let a = document("http://localhost/a", "1")
        a.open()
        await settled()
        a.end()
        page.load(try url("http://localhost/never"))
        // It is given up later than the page that has gone would be.
        while page.isLoading || frame.loads.isEmpty { await Task.yield() }
        #expect(await log.take().contains { $0.hasPrefix("X ") })
        #expect(view.connection == .betweenDocuments)
        page.load(try url("http://localhost/b"))
        document("http://localhost/b", "2").open()
        await settled()
        #expect(page.url?.path == "/b" && frame.loads.count == 2)
    }
}

@MainActor
private final class Begun {
    var phones: [(String, ConnectedWebView)] = []
}

@MainActor
private final class Frame {
    var loads: [String] = []
}

@MainActor
private final class Answers: WebPageUIHandling {
    var asked: [String] = []
    var policy = WebPageNewWindowPolicy.openInSamePage

    func webPage(
        _ page: any WebPageRepresentable, createWindowFor action: WebPageNavigationAction
    ) async -> WebPageNewWindowPolicy {
        asked.append("\(action.request.url) \(action.hasUserGesture)")
        return policy
    }

    func webPage(_ page: any WebPageRepresentable, showAlert message: String, from frame: WebPageFrameInfo) async {
        asked.append("alert \(message)")
    }

    func webPage(
        _ page: any WebPageRepresentable, askToConfirm message: String, from frame: WebPageFrameInfo
    ) async -> Bool { true }

    func webPage(
        _ page: any WebPageRepresentable, promptFor message: String, defaultText: String, from frame: WebPageFrameInfo
    ) async -> String? { defaultText + "!" }
}
