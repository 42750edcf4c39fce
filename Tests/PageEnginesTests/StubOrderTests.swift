import BridgeTesting
import Foundation
import PageEngines
import PageModel
import Testing

/// WebKit's order of events and changes, case by case, on the stub.
@MainActor @Suite struct StubOrderTests {
    private let stub = StubWebView()
    private let page: WebPage
    private let log: EventLog

    init() {
        page = WebPage(stub)
        log = EventLog(page)
        stub.responses[local("/a")] = .page(title: "A")
        stub.responses[local("/b")] = .page(title: "B")
        stub.responses[local("/r")] = .redirect(local("/b"))
    }

    private func loadA() {
        page.load(local("/a"))
        _ = log.take()
    }

    @Test func aLoad() {
        page.load(local("/a"))
        #expect(
            log.take()
                == "p=0.1 u=/a l=true A(/a) S R p=0.5 h=1@0 C p=1.0 l=false F h=1@0 t=A")
        page.load(local("/b"))
        #expect(
            log.take()
                == "p=0.1 u=/b l=true A(/b) S R p=0.5 h=2@1 t= C p=1.0 l=false F h=2@1 t=B")
    }

    @Test func beforeTheCallReturnsThePageSaysThatItLoads() {
        stub.otherResponse = .pending
        let navigation = page.load(local("/slow"))
        #expect(page.isLoading && page.url == local("/slow") && page.estimatedProgress == 0.1)
        stub.respond(.page(title: "Slow"))
        #expect(!page.isLoading && page.estimatedProgress == 1 && page.title == "Slow")
        #expect(Set(log.navigations) == [navigation])
    }

    @Test func aServersRedirectIsDecidedUponAgain() {
        page.load(local("/r"))
        #expect(log.take("ASDRCFXu") == "u=/r A(/r) S u=/b A(/b redirect) D R C F")
        #expect(page.backForwardList.currentItem?.initialURL == local("/r"))
    }

    @Test(arguments: [["/x"], ["/x", "/y"]]) func aCircleOfRedirectsEnds(_ circle: [String]) {
        for (from, to) in zip(circle, circle.dropFirst() + circle.prefix(1)) {
            stub.responses[local(from)] = .redirect(local(to))
        }
        page.load(local("/x"))
        #expect(log.take("X") == "X(-1007)")
        #expect(!page.isLoading && page.url == nil)
    }

    @Test func aLinkChangesTheURLAtTheCommit() {
        loadA()
        stub.click(local("/b"))
        #expect(log.take() == "A(/b linkActivated) p=0.1 l=true S R p=0.5 h=2@1 u=/b t= C p=1.0 l=false F h=2@1 t=B")
        #expect(log.actions.last?.sourceFrame == log.actions.last?.targetFrame)
        #expect(log.actions.last?.hasUserGesture == true)
    }

    @Test func backAndForward() {
        loadA()
        page.load(local("/b"))
        _ = log.take()
        page.goBack()
        #expect(log.take("ASDRCFXul") == "u=/a l=true A(/a backForward) S C l=false F")
        #expect(page.title == "A" && page.canGoForward && !page.canGoBack)
        stub.historyGo(1)
        #expect(log.take("ASDRCFXu") == "A(/b backForward) S u=/b C F")
        #expect(page.goForward() == nil)
    }

    @Test func aReloadKeepsTheURL() {
        loadA()
        page.reload()
        #expect(log.take("ASDRCFXu") == "A(/a reload) S R C F")
    }

    @Test func aFragmentStaysInTheDocument() {
        loadA()
        stub.click(local("/a#x"))
        #expect(log.take() == "A(/a#x linkActivated) h=2@1 u=/a#x")
        stub.click(local("/a#x"))
        #expect(log.take() == "A(/a#x linkActivated)")
        stub.navigate(to: local("/a#y"))
        #expect(log.take() == "A(/a#y) h=3@2 u=/a#y")
    }

    @Test func statesAreToldWithoutBeingDecidedUpon() {
        loadA()
        stub.pushState(local("/1"))
        stub.pushState(local("/2"))
        stub.replaceState(local("/3"))
        #expect(log.take() == "h=2@1 u=/1 h=3@2 u=/2 h=3@2 u=/3")
        page.goBack()
        #expect(log.take() == "p=0.1 u=/1 l=true h=3@1 l=false p=1.0")
        stub.historyGo(-1)
        #expect(log.take() == "h=3@0 u=/a")
    }

    @Test func anErrorStatusIsAPageLikeAnyOther() {
        stub.responses[local("/x")] = .page(title: "Not found", status: 404)
        page.load(local("/x"))
        #expect(log.take("ASDRCFX") == "A(/x) S R(404) C F")
    }

    @Test(arguments: ["204", "unshowable", "refused by the app"]) func whatIsNotShownIsInterrupted(_ kind: String) {
        loadA()
        switch kind {
        case "204": stub.otherResponse = .noContent
        case "unshowable": stub.otherResponse = .unshowable(mimeType: "application/octet-stream")
        default: log.responsePolicy = { _ in .cancel }
        }
        page.load(local("/x"))
        #expect(
            log.take().replacing("R(204)", with: "R") == "p=0.1 u=/x l=true A(/x) S R l=false u=/a X(102) p=1.0")
        #expect(page.url == local("/a") && page.title == "A")
    }

    @Test func whatIsCancelledBeforeItBeginsDoesNotFail() {
        loadA()
        log.policy = { _ in .cancel }
        page.load(local("/b"))
        #expect(log.take() == "p=0.1 u=/b l=true A(/b) l=false u=/a p=1.0")
        stub.click(local("/b"))
        #expect(log.take() == "A(/b linkActivated)")
    }

    @Test func whatIsCancelledAtARedirectFails() {
        loadA()
        log.policy = { $0.isRedirect ? .cancel : .allow }
        page.load(local("/r"))
        #expect(log.take("ASDRCFXul") == "u=/r l=true A(/r) S u=/b A(/b redirect) l=false u=/a X(102)")
    }

    @Test func whatTheNetworkRefusesFails() {
        loadA()
        stub.otherResponse = .failure(.network("net::ERR_CONNECTION_REFUSED"))
        page.load(local("/x"))
        #expect(log.take("ASDRCFXul") == "u=/x l=true A(/x) S l=false u=/a X(-1004)")
    }

    @Test func aDocumentThatBreaksOffFailsAndStays() {
        stub.otherResponse = .failureAfterCommit(.network("net::ERR_CONTENT_LENGTH_MISMATCH"), title: "Half")
        page.load(local("/x"))
        #expect(log.take("ASDRCFX") == "A(/x) S R C X(-1)")
        #expect(page.url == local("/x") && page.title == "Half" && !page.isLoading)
    }

    @Test func stoppingTakesTheURLBack() {
        loadA()
        stub.otherResponse = .pending
        page.load(local("/slow"))
        _ = log.take()
        page.stopLoading()
        #expect(log.take() == "l=false u=/a X(-999) p=1.0")
        page.stopLoading()
        #expect(log.take().isEmpty)
    }

    @Test func aSecondLoadTakesTheFirstOnesPlace() {
        loadA()
        stub.responses[local("/slow")] = .pending
        let first = page.load(local("/slow"))
        _ = log.take()
        let second = page.load(local("/b"))
        #expect(log.take("ASDRCFXu") == "u=/b X(-999) A(/b) S R C F")
        #expect(log.navigations.suffix(4) == [first, second, second, second])
    }

    @Test func aLoadInsideAnEventTakesOver() {
        log.onEvent = { [page] event in
            if case .startedProvisional = event, page.url == local("/a") { page.load(local("/b")) }
        }
        page.load(local("/a"))
        #expect(log.take("ASDRCFXu") == "u=/a A(/a) S u=/b X(-999) A(/b) S R C F")
        #expect(page.url == local("/b") && page.title == "B" && !page.isLoading)
    }

    @Test func aDocumentFromItsText() {
        page.load(html: "<p>")
        #expect(log.take("ASDRCFXuh") == "u=about:blank A(about:blank) S C F")
        page.load(html: "<p>", baseURL: local("/base"))
        #expect(log.take("ASDRCFXu") == "u=/base A(/base) S C F")
        #expect(page.backForwardList.items.map(\.url) == [local("/base")])
    }

    @Test func aProcessThatEndsLeavesThePage() {
        loadA()
        stub.terminateWebContent()
        #expect(log.take() == "p=0.0 u=nil T")
        #expect(page.url == nil && page.estimatedProgress == 0)
        page.reload()
        #expect(page.url == local("/a") && page.title == "A")
    }

    /// A load waits for its decision, and another that is asked for meanwhile takes its place.
    @Test func aDecisionThatComesTooLateDecidesNothing() async {
        let handler = Undecided()
        page.navigationHandler = handler
        let changes = page.urlChanges
        page.load(local("/a"))
        await handler.untilAsked(1)
        #expect(page.isLoading && page.url == local("/a") && handler.events.isEmpty)
        page.load(local("/b"))
        await handler.untilAsked(2)
        handler.decide(.allow)
        handler.decide(.allow)
        for await change in changes where change.isCommitted {
            #expect(change.url == local("/b"))
            break
        }
        #expect(page.backForwardList.items.map(\.url) == [local("/b")])
    }
}

/// Decides when it is told to, in the order in which it was asked.
@MainActor
final class Undecided: WebPageNavigationHandling {
    private(set) var events: [WebPageNavigationEvent] = []
    private var asked: [CheckedContinuation<WebPageNavigationPolicy, Never>] = []
    private var count = 0
    private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    func untilAsked(_ count: Int) async {
        guard self.count < count else { return }
        await withCheckedContinuation { waiter = (count, $0) }
    }

    func decide(_ policy: WebPageNavigationPolicy) { asked.removeFirst().resume(returning: policy) }

    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor action: WebPageNavigationAction
    ) async -> WebPageNavigationPolicy {
        await withCheckedContinuation { continuation in
            asked.append(continuation)
            count += 1
            if let waiter, waiter.count <= count {
                self.waiter = nil
                waiter.continuation.resume()
            }
        }
    }

    func webPage(_ page: any WebPageRepresentable, didReceive event: WebPageNavigationEvent) { events.append(event) }
}
