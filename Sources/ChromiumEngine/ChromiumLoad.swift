#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
internal import PageEngines
internal import PageModel

/// A load that has not come to its end.
struct ChromiumLoad {
    enum Target {
        case new
        case reload
        /// Of this side's asking.
        case item(WebPageBackForwardList.Item)
        /// Of the page's asking: which item is known when it is there.
        case traversal
    }

    let navigation: WebPageNavigation
    let target: Target
    let initialURL: URL
    var request: WebPageRequest
    var type: WebPageNavigationAction.NavigationType
    /// A document that no server is asked for.
    var html: String?
    /// Chromium's name for it; nil until it has begun there.
    var loader: String?
    /// Whether the page itself asked for it: then its URL does not show before the commit.
    var isOfPage = false
    /// Whether it goes to a fragment of the document that is there, unless that has gone by then.
    var isFragment = false
    var hasStarted = false
    var isCommitted = false
    /// Whether a URL has been told that must be taken back if nothing comes of it.
    var hasToldURL = false
    /// How many a server has sent it to others by, and after how many Chromium would show a page of its own.
    var redirections = 0
    static let mostRedirections = 20
    /// Why it fails, where that is known before it does.
    var failure: WebPageError?

    init(_ navigation: WebPageNavigation, _ request: WebPageRequest, _ target: Target) {
        self.navigation = navigation
        self.target = target
        self.request = request
        initialURL = request.url
        switch target {
        case .new: type = .other
        // What has been sent once is sent again: WebKit's own name for that.
        case .reload: type = request.method == "POST" ? .formResubmitted : .reload
        case .item, .traversal: type = .backForward
        }
    }

    /// Of the URL that shows before the commit; nil for a reload, whose URL is the same.
    var provisionalCause: WebPageURLChange.Cause? {
        switch target {
        case .new: .load
        case .reload: nil
        case .item, .traversal: .traversal
        }
    }
}

/// Steps that loads of both kinds take. Whoever is told of one or decides about it may do anything, closing the page
/// included: each next step is taken only if its load is still the one that is going on.
extension ChromiumWebView {
    func isGoingOn(_ navigation: WebPageNavigation) -> Bool { load?.navigation == navigation }

    /// Changes nothing where another load has taken this one's place, if only while it was told beforehand.
    func change(_ load: ChromiumLoad, _ body: (inout BackingState) -> Void) {
        observed.change { if isGoingOn(load.navigation) { body(&$0) } }
    }

    func changeIfIdle(_ body: (inout BackingState) -> Void) {
        observed.change { if load == nil { body(&$0) } }
    }

    func tell(_ url: URL, _ cause: WebPageURLChange.Cause, isCommitted: Bool = true) {
        navigationDelegate?.urlDidChange(
            WebPageURLChange(
                url: url, cause: cause, isCommitted: isCommitted, index: history.list.currentIndex, sequence: 0))
    }

    /// A load that this side has asked for is shown before it commits.
    func show(_ load: ChromiumLoad, _ cause: WebPageURLChange.Cause?) {
        if let cause {
            self.load?.hasToldURL = true
            tell(load.request.url, cause, isCommitted: false)
        }
        change(load) {
            $0.isLoading = true
            $0.url = load.request.url
            $0.estimatedProgress = 0.1
        }
    }

    func start(_ navigation: WebPageNavigation) {
        guard let load, load.navigation == navigation, !load.hasStarted else { return }
        self.load?.hasStarted = true
        navigationDelegate?.didReceive(.startedProvisional(navigation))
    }

    /// What was committed last holds again.
    func takeURLBack(_ load: ChromiumLoad, if isStillSo: () -> Bool) {
        guard !load.isOfPage, !load.isCommitted else { return }
        if load.hasToldURL { tell(committedURL ?? .blank, .revert, isCommitted: false) }
        observed.change { if isStillSo() { $0.url = committedURL } }
    }

    /// Nobody is told of the end of a load of whose beginning nobody was told.
    func fail(_ load: ChromiumLoad, _ error: WebPageError) {
        guard load.hasStarted else { return }
        navigationDelegate?.didReceive(
            load.isCommitted ? .failed(load.navigation, error) : .failedProvisional(load.navigation, error))
    }

    /// The load that is going on comes to nothing, or to no more.
    ///
    /// - Parameter error: nil where nothing has begun that could fail.
    func giveUp(_ error: WebPageError?) {
        guard let load else { return }
        self.load = nil
        changeIfIdle { $0.isLoading = false }
        takeURLBack(load) { self.load == nil }
        if let error { fail(load, error) }
        if !load.isOfPage || load.hasStarted { changeIfIdle { $0.estimatedProgress = 1 } }
    }
}
