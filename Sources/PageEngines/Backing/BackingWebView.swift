#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import PageModel

/// What shows a ``WebPage``: the part that differs between a browser, a connected page and a stub.
///
/// Its properties change on the main actor, and each change is told twice, before and after (as by key-value observing with
/// the option *prior*). Events reach the delegates in the order in which they happen.
@MainActor
public protocol BackingWebView: AnyObject {
    /// All properties, at this moment.
    var state: BackingState { get }

    /// Tells of every change of that property, until the observation is let go.
    func observe(
        _ property: BackingProperty, _ notice: @escaping @MainActor (BackingNotice) -> Void
    ) -> BackingObservation

    /// Held weakly.
    var navigationDelegate: (any BackingNavigationDelegate)? { get set }
    /// Held weakly.
    var uiDelegate: (any BackingUIDelegate)? { get set }

    /// - Parameter navigation: what the events of this load name. The same holds below.
    func load(_ request: WebPageRequest, as navigation: WebPageNavigation)
    func load(html: String, baseURL: URL?, as navigation: WebPageNavigation)
    /// - Returns: whether there is something to load. The same holds below.
    func reload(fromOrigin: Bool, as navigation: WebPageNavigation) -> Bool
    func stopLoading()
    func go(to item: WebPageBackForwardList.Item, as navigation: WebPageNavigation) -> Bool

    /// See `WebPageRepresentable`.
    func evaluateJavaScript(
        _ script: String, in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue

    /// See `WebPageRepresentable`.
    func callJavaScript(
        _ body: String, arguments: [String: JavaScriptValue], in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue

    /// Runs in the documents that come from now on.
    func addUserScript(_ script: WebPageUserScript) throws
    func removeAllUserScripts()

    /// From now on, in the present documents too.
    ///
    /// - Parameter receive: called for each message, in order; what it is given answers, once.
    func addMessageHandler(
        _ name: String, world: WebPageContentWorld,
        receive: @escaping @MainActor (WebPageScriptMessage, _ reply: MessageReply) -> Void
    ) throws
    func removeMessageHandler(_ name: String, world: WebPageContentWorld)

    /// Draws native views over the page; asked for once, by its page. Where this is not implemented a script draws them, in a
    /// world of its own.
    func makeOverlaySurface() -> any OverlaySurface

    /// Ends it. What is awaited of it fails with `WebPageError.pageClosed`; everything afterwards does at once.
    func close()
}

/// Hears of what a backing's page does, and decides.
@MainActor
public protocol BackingNavigationDelegate: AnyObject {
    /// - Parameter decide: called once, at once or later. Nothing is loaded before.
    func decidePolicy(
        for action: WebPageNavigationAction, _ decide: @escaping @MainActor (WebPageNavigationPolicy) -> Void)
    func decidePolicy(
        for response: WebPageNavigationResponse, _ decide: @escaping @MainActor (WebPageNavigationPolicy) -> Void)
    func didReceive(_ event: WebPageNavigationEvent)
    /// Every change of the URL, also to an equal one. Its number is not set.
    func urlDidChange(_ change: WebPageURLChange)
    /// The backing has ended by itself, for that reason.
    func didClose(_ reason: String)
}

/// Answers for the user.
@MainActor
public protocol BackingUIDelegate: AnyObject {
    /// - Parameter decide: called once. Where the window is to be opened in the same page, the page loads it; the backing
    ///   lets `window.open` return null.
    func createWindow(
        for action: WebPageNavigationAction, _ decide: @escaping @MainActor (WebPageNewWindowPolicy) -> Void)
    func show(_ dialog: BackingDialog, _ answer: @escaping @MainActor (BackingDialog.Answer) -> Void)
}

/// What a page's script waits for.
public struct BackingDialog: Hashable, Sendable {
    /// Which of the three.
    public enum Kind: Hashable, Sendable {
        case alert, confirm
        case prompt(defaultText: String)
    }

    /// What the user did.
    public enum Answer: Hashable, Sendable {
        case accept(text: String?)
        case dismiss
    }

    /// Which of the three.
    public var kind: Kind
    /// What it says; cut nowhere.
    public var message: String
    /// Whose script waits.
    public var frame: WebPageFrameInfo

    /// A dialog that a script has opened.
    public init(_ kind: Kind, message: String, frame: WebPageFrameInfo) {
        self.kind = kind
        self.message = message
        self.frame = frame
    }
}

/// A script that is put into documents.
public struct WebPageUserScript: Hashable, Sendable {
    /// As `WKUserScriptInjectionTime`.
    public enum InjectionTime: String, Hashable, Sendable {
        /// The document has its root element and nothing else.
        case atDocumentStart
        /// The document is read; its images and the like may be missing.
        case atDocumentEnd
    }

    /// The script.
    public var source: String
    /// When it runs.
    public var injectionTime: InjectionTime
    /// Whether it leaves frames alone.
    public var isForMainFrameOnly: Bool
    /// Whose globals it sees.
    public var world: WebPageContentWorld

    /// A script for the documents to come.
    public init(
        _ source: String, at injectionTime: InjectionTime, forMainFrameOnly: Bool = true,
        world: WebPageContentWorld = .page
    ) {
        self.source = source
        self.injectionTime = injectionTime
        isForMainFrameOnly = forMainFrameOnly
        self.world = world
    }
}
