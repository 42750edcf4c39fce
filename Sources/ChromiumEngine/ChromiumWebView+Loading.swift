internal import BridgeJSON
public import PageEngines
public import PageModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Loads that this side asks for: shown at once, decided upon, then asked of the browser.
extension ChromiumWebView {
    /// See `BackingWebView.load(_:as:)`.
    public func load(_ request: WebPageRequest, as navigation: WebPageNavigation) {
        guard isAlive else { return }
        let load = ChromiumLoad(navigation, request, .new)
        begin(load) { $0.ask(for: load) }
    }

    /// See `BackingWebView.reload(fromOrigin:as:)`.
    public func reload(fromOrigin: Bool, as navigation: WebPageNavigation) -> Bool {
        guard isAlive, let committedURL else { return false }
        let load = ChromiumLoad(navigation, WebPageRequest(committedURL), .reload)
        begin(load) { $0.ask(load, "Page.reload", ["ignoreCache": JSON.bool(fromOrigin)]) }
        return true
    }

    /// See `BackingWebView.go(to:as:)`.
    public func go(to item: WebPageBackForwardList.Item, as navigation: WebPageNavigation) -> Bool {
        let list = history.list
        guard isAlive, let current = list.currentIndex, let index = list.items.firstIndex(where: { $0.id == item.id })
        else { return false }
        let offset = index - current
        if history.document(of: item) == document {
            observed.change {
                $0.isLoading = true
                $0.url = item.url
                $0.estimatedProgress = 0.1
            }
            isTraversing = true
            traverse(offset, nil)
        } else {
            let load = ChromiumLoad(navigation, WebPageRequest(item.url), .item(item))
            begin(load) { $0.traverse(offset, load) }
        }
        return true
    }

    /// See `BackingWebView.stopLoading()`.
    public func stopLoading() {
        guard let load else { return }
        if load.isCommitted {
            post("Page.stopLoading")
            return
        }
        post("Page.stopLoading")
        fail(load, load.hasStarted ? .cancelled : nil)
    }

    // MARK: Steps

    var isAlive: Bool { if case .pageClosed? = whyDead { false } else { true } }

    /// - Parameter ask: once it is allowed.
    private func begin(_ load: ChromiumLoad, _ ask: @escaping @MainActor (ChromiumWebView) -> Void) {
        let superseded = self.load
        self.load = load
        show(load.request.url, load.provisionalCause)
        if let superseded, superseded.hasStarted, !superseded.isCommitted {
            navigationDelegate?.didReceive(.failedProvisional(superseded.navigation, .cancelled))
            guard isGoingOn(load.navigation) else { return }
        }
        let action = WebPageNavigationAction(
            request: load.request, navigationType: load.type, targetFrame: mainFrame)
        let decide = { @MainActor [weak self] (policy: WebPageNavigationPolicy) in
            guard let self, self.isGoingOn(load.navigation) else { return }
            guard policy == .allow else { return self.fail(load, nil) }
            self.start()
            if self.isGoingOn(load.navigation) { ask(self) }
        }
        if let navigationDelegate { navigationDelegate.decidePolicy(for: action, decide) } else { decide(.allow) }
    }

    func start() {
        guard let load, !load.hasStarted else { return }
        self.load?.hasStarted = true
        navigationDelegate?.didReceive(.startedProvisional(load.navigation))
    }

    private func ask(for load: ChromiumLoad) {
        guard Self.canLoad(load.request.url) else { return fail(load, .cannotShowURL) }
        ask(load, "Page.navigate", ["url": JSON(load.request.url.absoluteString)])
    }

    private func ask(_ load: ChromiumLoad, _ method: String, _ params: JSON) {
        post(method, params) { [weak self] result in
            // What has begun tells of its end by events.
            guard let self, let now = self.load, now.navigation == load.navigation, now.loader == nil,
                let text = result.map({ $0["errorText"]?.string }) ?? "the browser refused it"
            else { return }
            self.fail(now, .network(text))
        }
    }

    private func traverse(_ offset: Int, _ load: ChromiumLoad?) {
        post("Page.getNavigationHistory") { [weak self] result in
            guard let self else { return }
            let entries = result?["entries"]?.array ?? []
            let index = (result?["currentIndex"]?.int ?? 0) + offset
            guard entries.indices.contains(index), let id = entries[index]["id"] else {
                if let load, self.isGoingOn(load.navigation) { self.fail(load, .cancelled) }
                return
            }
            self.post("Page.navigateToHistoryEntry", ["entryId": id])
        }
    }

    /// Schemes that a document can come by.
    private static func canLoad(_ url: URL) -> Bool {
        ["http", "https", "about", "data", "blob", "file"].contains(url.scheme?.lowercased() ?? "")
    }

    // MARK: Parts

    func isGoingOn(_ navigation: WebPageNavigation) -> Bool { load?.navigation == navigation }

    func show(_ url: URL, _ cause: WebPageURLChange.Cause?) {
        observed.change {
            $0.isLoading = true
            $0.url = url
            $0.estimatedProgress = 0.1
        }
        if let cause { tell(url, cause, isCommitted: false) }
    }

    func tell(_ url: URL, _ cause: WebPageURLChange.Cause, isCommitted: Bool = true) {
        navigationDelegate?.urlDidChange(
            WebPageURLChange(
                url: url, cause: cause, isCommitted: isCommitted, index: history.list.currentIndex, sequence: 0))
    }

    /// A load comes to nothing: what was committed last holds again.
    ///
    /// - Parameter error: nil where nothing has begun that could fail.
    func fail(_ load: ChromiumLoad, _ error: WebPageError?) {
        self.load = nil
        observed.change { $0.isLoading = false }
        if !load.isOfPage {
            observed.change { $0.url = committedURL }
            if load.request.url != committedURL { tell(committedURL ?? .blank, .revert, isCommitted: false) }
        }
        if let error { navigationDelegate?.didReceive(.failedProvisional(load.navigation, error)) }
        if self.load == nil, !load.isOfPage || load.hasStarted { observed.change { $0.estimatedProgress = 1 } }
    }
}
