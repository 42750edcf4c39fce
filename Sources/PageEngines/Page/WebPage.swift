#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import Observation
public import PageModel
internal import Synchronization

/// A page, over whatever shows it.
///
/// What an app's presentation and logic see of it is `any WebPageRepresentable`. The view layer, which puts it on a screen,
/// reaches what shows it by ``backing``.
@Observable
public final class WebPage: WebPageRepresentable {
    /// What shows the page: for the view layer alone.
    @ObservationIgnored public let backing: any BackingWebView
    /// See `WebPageRepresentable.navigationHandler`.
    @ObservationIgnored public weak var navigationHandler: (any WebPageNavigationHandling)?
    /// See `WebPageRepresentable.uiHandler`.
    @ObservationIgnored public weak var uiHandler: (any WebPageUIHandling)?
    @ObservationIgnored private let adapters: DelegateAdapters
    @ObservationIgnored private let urlSubscribers = WebPageURLSubscribers()
    /// Made when a property is first read.
    @ObservationIgnored private var observations: [BackingProperty: BackingObservation] = [:]
    @ObservationIgnored private var handlers: MessageHandlers?
    @ObservationIgnored private var attached: PageOverlays?
    @ObservationIgnored private var loadObservation: BackingObservation?
    /// Whether nothing comes of this page any more.
    var isClosed: Bool { whyClosed != nil }
    @ObservationIgnored private var whyClosed: WebPageError?

    /// A page over that, of which nobody else has the delegates.
    public init(
        _ backing: any BackingWebView, navigationHandler: (any WebPageNavigationHandling)? = nil,
        uiHandler: (any WebPageUIHandling)? = nil
    ) {
        self.backing = backing
        self.navigationHandler = navigationHandler
        self.uiHandler = uiHandler
        adapters = DelegateAdapters()
        backing.navigationDelegate = adapters
        backing.uiDelegate = adapters
        adapters.owner = self
    }

    isolated deinit { close() }

    // MARK: Properties

    /// See `WebPageRepresentable.url`.
    public var url: URL? { backed(.url, \.url) { $0.url } }
    /// See `WebPageRepresentable.title`.
    public var title: String { backed(.title, \.title) { $0.title } }
    /// See `WebPageRepresentable.isLoading`.
    public var isLoading: Bool { backed(.isLoading, \.isLoading) { $0.isLoading } }
    /// See `WebPageRepresentable.estimatedProgress`.
    public var estimatedProgress: Double { backed(.estimatedProgress, \.estimatedProgress) { $0.estimatedProgress } }
    /// See `WebPageRepresentable.canGoBack`.
    public var canGoBack: Bool { backed(.canGoBack, \.canGoBack) { $0.canGoBack } }
    /// See `WebPageRepresentable.canGoForward`.
    public var canGoForward: Bool { backed(.canGoForward, \.canGoForward) { $0.canGoForward } }
    /// See `WebPageRepresentable.backForwardList`.
    public var backForwardList: WebPageBackForwardList {
        backed(.backForwardList, \.backForwardList) { $0.backForwardList }
    }
    /// See `WebPageRepresentable.hasOnlySecureContent`.
    public var hasOnlySecureContent: Bool {
        backed(.hasOnlySecureContent, \.hasOnlySecureContent) { $0.hasOnlySecureContent }
    }

    /// The value is the backing's: nothing is kept here that could differ from it.
    private func backed<Value>(
        _ property: BackingProperty, _ keyPath: KeyPath<WebPage, Value>, _ read: (BackingState) -> Value
    ) -> Value {
        if observations[property] == nil {
            let registrar = _$observationRegistrar
            observations[property] = backing.observe(property) { [weak self] notice in
                guard let self else { return }
                switch notice {
                case .prior: registrar.willSet(self, keyPath: keyPath)
                case .after: registrar.didSet(self, keyPath: keyPath)
                }
            }
        }
        access(keyPath: keyPath)
        return read(backing.state)
    }

    /// See `WebPageRepresentable.urlChanges`.
    public var urlChanges: WebPageURLChanges { urlSubscribers.subscribe() }

    /// Told of each of them in its place among the events.
    @ObservationIgnored package var onURLChange: (@MainActor (WebPageURLChange) -> Void)?

    // MARK: Loading

    /// See `WebPageRepresentable.load(_:)`.
    @discardableResult
    public func load(_ request: WebPageRequest) -> WebPageNavigation {
        let navigation = WebPageNavigation.next()
        backing.load(request, as: navigation)
        return navigation
    }

    /// See `WebPageRepresentable.load(html:baseURL:)`.
    @discardableResult
    public func load(html: String, baseURL: URL?) -> WebPageNavigation {
        let navigation = WebPageNavigation.next()
        backing.load(html: html, baseURL: baseURL, as: navigation)
        return navigation
    }

    /// See `WebPageRepresentable.reload(fromOrigin:)`.
    @discardableResult
    public func reload(fromOrigin: Bool) -> WebPageNavigation? {
        let navigation = WebPageNavigation.next()
        return backing.reload(fromOrigin: fromOrigin, as: navigation) ? navigation : nil
    }

    /// See `WebPageRepresentable.stopLoading()`.
    public func stopLoading() { backing.stopLoading() }

    /// See `WebPageRepresentable.goBack()`.
    @discardableResult
    public func goBack() -> WebPageNavigation? { backing.state.backForwardList.backItem.flatMap(go(to:)) }

    /// See `WebPageRepresentable.goForward()`.
    @discardableResult
    public func goForward() -> WebPageNavigation? { backing.state.backForwardList.forwardItem.flatMap(go(to:)) }

    /// See `WebPageRepresentable.go(to:)`.
    @discardableResult
    public func go(to item: WebPageBackForwardList.Item) -> WebPageNavigation? {
        let navigation = WebPageNavigation.next()
        return backing.go(to: item, as: navigation) ? navigation : nil
    }

    /// Ends the page: its URL changes end, and what is awaited of it fails.
    public func close() {
        let why = WebPageError.pageClosed("it was closed by the app")
        whyClosed = whyClosed ?? why
        handlers?.pageDidEnd()
        backing.close()
        attached?.pageDidEnd(why)
        urlSubscribers.close()
    }

    // MARK: Scripts

    /// See `WebPageRepresentable.evaluateJavaScript(_:in:world:)`.
    public func evaluateJavaScript(
        _ script: String, in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue {
        try await backing.evaluateJavaScript(script, in: frame, world: world)
    }

    /// See `WebPageRepresentable.callJavaScript(_:arguments:in:world:)`.
    public func callJavaScript(
        _ body: String, arguments: [String: JavaScriptValue], in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue {
        try await backing.callJavaScript(body, arguments: arguments, in: frame, world: world)
    }

    /// Puts a script into the documents that come from now on.
    public func addUserScript(_ script: WebPageUserScript) throws { try backing.addUserScript(script) }

    /// Documents that come from now on have none.
    public func removeAllUserScripts() { backing.removeAllUserScripts() }

    /// What the page's scripts reach as `window.webkit.messageHandlers`.
    public var messageHandlers: MessageHandlers {
        if let handlers { return handlers }
        let made = MessageHandlers(self)
        handlers = made
        return made
    }

    // MARK: Overlays

    /// See `WebPageRepresentable.overlays`.
    public var overlays: PageOverlays {
        if let attached { return attached }
        let made = PageOverlays(backing.makeOverlaySurface()) { [weak backing] in
            guard let state = backing?.state, state.url != nil else { return .empty }
            return state.isLoading ? .loading : .loaded
        }
        attached = made
        loadObservation = backing.observe(.isLoading) { [weak made, weak backing] notice in
            if notice == .after, backing?.state.isLoading == false { made?.loadDidEnd() }
        }
        if let whyClosed { made.pageDidEnd(whyClosed) }
        return made
    }

    // MARK: What the adapters tell

    func urlDidChange(_ change: WebPageURLChange) {
        let change = urlSubscribers.send(change)
        // A document of which no commit is told, its load having been superseded, is told of here.
        attached?.didChange()
        onURLChange?(change)
    }

    func didReceive(_ event: WebPageNavigationEvent) {
        switch event {
        case .committed:
            handlers?.documentDidChange()
            attached?.documentDidBegin()
        // No document is there until the next commit.
        case .webContentProcessTerminated:
            handlers?.pageDidEnd()
            attached?.documentDidEnd(.webContentProcessTerminated)
        default: break
        }
        navigationHandler?.webPage(self, didReceive: event)
    }

    func backingDidClose(_ reason: String) {
        let why = WebPageError.pageClosed(reason)
        whyClosed = whyClosed ?? why
        handlers?.pageDidEnd()
        attached?.pageDidEnd(why)
        urlSubscribers.close()
    }
}

extension WebPageNavigation {
    private static let last = Atomic<UInt64>(0)

    /// One that was not there before.
    package static func next() -> WebPageNavigation {
        WebPageNavigation(id: last.add(1, ordering: .relaxed).newValue)
    }
}
