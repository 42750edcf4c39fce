import BridgeJSON
import Bridgehead
import InAppBrowser
import PageEngines
import PageModel

/// The in-app browser's view, on a terminal: the topmost of its layers, the one that may look at the backing. It tells what
/// happens to the page, in order, and decides nothing: the browser's own handlers are asked.
@MainActor
final class BrowseView {
    private let page: WebPage
    private let viewModel: InAppBrowserViewModel
    private let navigationHandler: (any WebPageNavigationHandling)?
    private let uiHandler: (any WebPageUIHandling)?
    private let tell: @MainActor (BrowseNotice) -> Void
    private var observations: [BackingObservation] = []

    init(_ page: WebPage, _ tell: @escaping @MainActor (BrowseNotice) -> Void) {
        self.page = page
        self.tell = tell
        viewModel = InAppBrowserViewModel(page: page)
        navigationHandler = page.navigationHandler
        uiHandler = page.uiHandler
        page.navigationHandler = self
        page.uiHandler = self
        page.onURLChange = { tell(.urlChange($0)) }
        observe(.title) { .title($0.title) }
        observe(.estimatedProgress) { .progress($0.estimatedProgress) }
    }

    private func observe(_ property: BackingProperty, _ notice: @escaping @MainActor (BackingState) -> BrowseNotice) {
        observations.append(
            page.backing.observe(property) { [weak self] when in
                guard let self, when == .after else { return }
                self.tell(notice(self.page.backing.state))
            })
    }
}

extension BrowseView: WebPageNavigationHandling {
    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor action: WebPageNavigationAction
    ) async -> WebPageNavigationPolicy {
        let policy = await navigationHandler?.webPage(page, decidePolicyFor: action) ?? .allow
        if policy == .cancel { tell(.denied(action)) }
        return policy
    }

    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor response: WebPageNavigationResponse
    ) async -> WebPageNavigationPolicy {
        await navigationHandler?.webPage(page, decidePolicyFor: response) ?? .allow
    }

    func webPage(_ page: any WebPageRepresentable, didReceive event: WebPageNavigationEvent) {
        navigationHandler?.webPage(page, didReceive: event)
        tell(.navigation(event))
    }
}

extension BrowseView: WebPageUIHandling {
    func webPage(
        _ page: any WebPageRepresentable, createWindowFor action: WebPageNavigationAction
    ) async -> WebPageNewWindowPolicy {
        let policy = await uiHandler?.webPage(page, createWindowFor: action) ?? .openInSamePage
        tell(.window(action, isOpened: policy == .openInSamePage))
        return policy
    }

    func webPage(_ page: any WebPageRepresentable, showAlert message: String, from frame: WebPageFrameInfo) async {
        tell(.dialog(kind: "alert", message: message))
    }

    func webPage(
        _ page: any WebPageRepresentable, askToConfirm message: String, from frame: WebPageFrameInfo
    ) async -> Bool {
        tell(.dialog(kind: "confirm", message: message))
        return false
    }

    func webPage(
        _ page: any WebPageRepresentable, promptFor message: String, defaultText: String, from frame: WebPageFrameInfo
    ) async -> String? {
        tell(.dialog(kind: "prompt", message: message))
        return nil
    }
}
