import BridgeTesting
import Foundation
import PageEngines
import PageModel
import Testing

@MainActor @Suite struct WindowAndDialogTests {
    private let stub = StubWebView()
    private let page: WebPage

    init() {
        page = WebPage(stub)
        page.load(local("/a"))
    }

    @Test func aWindowOpensInTheSamePage() async {
        let policy = await stub.openWindow(local("/b"))
        #expect(policy == .openInSamePage)
        #expect(page.url == local("/b") && page.canGoBack)
    }

    @Test func thePolicyCanBeAnother() async {
        let user = User()
        page.uiHandler = user
        user.windows = .deny
        #expect(await stub.openWindow(local("/b"), hasUserGesture: true) == .deny)
        #expect(page.url == local("/a"))
        #expect(user.actions.map(\.hasUserGesture) == [true] && user.actions.first?.targetFrame == nil)
        #expect(user.actions.first?.sourceFrame?.request.url == local("/a"))
    }

    @Test func withoutAHandlerDialogsAreAnsweredAsByNobody() async {
        await stub.alert("a")
        #expect(await stub.confirm("b") == false)
        #expect(await stub.prompt("c", defaultText: "d") == nil)
    }

    @Test func dialogsAreAnsweredByTheHandler() async {
        let user = User()
        page.uiHandler = user
        await stub.alert("a")
        #expect(await stub.confirm("b"))
        #expect(await stub.prompt("c", defaultText: "d") == "d!")
        #expect(user.said == ["a", "b", "c"])
    }
}

@MainActor
private final class User: WebPageUIHandling {
    var windows = WebPageNewWindowPolicy.openInSamePage
    private(set) var actions: [WebPageNavigationAction] = []
    private(set) var said: [String] = []

    func webPage(
        _ page: any WebPageRepresentable, createWindowFor action: WebPageNavigationAction
    ) async -> WebPageNewWindowPolicy {
        actions.append(action)
        return windows
    }

    func webPage(_ page: any WebPageRepresentable, showAlert message: String, from frame: WebPageFrameInfo) async {
        said.append(message)
    }

    func webPage(
        _ page: any WebPageRepresentable, askToConfirm message: String, from frame: WebPageFrameInfo
    ) async -> Bool {
        said.append(message)
        return true
    }

    func webPage(
        _ page: any WebPageRepresentable, promptFor message: String, defaultText: String, from frame: WebPageFrameInfo
    ) async -> String? {
        said.append(message)
        return defaultText + "!"
    }
}
