#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
internal import PageEngines
public import PageModel

/// What the page of a stub does by itself, or the user in it.
extension StubWebView {
    /// The server's answer to a load that was ``StubResponse/pending``.
    public func respond(_ response: StubResponse) {
        guard let loading, loading.isPending else { return }
        receive(response)
    }

    /// The user clicks a link. One to a fragment of the same document stays in it.
    public func click(_ url: URL) {
        if isFragment(url) {
            goToFragment(url, .linkActivated)
        } else {
            navigate(to: url, .linkActivated, hasUserGesture: true)
        }
    }

    /// `location = url`, or a form.
    public func navigate(
        to url: URL, _ type: WebPageNavigationAction.NavigationType = .other, hasUserGesture: Bool = false
    ) {
        if type == .other, isFragment(url) { return goToFragment(url, .other) }
        var load = StubLoad(.next(), WebPageRequest(url), .new)
        load.type = type
        beginOfPage(load, hasUserGesture: hasUserGesture)
    }

    /// `location.replace(url)`.
    public func replaceLocation(_ url: URL) {
        beginOfPage(StubLoad(.next(), WebPageRequest(url), .replacement))
    }

    /// `history.pushState`.
    public func pushState(_ url: URL) {
        guard isAlive else { return }
        history.push(url, document: document, title: state.title)
        stay(at: url, .push)
    }

    /// `history.replaceState`.
    public func replaceState(_ url: URL) {
        guard isAlive else { return }
        history.replace(url, document: document)
        stay(at: url, .replace)
    }

    /// `history.go(offset)`. Nothing happens where there is no such item.
    public func historyGo(_ offset: Int) {
        guard isAlive, let item = history.list[offset] else { return }
        if history.document(of: item) == document {
            guard offset != 0 else { return navigateAgain() }
            _ = history.go(to: item)
            stay(at: item.url, .traversal)
        } else {
            beginOfPage(StubLoad(.next(), item))
        }
    }

    /// The document gets another title.
    public func changeTitle(_ title: String) { if isAlive { setTitle(title, ofDocument: document) } }

    /// `window.open(url)`, which returns null here.
    ///
    /// - Returns: what became of it.
    @discardableResult
    public func openWindow(_ url: URL, hasUserGesture: Bool = false) async -> WebPageNewWindowPolicy {
        let action = WebPageNavigationAction(
            request: WebPageRequest(url), sourceFrame: mainFrame, hasUserGesture: hasUserGesture)
        guard isAlive, let uiDelegate else { return .deny }
        return await waits.answer({ _ in .deny }, { uiDelegate.createWindow(for: action, $0) })
    }

    /// `alert(message)`, until it is closed. When the page ends first this and the two below return as for a user who does not
    /// care.
    public func alert(_ message: String) async { _ = await show(.alert, message) }

    /// `confirm(message)`.
    public func confirm(_ message: String) async -> Bool { await show(.confirm, message) != .dismiss }

    /// `prompt(message, defaultText)`.
    public func prompt(_ message: String, defaultText: String = "") async -> String? {
        guard case .accept(let text) = await show(.prompt(defaultText: defaultText), message) else { return nil }
        return text
    }

    // MARK: Parts

    /// An item of the same document, because this side asked.
    func traverse(to item: WebPageBackForwardList.Item) {
        stop(.cancelled)
        changeIfIdle {
            $0.isLoading = true
            $0.url = item.url
            $0.estimatedProgress = 0.1
        }
        _ = history.go(to: item)
        stay(at: item.url, .traversal)
        changeIfIdle { $0.isLoading = false }
        changeIfIdle { $0.estimatedProgress = 1 }
    }

    private func navigateAgain() {
        guard let committedURL else { return }
        beginOfPage(StubLoad(.next(), WebPageRequest(committedURL), .reload))
    }

    /// Another URL for the same document.
    private func stay(at url: URL, _ cause: WebPageURLChange.Cause) {
        committedURL = url
        tell(url, cause)
        observed.change {
            // What this side is loading is shown until it commits.
            if loading?.hasToldURL != true { $0.url = committedURL }
            $0.backForwardList = history.list
        }
    }

    private func isFragment(_ url: URL) -> Bool {
        guard let committedURL, url.fragment != nil else { return false }
        return url.withoutFragment == committedURL.withoutFragment
    }

    private func goToFragment(_ url: URL, _ type: WebPageNavigationAction.NavigationType) {
        guard isAlive else { return }
        let action = WebPageNavigationAction(
            request: WebPageRequest(url), navigationType: type, sourceFrame: mainFrame, targetFrame: mainFrame,
            hasUserGesture: type == .linkActivated)
        check(action) { stub in
            // The same fragment again changes nothing.
            guard url != stub.committedURL else { return }
            stub.history.push(url, document: stub.document, title: stub.state.title)
            stub.stay(at: url, .hash)
        }
    }

    private func show(_ kind: BackingDialog.Kind, _ message: String) async -> BackingDialog.Answer {
        guard isAlive, let uiDelegate else { return .dismiss }
        let dialog = BackingDialog(kind, message: message, frame: mainFrame)
        return await waits.answer({ _ in .dismiss }, { uiDelegate.show(dialog, $0) })
    }
}

extension URL {
    fileprivate var withoutFragment: String { String(absoluteString.prefix { $0 != "#" }) }
}
