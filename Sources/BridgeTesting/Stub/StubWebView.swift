#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import PageEngines
public import PageModel

/// A page without a browser: what it loads is scripted, what is asked of it is recorded, and what its page does is a call of
/// the test's. Properties change and events come in WebKit's order, all before a call returns unless somebody decides later.
///
/// ```swift
/// let stub = StubWebView()
/// let page = WebPage(stub)
/// stub.responses[a] = .page(title: "A")
/// page.load(a)
/// #expect(page.title == "A")
/// ```
@MainActor
public final class StubWebView: BackingWebView {
    /// What was asked of it, in order.
    public private(set) var calls: [StubCall] = []
    /// What a load comes to; for any other URL ``otherResponse``.
    public var responses: [URL: StubResponse] = [:]
    /// What a load of a URL comes to that is not among ``responses``: an untitled page, unless set.
    public var otherResponse = StubResponse.page()
    /// Answers scripts, at once or later: one whose document has gone by then has failed. Without it they fail, saying so.
    public var answer: (@MainActor (StubScript) async throws -> JavaScriptValue)?

    /// See `BackingWebView.navigationDelegate`.
    public weak var navigationDelegate: (any BackingNavigationDelegate)?
    /// See `BackingWebView.uiDelegate`.
    public weak var uiDelegate: (any BackingUIDelegate)?

    /// What the page's overlays ask of it, and what it measures for them.
    public let overlays = StubOverlays()

    let observed = ObservedState()
    var history = BackForwardHistory()
    /// Numbers documents: entries of one document are gone to without a load.
    var document = 0
    var loading: StubLoad?
    var committedURL: URL?
    /// Numbers the questions about what the page itself wants: only the last one is waited for.
    var lastCheck = 0
    /// What the page's scripts, and those sent to it, wait for.
    let waits = StubWaits()
    private var handlers: [StubHandlerKey: @MainActor (WebPageScriptMessage, MessageReply) -> Void] = [:]
    private var whyDead: WebPageError?

    /// A page that has loaded nothing.
    public init() {}

    /// See `BackingWebView.state`.
    public var state: BackingState { observed.values }

    /// See `BackingWebView.observe(_:_:)`.
    public func observe(
        _ property: BackingProperty, _ notice: @escaping @MainActor (BackingNotice) -> Void
    ) -> BackingObservation {
        observed.observe(property, notice)
    }

    /// Whether the page's scripts run, and the user can do something in it.
    var isAlive: Bool { whyDead == nil }

    private var isClosed: Bool { if case .pageClosed? = whyDead { true } else { false } }

    /// The main frame, as it is now.
    public var mainFrame: WebPageFrameInfo {
        WebPageFrameInfo(id: "main", isMainFrame: true, request: WebPageRequest(committedURL ?? .blank))
    }

    // MARK: What the page is asked

    /// See `BackingWebView.load(_:as:)`.
    public func load(_ request: WebPageRequest, as navigation: WebPageNavigation) {
        guard record(.load(request)) else { return }
        begin(StubLoad(navigation, request, .new))
    }

    /// See `BackingWebView.load(html:baseURL:as:)`.
    public func load(html: String, baseURL: URL?, as navigation: WebPageNavigation) {
        guard record(.loadHTML(html, baseURL: baseURL)) else { return }
        var load = StubLoad(navigation, WebPageRequest(baseURL ?? .blank), .new)
        load.html = html
        begin(load)
    }

    /// See `BackingWebView.reload(fromOrigin:as:)`.
    public func reload(fromOrigin: Bool, as navigation: WebPageNavigation) -> Bool {
        guard record(.reload(fromOrigin: fromOrigin)), let committedURL else { return false }
        begin(StubLoad(navigation, WebPageRequest(committedURL), .reload))
        return true
    }

    /// See `BackingWebView.stopLoading()`.
    public func stopLoading() {
        guard record(.stopLoading) else { return }
        stop(.cancelled)
    }

    /// See `BackingWebView.go(to:as:)`.
    public func go(to item: WebPageBackForwardList.Item, as navigation: WebPageNavigation) -> Bool {
        guard record(.go(to: item.url)), let document = history.document(of: item) else { return false }
        if document == self.document, isAlive { traverse(to: item) } else { begin(StubLoad(navigation, item)) }
        return true
    }

    /// See `BackingWebView.evaluateJavaScript(_:in:world:)`.
    public func evaluateJavaScript(
        _ script: String, in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue {
        let script = StubScript(source: script, arguments: [:], frame: frame, world: world)
        return try await run(script, recording: .evaluate(script))
    }

    /// See `BackingWebView.callJavaScript(_:arguments:in:world:)`.
    public func callJavaScript(
        _ body: String, arguments: [String: JavaScriptValue], in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue {
        let script = StubScript(source: body, arguments: arguments, frame: frame, world: world)
        return try await run(script, recording: .call(script))
    }

    private func run(_ script: StubScript, recording call: StubCall) async throws -> JavaScriptValue {
        if let whyDead { throw whyDead }
        record(call)
        guard let answer else {
            throw WebPageError.unsupported(
                "StubWebView has no answer to scripts; set `answer` to give \"\(script.source)\" one")
        }
        typealias Outcome = Result<JavaScriptValue, any Error>
        return try await waits.answer({ Outcome.failure($0) }, isScripts: true) { settle in
            Task.immediateOnMain {
                do { settle(.success(try await answer(script))) } catch { settle(.failure(error)) }
            }
        }.get()
    }

    func failScripts() { waits.end(.unreachable, scriptsOnly: true) }

    /// See `BackingWebView.addUserScript(_:)`.
    public func addUserScript(_ script: WebPageUserScript) { record(.addUserScript(script.source)) }

    /// See `BackingWebView.removeAllUserScripts()`.
    public func removeAllUserScripts() { record(.removeAllUserScripts) }

    /// See `BackingWebView.addMessageHandler(_:world:receive:)`.
    public func addMessageHandler(
        _ name: String, world: WebPageContentWorld,
        receive: @escaping @MainActor (WebPageScriptMessage, _ reply: MessageReply) -> Void
    ) {
        guard record(.addMessageHandler(name, world)) else { return }
        handlers[StubHandlerKey(name: name, world: world)] = receive
    }

    /// See `BackingWebView.removeMessageHandler(_:world:)`.
    public func removeMessageHandler(_ name: String, world: WebPageContentWorld) {
        record(.removeMessageHandler(name, world))
        handlers[StubHandlerKey(name: name, world: world)] = nil
    }

    /// See `BackingWebView.makeOverlaySurface()`.
    public func makeOverlaySurface() -> any OverlaySurface {
        overlays.whyDead = { [weak self] in self?.whyDead }
        return overlays
    }

    /// See `BackingWebView.close()`.
    public func close() {
        guard record(.close) else { return }
        end(.pageClosed("it was closed by the app"), url: committedURL, progress: loading == nil ? nil : 1)
        handlers = [:]
    }

    /// No script runs any more, and what is waited for does not come.
    private func end(_ error: WebPageError, url: URL?, progress: Double?) {
        let load = loading
        loading = nil
        lastCheck += 1
        whyDead = error
        if load?.hasToldURL == true { tell(committedURL ?? .blank, .revert, isCommitted: false) }
        changeIfIdle {
            $0.url = url
            $0.isLoading = false
            if let progress { $0.estimatedProgress = progress }
            if url == nil { $0.hasOnlySecureContent = false }
        }
        waits.end(error)
    }

    /// - Returns: whether there still is a page.
    @discardableResult
    private func record(_ call: StubCall) -> Bool {
        guard !isClosed else { return false }
        calls.append(call)
        return true
    }

    // MARK: What happens to it

    /// The page's process ends, as in a crash. The next load starts another.
    public func terminateWebContent() {
        guard isAlive else { return }
        end(.webContentProcessTerminated, url: nil, progress: 0)
        navigationDelegate?.didReceive(.webContentProcessTerminated)
    }

    func revive() { if !isClosed { whyDead = nil } }

    /// Posts to a message handler, as a script does.
    ///
    /// - Throws: ``StubRejection`` when the promise is rejected, the page ends before it is answered, or there is no such
    ///   handler in that world.
    @discardableResult
    public func postMessage(
        _ body: JavaScriptValue, to name: String, from frame: WebPageFrameInfo? = nil,
        world: WebPageContentWorld = .page
    ) async throws -> JavaScriptValue {
        guard isAlive, let receive = handlers[StubHandlerKey(name: name, world: world)] else {
            throw StubRejection(
                description: "TypeError: window.webkit.messageHandlers.\(name) is undefined in that world")
        }
        let message = WebPageScriptMessage(name: name, body: body, frame: frame ?? mainFrame, world: world)
        let gone = MessageReply.Answer.reject(MessageReply.Text.pageGone)
        switch await waits.answer({ _ in gone }, { receive(message, MessageReply($0)) }) {
        case .fulfil(let value): return value
        case .reject(let text): throw StubRejection(description: "Error: \(text)")
        }
    }
}

struct StubHandlerKey: Hashable {
    let name: String
    let world: WebPageContentWorld
}

extension URL {
    /// `about:blank`.
    static let blank = URL(string: "about:blank") ?? URL(filePath: "/")
}
