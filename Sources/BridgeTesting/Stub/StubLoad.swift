#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
internal import PageEngines
internal import PageModel

/// A load of a stub that has not come to its end.
struct StubLoad {
    enum Target {
        case new
        /// In the place of the current item.
        case replacement
        case reload
        case item(WebPageBackForwardList.Item)
    }

    let navigation: WebPageNavigation
    let target: Target
    let initialURL: URL
    var request: WebPageRequest
    var type: WebPageNavigationAction.NavigationType
    var html: String?
    /// Whether the page itself asked for it: then its URL does not show before the commit.
    var isOfPage = false
    var hasStarted = false
    var isPending = false

    init(_ navigation: WebPageNavigation, _ request: WebPageRequest, _ target: Target) {
        self.navigation = navigation
        self.target = target
        self.request = request
        initialURL = request.url
        type = if case .reload = target { .reload } else { .other }
    }

    /// Of the URL that shows before the commit; nil for a reload, whose URL is the same.
    var provisionalCause: WebPageURLChange.Cause? {
        switch target {
        case .new, .replacement: .load
        case .reload: nil
        case .item: .traversal
        }
    }

    init(_ navigation: WebPageNavigation, _ item: WebPageBackForwardList.Item) {
        self.init(navigation, WebPageRequest(item.url), .item(item))
        type = .backForward
    }
}

/// From a request to a document, in WebKit's order. Each step that somebody decides about goes on only if its load is still
/// the one that is going on.
extension StubWebView {
    func begin(_ load: StubLoad, from source: WebPageFrameInfo? = nil, hasUserGesture: Bool = false) {
        revive()
        let superseded = loading
        loading = load
        if !load.isOfPage { show(load, load.provisionalCause) }
        if let superseded, superseded.hasStarted {
            navigationDelegate?.didReceive(.failedProvisional(superseded.navigation, .cancelled))
        }
        let action = WebPageNavigationAction(
            request: load.request, navigationType: load.type, sourceFrame: source, targetFrame: mainFrame,
            hasUserGesture: hasUserGesture)
        decide(action, load.navigation) { stub, isAllowed in
            if isAllowed { stub.start(load) } else { stub.give(up: load, nil) }
        }
    }

    private func start(_ load: StubLoad) {
        if load.isOfPage {
            observed.change {
                $0.isLoading = true
                $0.estimatedProgress = 0.1
            }
        }
        loading?.hasStarted = true
        navigationDelegate?.didReceive(.startedProvisional(load.navigation))
        guard isGoingOn(load.navigation) else { return }
        if case .item = load.target { return commit(.page(title: title(of: load.request.url))) }
        if load.html != nil { return commit(.page()) }
        receive(responses[load.request.url] ?? otherResponse)
    }

    private func title(of url: URL) -> String {
        if case .page(let title, _)? = responses[url] { title } else { "" }
    }

    func receive(_ response: StubResponse) {
        guard let load = loading else { return }
        loading?.isPending = false
        var answer = WebPageNavigationResponse(url: load.request.url)
        switch response {
        case .pending: loading?.isPending = true
        case .redirect(let url): redirect(load, to: url)
        case .failure(let error): give(up: load, error)
        case .page(_, let status):
            answer.statusCode = status
            ask(answer, load, response)
        case .failureAfterCommit:
            ask(answer, load, response)
        case .noContent:
            answer.statusCode = 204
            ask(answer, load, nil)
        case .unshowable(let mimeType):
            answer.mimeType = mimeType
            answer.canShowMIMEType = false
            ask(answer, load, nil)
        }
    }

    private func redirect(_ load: StubLoad, to url: URL) {
        var load = load
        load.request.url = url
        loading?.request.url = url
        if !load.isOfPage { show(load, .redirect) }
        let action = WebPageNavigationAction(
            request: load.request, navigationType: load.type, targetFrame: mainFrame, isRedirect: true)
        decide(action, load.navigation) { stub, isAllowed in
            guard isAllowed else { return stub.give(up: load, .frameLoadInterrupted) }
            stub.navigationDelegate?.didReceive(.receivedServerRedirect(load.navigation))
            guard stub.isGoingOn(load.navigation) else { return }
            stub.receive(stub.responses[url] ?? stub.otherResponse)
        }
    }

    private func ask(_ answer: WebPageNavigationResponse, _ load: StubLoad, _ response: StubResponse?) {
        let decide = { @MainActor [weak self] (policy: WebPageNavigationPolicy) in
            guard let self, self.isGoingOn(load.navigation) else { return }
            guard policy == .allow, let response else { return self.give(up: load, .frameLoadInterrupted) }
            self.commit(response)
        }
        if let navigationDelegate { navigationDelegate.decidePolicy(for: answer, decide) } else { decide(.allow) }
    }

    private func commit(_ response: StubResponse) {
        guard let load = loading else { return }
        let url = load.request.url
        observed.change { $0.estimatedProgress = 0.5 }
        document += 1
        let cause: WebPageURLChange.Cause
        switch load.target {
        case .new where load.html != nil && url == .blank: cause = .commit
        case .new:
            history.push(url, initialURL: load.initialURL, document: document)
            cause = .commit
        case .replacement:
            history.replace(url, document: document)
            cause = .replace
        case .reload:
            history.replace(url, document: document)
            cause = .reload
        case .item(let item):
            _ = history.go(to: item)
            history.replace(url, document: document)
            cause = .traversal
        }
        committedURL = url
        observed.change {
            $0.url = url
            $0.title = ""
            $0.backForwardList = history.list
            $0.hasOnlySecureContent = url.scheme == "https"
        }
        tell(url, cause)
        navigationDelegate?.didReceive(.committed(load.navigation))
        guard isGoingOn(load.navigation) else { return }
        loading = nil
        observed.change { $0.estimatedProgress = 1 }
        observed.change { $0.isLoading = false }
        switch response {
        case .failureAfterCommit(let error, let title):
            setTitle(title)
            navigationDelegate?.didReceive(.failed(load.navigation, error))
        case .page(let title, _):
            navigationDelegate?.didReceive(.finished(load.navigation))
            setTitle(title)
        default:
            navigationDelegate?.didReceive(.finished(load.navigation))
        }
    }

    /// - Parameter error: nil where nothing has begun that could fail.
    func give(up load: StubLoad, _ error: WebPageError?) {
        loading = nil
        let hasShown = !load.isOfPage
        observed.change { $0.isLoading = false }
        if hasShown {
            observed.change { $0.url = committedURL }
            if load.request.url != committedURL { tell(committedURL ?? .blank, .revert, isCommitted: false) }
        }
        if let error { navigationDelegate?.didReceive(.failedProvisional(load.navigation, error)) }
        if hasShown || load.hasStarted, loading == nil { observed.change { $0.estimatedProgress = 1 } }
    }

    func stop(_ error: WebPageError) {
        guard let load = loading else { return }
        give(up: load, load.hasStarted ? error : nil)
    }

    // MARK: Parts

    private func show(_ load: StubLoad, _ cause: WebPageURLChange.Cause?) {
        observed.change {
            $0.isLoading = true
            $0.url = load.request.url
            $0.estimatedProgress = 0.1
        }
        if let cause { tell(load.request.url, cause, isCommitted: false) }
    }

    func tell(_ url: URL, _ cause: WebPageURLChange.Cause, isCommitted: Bool = true) {
        navigationDelegate?.urlDidChange(
            WebPageURLChange(
                url: url, cause: cause, isCommitted: isCommitted, index: history.list.currentIndex, sequence: 0))
    }

    func setTitle(_ title: String) {
        history.setTitle(title)
        observed.change {
            $0.title = title
            $0.backForwardList = history.list
        }
    }

    func isGoingOn(_ navigation: WebPageNavigation) -> Bool { loading?.navigation == navigation }

    /// - Parameter then: not called where another load has taken this one's place.
    func decide(
        _ action: WebPageNavigationAction, _ navigation: WebPageNavigation,
        _ then: @escaping @MainActor (StubWebView, _ isAllowed: Bool) -> Void
    ) {
        let decide = { @MainActor [weak self] (policy: WebPageNavigationPolicy) in
            guard let self, self.isGoingOn(navigation) else { return }
            then(self, policy == .allow)
        }
        if let navigationDelegate { navigationDelegate.decidePolicy(for: action, decide) } else { decide(.allow) }
    }
}
