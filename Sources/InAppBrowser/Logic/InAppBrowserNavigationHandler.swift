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

    /// - Parameter policy: may be changed later; what has been decided stays.
    public init(policy: URLPolicy = URLPolicy()) {
        self.policy = policy
    }

    /// Asks the policy.
    public func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor action: WebPageNavigationAction
    ) async -> WebPageNavigationPolicy {
        switch policy.decision(for: action) {
        case .allow: return .allow
        case .deny: owner?.didDeny(action.request.url)
        case .openOutside: owner?.open(outside: action.request.url)
        }
        return .cancel
    }

    /// Tells the owner what a person has to know of.
    public func webPage(_ page: any WebPageRepresentable, didReceive event: WebPageNavigationEvent) {
        switch event {
        case .startedProvisional: owner?.didStart()
        // Whoever stops a load, or asks for another, knows of it.
        case .failedProvisional(_, .cancelled), .failed(_, .cancelled): break
        case .failedProvisional(_, let error), .failed(_, let error): owner?.didFail(error)
        case .webContentProcessTerminated: owner?.didFail(.webContentProcessTerminated)
        case .receivedServerRedirect, .committed, .finished: break
        }
    }
}
