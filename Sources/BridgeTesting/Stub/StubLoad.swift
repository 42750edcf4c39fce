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
    var hasCommitted = false
    /// Whether a URL has been told that must be taken back if nothing comes of it.
    var hasToldURL = false
    var isPending = false
    /// How many a server has sent it to others by, and after how many browsers give up.
    var redirections = 0
    static let mostRedirections = 20

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

/// From a request to a document, in WebKit's order. Whoever is told of a step or decides about it may do anything, closing
/// the page included: each next step is taken only if its load is still the one that is going on.
extension StubWebView {
    /// A load that this side asks for.
    func begin(_ load: StubLoad) {
        revive()
        lastCheck += 1
        let superseded = loading
        loading = load
        show(load, load.provisionalCause)
        if let superseded { fail(superseded, .cancelled) }
        guard isGoingOn(load.navigation) else { return }
        let action = WebPageNavigationAction(
            request: load.request, navigationType: load.type, targetFrame: mainFrame)
        decide(action, load.navigation) { stub, isAllowed in
            if isAllowed { stub.start(load) } else { stub.give(up: load, nil) }
        }
    }

    /// A load that the page itself asks for. Until it is allowed it changes nothing, and a load that is going on goes on.
    func beginOfPage(_ load: StubLoad, hasUserGesture: Bool = false) {
        guard isAlive else { return }
        var load = load
        load.isOfPage = true
        let action = WebPageNavigationAction(
            request: load.request, navigationType: load.type, sourceFrame: mainFrame, targetFrame: mainFrame,
            hasUserGesture: hasUserGesture)
        check(action) { [load] stub in
            let superseded = stub.loading
            stub.loading = load
            if let superseded {
                stub.takeURLBack(superseded) { stub.isGoingOn(load.navigation) }
                stub.fail(superseded, .cancelled)
            }
            guard stub.isGoingOn(load.navigation) else { return }
            stub.start(load)
        }
    }

    /// Asks about what the page itself wants. The question is not waited for any more when another is asked, or a load begins
    /// or commits.
    func check(_ action: WebPageNavigationAction, _ whenAllowed: @escaping @MainActor (StubWebView) -> Void) {
        lastCheck += 1
        let decide = { @MainActor [weak self, check = lastCheck] (policy: WebPageNavigationPolicy) in
            guard let self, self.lastCheck == check else { return }
            self.lastCheck += 1
            if policy == .allow { whenAllowed(self) }
        }
        if let navigationDelegate { navigationDelegate.decidePolicy(for: action, decide) } else { decide(.allow) }
    }

    private func start(_ load: StubLoad) {
        if load.isOfPage {
            change(load) {
                $0.isLoading = true
                $0.estimatedProgress = 0.1
            }
            guard isGoingOn(load.navigation) else { return }
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
        load.redirections += 1
        guard load.redirections < StubLoad.mostRedirections else {
            return give(up: load, .network("net::ERR_TOO_MANY_REDIRECTS"))
        }
        load.request.url = url
        loading?.redirections = load.redirections
        loading?.request.url = url
        if !load.isOfPage { show(load, .redirect) }
        guard isGoingOn(load.navigation) else { return }
        let action = WebPageNavigationAction(
            request: load.request, navigationType: load.type, targetFrame: mainFrame, isRedirect: true)
        decide(action, load.navigation) { stub, isAllowed in
            guard isAllowed else { return stub.give(up: load, .frameLoadInterrupted) }
            stub.navigationDelegate?.didReceive(.receivedServerRedirect(load.navigation))
            guard stub.isGoingOn(load.navigation) else { return }
            stub.receive(stub.responses[load.request.url] ?? stub.otherResponse)
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
        change(load) { $0.estimatedProgress = 0.5 }
        guard isGoingOn(load.navigation) else { return }
        lastCheck += 1
        document += 1
        let document = document
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
        loading?.hasCommitted = true
        loading?.hasToldURL = false
        tell(url, cause)
        failScripts()
        observed.change {
            $0.backForwardList = history.list
            guard document == self.document else { return }
            $0.title = ""
            $0.hasOnlySecureContent = url.scheme == "https"
            if isGoingOn(load.navigation) { $0.url = url }
        }
        guard isGoingOn(load.navigation) else { return }
        navigationDelegate?.didReceive(.committed(load.navigation))
        change(load) { $0.estimatedProgress = 1 }
        guard isGoingOn(load.navigation) else { return }
        loading = nil
        changeIfIdle { $0.isLoading = false }
        switch response {
        case .failureAfterCommit(let error, let title):
            setTitle(title, ofDocument: document)
            navigationDelegate?.didReceive(.failed(load.navigation, error))
        case .page(let title, _):
            navigationDelegate?.didReceive(.finished(load.navigation))
            setTitle(title, ofDocument: document)
        default:
            navigationDelegate?.didReceive(.finished(load.navigation))
        }
    }

    /// - Parameter error: nil where nothing has begun that could fail.
    func give(up load: StubLoad, _ error: WebPageError?) {
        let load = loading ?? load
        loading = nil
        changeIfIdle { $0.isLoading = false }
        takeURLBack(load) { loading == nil }
        if let error { fail(load, error) }
        if !load.isOfPage || load.hasStarted { changeIfIdle { $0.estimatedProgress = 1 } }
    }

    func stop(_ error: WebPageError) {
        lastCheck += 1
        guard let load = loading else { return }
        give(up: load, error)
    }

    /// Nobody is told of the end of a load of whose beginning nobody was told.
    private func fail(_ load: StubLoad, _ error: WebPageError) {
        guard load.hasStarted else { return }
        navigationDelegate?.didReceive(
            load.hasCommitted ? .failed(load.navigation, error) : .failedProvisional(load.navigation, error))
    }

    // MARK: Parts

    private func show(_ load: StubLoad, _ cause: WebPageURLChange.Cause?) {
        if let cause {
            loading?.hasToldURL = true
            tell(load.request.url, cause, isCommitted: false)
        }
        change(load) {
            $0.isLoading = true
            $0.url = load.request.url
            $0.estimatedProgress = 0.1
        }
    }

    /// What was committed last holds again.
    private func takeURLBack(_ load: StubLoad, if isStillSo: () -> Bool) {
        guard !load.isOfPage, !load.hasCommitted else { return }
        if load.hasToldURL { tell(committedURL ?? .blank, .revert, isCommitted: false) }
        observed.change { if isStillSo() { $0.url = committedURL } }
    }

    func tell(_ url: URL, _ cause: WebPageURLChange.Cause, isCommitted: Bool = true) {
        navigationDelegate?.urlDidChange(
            WebPageURLChange(
                url: url, cause: cause, isCommitted: isCommitted, index: history.list.currentIndex, sequence: 0))
    }

    /// Does nothing where that document has gone.
    func setTitle(_ title: String, ofDocument document: Int) {
        guard document == self.document else { return }
        history.setTitle(title)
        observed.change {
            $0.backForwardList = history.list
            if document == self.document { $0.title = title }
        }
    }

    /// Changes nothing where another load has taken this one's place, if only while it was told beforehand.
    private func change(_ load: StubLoad, _ body: (inout BackingState) -> Void) {
        observed.change { if isGoingOn(load.navigation) { body(&$0) } }
    }

    func changeIfIdle(_ body: (inout BackingState) -> Void) {
        observed.change { if loading == nil { body(&$0) } }
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
