import BridgeTesting
import Foundation
import PageEngines
import PageModel
import Testing

/// A page that was closed or has crashed: nothing happens in it, and nobody waits for it.
@MainActor @Suite struct StubEndTests {
    private let stub = StubWebView()
    private let page: WebPage

    init() {
        page = WebPage(stub)
        page.load(local("/a"))
        page.load(local("/b"))
    }

    enum End: CaseIterable { case close, crash }

    private func end(_ end: End) {
        switch end {
        case .close: page.close()
        case .crash: stub.terminateWebContent()
        }
    }

    @Test(arguments: End.allCases) func nothingHappensInAPageThatHasEnded(_ kind: End) async throws {
        let hearer = NeverAnswers()
        try page.messageHandlers.add("h", hearer)
        page.uiHandler = hearer
        end(kind)
        let log = EventLog(page)
        let state = stub.state
        stub.click(local("/c"))
        stub.click(local("/b#x"))
        stub.navigate(to: local("/c"))
        stub.replaceLocation(local("/c"))
        stub.pushState(local("/c"))
        stub.replaceState(local("/c"))
        stub.historyGo(-1)
        stub.changeTitle("C")
        #expect(stub.state == state && log.take().isEmpty)
        #expect(await stub.openWindow(local("/c")) == .deny)
        #expect(await stub.confirm("?") == false)
        await #expect(throws: StubRejection.self) { try await stub.postMessage(1, to: "h") }
        #expect(hearer.askedCount == 0)
    }

    /// Whatever is awaited when it ends.
    @Test(arguments: End.allCases) func whatIsAwaitedEndsWithThePage(_ kind: End) async throws {
        let never = NeverAnswers()
        try page.messageHandlers.add("h", never)
        page.uiHandler = never
        stub.answer = { _ in
            await never.ask()
            return nil
        }
        let message = Task { [stub] in try await stub.postMessage(1, to: "h") }
        let alert = Task { [stub] in await stub.alert("!") }
        let confirm = Task { [stub] in await stub.confirm("?") }
        let prompt = Task { [stub] in await stub.prompt("?") }
        let window = Task { [stub] in await stub.openWindow(local("/c")) }
        let script = Task { [page] in try await page.callJavaScript("return 1") }
        await never.untilAsked(6)
        end(kind)
        await #expect(throws: StubRejection.self) { try await message.value }
        await alert.value
        #expect(await confirm.value == false)
        #expect(await prompt.value == nil)
        #expect(await window.value == .deny)
        let error = await #expect(throws: WebPageError.self) { try await script.value }
        #expect(error?.code == (kind == .close ? 3 : 2))
        never.letGo()
    }

    @Test func aScriptEndsWithItsDocument() async {
        let never = NeverAnswers()
        stub.answer = { _ in
            await never.ask()
            return nil
        }
        let script = Task { [page] in try await page.callJavaScript("return 1") }
        await never.untilAsked(1)
        page.load(local("/c"))
        await #expect(throws: WebPageError.unreachable) { try await script.value }
        never.letGo()
    }

    @Test(arguments: End.allCases) func aLoadEndsWithThePage(_ kind: End) async {
        let changes = page.urlChanges
        stub.otherResponse = .pending
        page.load(local("/slow"))
        end(kind)
        #expect(!page.isLoading && page.url == (kind == .close ? local("/b") : nil))
        page.close()
        var causes: [WebPageURLChange.Cause] = []
        for await change in changes { causes.append(change.cause) }
        #expect(causes == [.load, .revert])
    }

    /// After a crash no document is there in which one could go back without a load.
    @Test func aCrashedPageGoesBackByALoad() {
        stub.pushState(local("/c"))
        stub.terminateWebContent()
        let log = EventLog(page)
        page.goBack()
        #expect(log.take("ASDRCFX") == "A(/b backForward) S C F")
        #expect(page.url == local("/b") && !page.isLoading)
    }

    @Test(arguments: [nil] + End.allCases.map(Optional.some))
    func aFragmentThatIsDecidedUponTooLateStaysWhereItIs(_ kind: End?) async {
        let handler = Undecided()
        page.navigationHandler = handler
        stub.click(local("/b#x"))
        await handler.untilAsked(1)
        page.navigationHandler = nil
        if let kind { end(kind) } else { page.load(local("/c")) }
        let state = stub.state
        handler.decide(.allow)
        await Task { @MainActor in }.value
        await Task { @MainActor in }.value
        #expect(stub.state == state)
    }

    @Test func aLinkThatIsCancelledLeavesALoadGoingOn() {
        let log = EventLog(page)
        stub.responses[local("/slow")] = .pending
        page.load(local("/slow"))
        log.policy = { _ in .cancel }
        _ = log.take()
        stub.click(local("/c"))
        #expect(log.take() == "A(/c linkActivated)")
        stub.respond(.page(title: "Slow"))
        #expect(page.title == "Slow" && !page.isLoading)
    }

    /// The address of what was asked for is not left over a page that took its place.
    @Test func aLinkThatTakesALoadsPlaceTakesItsURLBack() {
        let log = EventLog(page)
        stub.otherResponse = .pending
        page.load(local("/slow"))
        _ = log.take()
        stub.click(local("/c"))
        #expect(log.take("ASDRCFXu") == "A(/c linkActivated) u=/b X(-999) S")
        #expect(page.url == local("/b") && page.isLoading)
        stub.pushState(local("/d"))
        #expect(page.url == local("/d"))
    }

    @Test func aStateThatIsPushedMeanwhileIsNotShownAsWhatIsLoaded() {
        stub.otherResponse = .pending
        page.load(local("/slow"))
        stub.pushState(local("/d"))
        #expect(page.url == local("/slow"))
        page.stopLoading()
        #expect(page.url == local("/d"))
    }

    @Test func aRedirectBackThatFailsIsTakenBack() async {
        let changes = page.urlChanges
        stub.responses[local("/r")] = .redirect(local("/b"))
        stub.responses[local("/b")] = .failure(.network("net::ERR_FAILED"))
        page.load(local("/r"))
        page.close()
        var causes: [WebPageURLChange.Cause] = []
        for await change in changes { causes.append(change.cause) }
        #expect(causes == [.load, .redirect, .revert])
    }
}

/// Is asked, and answers when it is let go.
@MainActor
private final class NeverAnswers: WebPageUIHandling, WebPageScriptMessageReplying {
    private(set) var askedCount = 0
    private let (asks, asking) = AsyncStream<Void>.makeStream()
    private let (end, ending) = AsyncStream<Void>.makeStream()

    func ask() async {
        askedCount += 1
        asking.yield()
        for await _ in end {}
    }

    func untilAsked(_ count: Int) async {
        var seen = 0
        for await _ in asks {
            seen += 1
            if seen == count { return }
        }
    }

    func letGo() { ending.finish() }

    func webPage(
        _ page: any WebPageRepresentable, createWindowFor action: WebPageNavigationAction
    ) async -> WebPageNewWindowPolicy {
        await ask()
        return .deny
    }

    func webPage(_ page: any WebPageRepresentable, showAlert message: String, from frame: WebPageFrameInfo) async {
        await ask()
    }

    func webPage(
        _ page: any WebPageRepresentable, askToConfirm message: String, from frame: WebPageFrameInfo
    ) async -> Bool {
        await ask()
        return true
    }

    func webPage(
        _ page: any WebPageRepresentable, promptFor message: String, defaultText: String, from frame: WebPageFrameInfo
    ) async -> String? {
        await ask()
        return "text"
    }

    func webPage(
        _ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage
    ) async throws -> JavaScriptValue {
        await ask()
        return nil
    }
}
