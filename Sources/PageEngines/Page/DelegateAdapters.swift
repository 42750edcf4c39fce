internal import PageModel

/// Brings what a backing tells to the page's handlers. They belong to the page, which it holds weakly: a backing that
/// outlives its page finds nobody, and goes on by itself.
@MainActor
final class DelegateAdapters {
    weak var owner: WebPage?
}

extension DelegateAdapters: BackingNavigationDelegate {
    func decidePolicy(
        for action: WebPageNavigationAction, _ decide: @escaping @MainActor (WebPageNavigationPolicy) -> Void
    ) {
        guard let owner, let handler = owner.navigationHandler else { return decide(.allow) }
        Task.immediateOnMain { decide(await handler.webPage(owner, decidePolicyFor: action)) }
    }

    func decidePolicy(
        for response: WebPageNavigationResponse, _ decide: @escaping @MainActor (WebPageNavigationPolicy) -> Void
    ) {
        guard let owner, let handler = owner.navigationHandler else { return decide(.allow) }
        Task.immediateOnMain { decide(await handler.webPage(owner, decidePolicyFor: response)) }
    }

    func didReceive(_ event: WebPageNavigationEvent) { owner?.didReceive(event) }

    func urlDidChange(_ change: WebPageURLChange) { owner?.urlDidChange(change) }

    func didClose(_ reason: String) { owner?.backingDidClose(reason) }
}

extension DelegateAdapters: BackingUIDelegate {
    func createWindow(
        for action: WebPageNavigationAction, _ decide: @escaping @MainActor (WebPageNewWindowPolicy) -> Void
    ) {
        guard let owner else { return decide(.deny) }
        guard let handler = owner.uiHandler else { return open(action, .openInSamePage, decide) }
        Task.immediateOnMain {
            let policy = await handler.webPage(owner, createWindowFor: action)
            self.open(action, policy, decide)
        }
    }

    /// The script has its null before the page goes elsewhere.
    private func open(
        _ action: WebPageNavigationAction, _ policy: WebPageNewWindowPolicy,
        _ decide: @MainActor (WebPageNewWindowPolicy) -> Void
    ) {
        decide(policy)
        if policy == .openInSamePage { owner?.load(action.request) }
    }

    func show(_ dialog: BackingDialog, _ answer: @escaping @MainActor (BackingDialog.Answer) -> Void) {
        guard let owner, let handler = owner.uiHandler else {
            return answer(dialog.kind == .alert ? .accept(text: nil) : .dismiss)
        }
        Task.immediateOnMain {
            switch dialog.kind {
            case .alert:
                await handler.webPage(owner, showAlert: dialog.message, from: dialog.frame)
                answer(.accept(text: nil))
            case .confirm:
                let agrees = await handler.webPage(owner, askToConfirm: dialog.message, from: dialog.frame)
                answer(agrees ? .accept(text: nil) : .dismiss)
            case .prompt(let defaultText):
                let text = await handler.webPage(
                    owner, promptFor: dialog.message, defaultText: defaultText, from: dialog.frame)
                answer(text.map { .accept(text: $0) } ?? .dismiss)
            }
        }
    }
}
