#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import Observation

/// A page that an app shows: what it is, what it does, and what can be asked of it. Nothing of what shows it.
///
/// Business logic and view models hold a page as `any WebPageRepresentable`; tests give them a stub. All properties can be
/// observed (`withObservationTracking`, SwiftUI). Observation coalesces: for each single URL there is ``urlChanges``, and for
/// each event of a navigation a ``WebPageNavigationHandling``.
///
/// Names and meanings are those of WebKit's `WebPage` and `WKWebView`.
@MainActor
public protocol WebPageRepresentable: AnyObject, Observable {
    /// The document's URL, or the one that is being loaded because this side asked for it; nil before the first load.
    ///
    /// Where the page itself navigates, it changes at the commit, so that no page is shown under another's address.
    var url: URL? { get }
    /// The document's title; empty when it has none.
    var title: String { get }
    /// From the moment a load is asked for until it has finished, failed or been stopped.
    var isLoading: Bool { get }
    /// 0 before the first load, 0.1 from its beginning, 1 at its end, however it ends; it stays there until the next.
    var estimatedProgress: Double { get }
    /// Whether ``goBack()`` has somewhere to go.
    var canGoBack: Bool { get }
    /// Whether ``goForward()`` has somewhere to go.
    var canGoForward: Bool { get }
    /// What the page has shown, in order. A new value after each change; its items keep their ids.
    var backForwardList: WebPageBackForwardList { get }
    /// Whether the document and all that it loaded came over a secure connection.
    var hasOnlySecureContent: Bool { get }

    /// Decides about navigations and hears of them. Held weakly.
    var navigationHandler: (any WebPageNavigationHandling)? { get set }
    /// Answers for the user. Held weakly; without one windows open in the same page, and dialogs are answered as by a user
    /// who does not care.
    var uiHandler: (any WebPageUIHandling)? { get set }

    /// Every change of the URL from the moment this is read, in order, none coalesced and none lost: each read is a
    /// subscription of its own, which buffers without bound. It ends when the page closes.
    var urlChanges: WebPageURLChanges { get }

    /// Native views over the page, in whatever document it shows.
    var overlays: PageOverlays { get }

    /// Loads a request. ``isLoading``, ``url`` and ``estimatedProgress`` change before this returns.
    ///
    /// - Returns: what the events of this load name.
    @discardableResult
    func load(_ request: WebPageRequest) -> WebPageNavigation

    /// Loads a document from its text.
    ///
    /// - Parameter baseURL: what relative URLs are resolved against, and the document's URL; `about:blank` when nil.
    @discardableResult
    func load(html: String, baseURL: URL?) -> WebPageNavigation

    /// Loads the document again.
    ///
    /// - Parameter fromOrigin: asks the server even for what is cached.
    /// - Returns: nil where there is no document.
    @discardableResult
    func reload(fromOrigin: Bool) -> WebPageNavigation?

    /// Ends a load where it is; what has been committed stays.
    func stopLoading()

    /// Goes to the item before the current one.
    ///
    /// - Returns: nil where there is none.
    @discardableResult
    func goBack() -> WebPageNavigation?

    /// Goes to the item after the current one.
    ///
    /// - Returns: nil where there is none.
    @discardableResult
    func goForward() -> WebPageNavigation?

    /// Goes to an item of ``backForwardList``.
    ///
    /// - Returns: nil where the item is not in the list any more.
    @discardableResult
    func go(to item: WebPageBackForwardList.Item) -> WebPageNavigation?

    /// Runs a script as a program; the value of its last statement is the result. A promise is not awaited.
    ///
    /// - Parameters:
    ///   - frame: nil for the main frame.
    ///   - world: whose globals the script sees.
    /// - Throws: ``WebPageError``: ``WebPageError/javaScriptException(_:)`` with line and column,
    ///   ``WebPageError/javaScriptResultTypeIsUnsupported``, ``WebPageError/javaScriptInvalidFrameTarget``, or why the page
    ///   cannot answer.
    @discardableResult
    func evaluateJavaScript(
        _ script: String, in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue

    /// Calls an asynchronous function with that body and awaits what it returns.
    ///
    /// - Parameters:
    ///   - arguments: by the names under which the body uses them. They are passed as values, never pasted into the script.
    ///   - frame: nil for the main frame.
    ///   - world: whose globals the function sees.
    /// - Throws: ``WebPageError``. What the function throws, or its promise is rejected with, is a
    ///   ``WebPageError/javaScriptException(_:)`` without line and column. A call whose document goes away fails at once
    ///   (WebKit's is left waiting), with the text that WebKit has for a promise that nothing can settle.
    @discardableResult
    func callJavaScript(
        _ body: String, arguments: [String: JavaScriptValue], in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue
}

extension WebPageRepresentable {
    /// Loads what is there.
    @discardableResult
    public func load(_ url: URL) -> WebPageNavigation { load(WebPageRequest(url)) }

    /// Loads a document from its text, as `about:blank`.
    @discardableResult
    public func load(html: String) -> WebPageNavigation { load(html: html, baseURL: nil) }

    /// Loads the document again, from a cache where that may be.
    @discardableResult
    public func reload() -> WebPageNavigation? { reload(fromOrigin: false) }

    /// In the page's own world, in its main frame unless told otherwise.
    @discardableResult
    public func evaluateJavaScript(_ script: String, in frame: WebPageFrameInfo? = nil) async throws -> JavaScriptValue
    {
        try await evaluateJavaScript(script, in: frame, world: .page)
    }

    /// In the page's own world, in its main frame unless told otherwise.
    @discardableResult
    public func callJavaScript(
        _ body: String, arguments: [String: JavaScriptValue] = [:], in frame: WebPageFrameInfo? = nil
    ) async throws -> JavaScriptValue {
        try await callJavaScript(body, arguments: arguments, in: frame, world: .page)
    }
}
