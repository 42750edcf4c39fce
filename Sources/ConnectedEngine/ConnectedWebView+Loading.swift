internal import BridgeJSON
internal import BridgeWire
internal import Bridgehead
internal import Dispatch
internal import PageEngines
public import PageModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Loads that this side asks for: shown at once, decided upon, then asked of the page.
extension ConnectedWebView {
    /// See `BackingWebView.load(_:as:)`.
    public func load(_ request: WebPageRequest, as navigation: WebPageNavigation) {
        let isPlain = request.method == "GET" && request.headerFields.isEmpty && request.body == nil
        let isWeb = ["http", "https"].contains(request.url.scheme?.lowercased())
        begin(
            ConnectedLoad(navigation, request.url, .new), request,
            refusal: !isWeb ? .cannotShowURL : isPlain ? nil : Unsupported.request.error)
    }

    /// See `BackingWebView.load(html:baseURL:as:)`. The load fails.
    public func load(html: String, baseURL: URL?, as navigation: WebPageNavigation) {
        let url = baseURL ?? .blank
        begin(ConnectedLoad(navigation, url, .new), WebPageRequest(url), refusal: Unsupported.html.error)
    }

    /// See `BackingWebView.reload(fromOrigin:as:)`.
    public func reload(fromOrigin: Bool, as navigation: WebPageNavigation) -> Bool {
        guard whyDead == nil, let committedURL else { return false }
        begin(
            ConnectedLoad(navigation, committedURL, .reload), WebPageRequest(committedURL),
            refusal: fromOrigin ? Unsupported.fromOrigin.error : nil)
        return true
    }

    /// See `BackingWebView.go(to:as:)`.
    public func go(to item: WebPageBackForwardList.Item, as navigation: WebPageNavigation) -> Bool {
        guard whyDead == nil, let offset = offset(to: item) else { return false }
        if history.document(of: item) == document, offset != 0 {
            if let load { fail(load, load.hasStarted ? .cancelled : nil) }
            guard let session else { return true }
            observed.change {
                $0.isLoading = true
                $0.url = item.url
                $0.estimatedProgress = 0.1
            }
            isTraversing = true
            session.page.ask("$/page.go", ["delta": JSON(offset)]) { _ in }
        } else {
            begin(ConnectedLoad(navigation, item.url, .item(item)), WebPageRequest(item.url))
        }
        return true
    }

    /// See `BackingWebView.stopLoading()`.
    public func stopLoading() {
        guard let load else { return }
        if !load.isOfPage, !load.isCommitted { superseded.insert(load.url) }
        session?.page.ask("$/page.stop") { _ in }
        fail(load, load.hasStarted ? .cancelled : nil)
    }

    // MARK: Steps

    private func begin(_ load: ConnectedLoad, _ request: WebPageRequest, refusal: WebPageError? = nil) {
        guard whyDead == nil else { return }
        let before = self.load
        self.load = load
        show(load.url, load.provisionalCause)
        if let before, !before.isOfPage, !before.isCommitted, before.url != load.url { superseded.insert(before.url) }
        if let before, before.hasStarted {
            tellEnd(of: before, .cancelled)
            guard isGoingOn(load.navigation) else { return }
        }
        let action = WebPageNavigationAction(request: request, navigationType: load.type, targetFrame: mainFrame)
        let decide = { @MainActor [weak self] (policy: WebPageNavigationPolicy) in
            guard let self, self.isGoingOn(load.navigation) else { return }
            guard policy == .allow else { return self.fail(load, nil) }
            self.start()
            guard let started = self.load, started.navigation == load.navigation else { return }
            if let refusal { self.fail(started, refusal) } else { self.ask(started) }
        }
        if let navigationDelegate { navigationDelegate.decidePolicy(for: action, decide) } else { decide(.allow) }
    }

    func start() {
        guard let load, !load.hasStarted else { return }
        self.load?.hasStarted = true
        navigationDelegate?.didReceive(.startedProvisional(load.navigation))
    }

    /// Asks the page, or the next one that connects.
    func ask(_ load: ConnectedLoad) {
        if session == nil, let loadFrame {
            self.load?.waitsForDocument = false
            // Nobody is there who could go through the browser's list.
            if case .item = load.target { self.load?.target = .new }
            wait(for: load.navigation)
            return loadFrame(load.url)
        }
        guard let session, arriving == nil else {
            self.load?.waitsForDocument = true
            return
        }
        self.load?.waitsForDocument = false
        self.load?.asked = ObjectIdentifier(session)
        let finish: @Sendable (Result<JSON, any Error>) -> Void = { [weak self] result in
            guard case .failure(let error) = result else { return }
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.wasRefused(load.navigation, session, error) } }
        }
        table.expectNothing(in: tab)
        wait(for: load.navigation)
        switch load.target {
        case .new:
            table.expect(load.url.absoluteString, in: tab)
            session.page.ask("$/page.load", ["url": JSON(load.url.absoluteString)], finish)
        case .reload: session.page.ask("$/page.reload", nil, finish)
        case .item(let item): session.page.ask("$/page.go", ["delta": JSON(offset(to: item) ?? 0)], finish)
        }
    }

    private func wasRefused(_ navigation: WebPageNavigation, _ asked: ConnectedSession, _ error: any Error) {
        guard let load, load.navigation == navigation, !load.isCommitted, load.asked == ObjectIdentifier(asked) else {
            return
        }
        switch (error as? BridgeFailure)?.code {
        // Another document comes before the question, which is asked of that.
        case BridgeFailure.Code.pageNavigatedAway:
            if session === asked { self.load?.waitsForDocument = true } else { ask(load) }
        // The end of the connection fails it.
        case BridgeFailure.Code.connectionClosed: break
        default: fail(load, .network("\(error)"))
        }
    }

    private func offset(to item: WebPageBackForwardList.Item) -> Int? {
        let list = history.list
        guard let current = list.currentIndex, let index = list.items.firstIndex(where: { $0.id == item.id }) else {
            return nil
        }
        return index - current
    }

    // MARK: Parts

    func isGoingOn(_ navigation: WebPageNavigation) -> Bool { load?.navigation == navigation }

    private func show(_ url: URL, _ cause: WebPageURLChange.Cause?) {
        isTraversing = false
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

    func tellEnd(of load: ConnectedLoad, _ error: WebPageError) {
        navigationDelegate?.didReceive(
            load.isCommitted ? .failed(load.navigation, error) : .failedProvisional(load.navigation, error))
    }

    /// A load comes to nothing more: what was committed last holds.
    ///
    /// - Parameter error: nil where nothing has begun that could fail.
    func fail(_ load: ConnectedLoad, _ error: WebPageError?) {
        let navigation = load.navigation
        guard isGoingOn(navigation) else { return }
        self.load = nil
        stopWaitingForLoad()
        table.expectNothing(in: tab)
        observed.change { if self.load == nil { $0.isLoading = false } }
        if !load.isOfPage, !load.isCommitted {
            observed.change { if self.load == nil { $0.url = committedURL } }
            if load.provisionalCause != nil { tell(committedURL ?? .blank, .revert, isCommitted: false) }
        }
        if let error { tellEnd(of: load, error) }
        observed.change { if self.load == nil { $0.estimatedProgress = 1 } }
    }
}
