#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import PageModel

/// What a navigation handler tells of.
@MainActor
public protocol InAppBrowserNavigationOwner: AnyObject {
    /// A URL that belongs to another app.
    func open(outside url: URL)
    /// A navigation that the policy denied.
    func didDeny(_ url: URL)
    /// A navigation has begun: what was said of the one before does not hold any more.
    func didStart()
    /// A navigation of the page failed.
    func didFail(_ error: WebPageError)
}

/// Business logic: decides about the page's navigations. An object of its own, so that it can be tested without a page and
/// changed without the view model; it holds its owner weakly.
public final class InAppBrowserNavigationHandler: WebPageNavigationHandling {
    /// Who is told.
    public weak var owner: (any InAppBrowserNavigationOwner)?
    /// Where the browser goes.
    public var policy: URLPolicy
    /// Whether it has cancelled something since the last navigation began: what is interrupted then is no failure.
    private var hasCancelled = false

    /// - Parameter policy: may be changed later; what has been decided stays.
    public init(policy: URLPolicy = URLPolicy()) {
        self.policy = policy
    }

    /// Asks the policy.
    public func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor action: WebPageNavigationAction
    ) async -> WebPageNavigationPolicy {
        if allows(action) { return .allow }
        hasCancelled = true
        return .cancel
    }

    /// Tells the owner of what is not allowed; of a frame in the page a person knows nothing.
    private func allows(_ action: WebPageNavigationAction) -> Bool {
        switch policy.decision(for: action) {
        case .allow: return true
        case .deny where action.targetFrame?.isMainFrame == false: break
        case .deny: owner?.didDeny(action.request.url)
        case .openOutside: owner?.open(outside: action.request.url)
        }
        return false
    }

    /// Tells the owner what a person has to know of.
    public func webPage(_ page: any WebPageRepresentable, didReceive event: WebPageNavigationEvent) {
        switch event {
        case .startedProvisional:
            hasCancelled = false
            owner?.didStart()
        case .failedProvisional(_, .frameLoadInterrupted) where hasCancelled: break
        // Whoever stops a load, or asks for another, knows of it.
        case .failedProvisional(_, .cancelled), .failed(_, .cancelled): break
        case .failedProvisional(_, let error), .failed(_, let error): owner?.didFail(error)
        case .webContentProcessTerminated: owner?.didFail(.webContentProcessTerminated)
        case .receivedServerRedirect, .committed, .finished: break
        }
    }
}

extension InAppBrowserNavigationHandler: WebPageUIHandling {
    /// What the policy allows opens in the same page. It is asked here too, where it is known whether the user wants it.
    public func webPage(
        _ page: any WebPageRepresentable, createWindowFor action: WebPageNavigationAction
    ) async -> WebPageNewWindowPolicy { allows(action) ? .openInSamePage : .deny }
}
