/// What decides about a page's navigations and hears of them: an object of its own, which the page holds weakly.
///
/// It hears every event in order, from the first load to the last; a load that fails ends nothing (WebKit's
/// `WebPage.navigations` ends there, and what comes before the next subscription is lost).
@MainActor
public protocol WebPageNavigationHandling: AnyObject {
    /// Whether a frame may navigate, or a page open a window; asked before anything is sent, and again for each redirect.
    /// The navigation waits for the answer; another load that is asked for meanwhile takes its place.
    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor action: WebPageNavigationAction
    ) async -> WebPageNavigationPolicy

    /// Whether what a server answered is to be shown.
    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor response: WebPageNavigationResponse
    ) async -> WebPageNavigationPolicy

    /// Called for every event of the main frame, in order.
    func webPage(_ page: any WebPageRepresentable, didReceive event: WebPageNavigationEvent)
}

extension WebPageNavigationHandling {
    /// Allows everything.
    public func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor action: WebPageNavigationAction
    ) async -> WebPageNavigationPolicy { .allow }

    /// Allows everything.
    public func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor response: WebPageNavigationResponse
    ) async -> WebPageNavigationPolicy { .allow }

    /// Does nothing.
    public func webPage(_ page: any WebPageRepresentable, didReceive event: WebPageNavigationEvent) {}
}
