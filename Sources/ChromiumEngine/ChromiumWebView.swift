internal import BridgeDevTools
internal import BridgeJSON
internal import Dispatch
public import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A page in a headless browser of Chromium's family, driven over the DevTools protocol.
///
/// What differs from WebKit, beside what Chromium itself does otherwise:
/// - The texts of script errors and their columns are V8's.
/// - A call's body and its arguments' names are parsed by themselves (WebKit pastes them into a program): what breaks out of
///   the body is a `SyntaxError`, and a comment may end it. Until its first `await` it may use `eval`, whatever the page's
///   policy says: that is how it came to be.
/// - A call whose document goes away fails at once; WebKit's waits for the garbage collector.
/// - What a page has in several places is copied, and what is in itself cannot leave (WebKit hands out one object): a
///   ``JavaScriptValue`` is a value. The same holds for what is nested more than about a thousand deep.
/// - A message that cannot be sent rejects with WebKit's former `DataCloneError`; the present WebKit leaves it pending. A
///   proxy within a value is what it seems to be, as no script can tell.
/// - Scripts run in sandboxed frames too: the DevTools protocol does not ask.
/// - A user script at a document's start runs before any of the page's, but the parser may have read on to the first of
///   those: there may be a `head`. Each is a function, as the protocol has no moment for a program between the two. Where it
///   seems to declare something at its top level (a line begins with `var`, `function` or the like) and the page's policy
///   lets it, it is evaluated, so that its variables and functions are global; `let`, `const` and `class` never are.
/// - `window.webkit` is a script's: `String(postMessage)` shows it, and it stays, empty, when its last handler is removed.
/// - What a page has put in place of the language's own functions is not called, but it can see that a promise is awaited
///   (`constructor`, `then`) and that its own values are read (getters).
/// - No page is kept as it was when it is left: gone back to, it is loaded again, and its answer is decided upon.
/// - What stays in the document (a link to a fragment) is told when it has happened, and cannot be refused. So it is with a
///   page's own way to `about:blank`, `data:` and `blob:`.
/// - Where the browser lets no page go (`file:`, `chrome:`) is asked about, and fails as what nobody can show. WebKit tells
///   nobody of `file:`.
/// - Of the network's faults the browser names few before it would show a page of its own: any other (TLS, no HTTP, an empty
///   answer) is `net::ERR_FAILED`. An error's body is awaited, where its length is not known, before the document begins.
/// - A load of the URL that is there takes its item's place. The list keeps fifty items; WebKit's a hundred.
/// - A document from a text without a base URL is a `data:` one to its own scripts, and takes what one could go forward to.
/// - A document from a text comes from no address, so the browser's local network access checks keep its scripts from servers
///   on this machine, a bridge's among them: message handlers reach it without one.
/// - A link to a new window is asked about as a window alone. Of a form that is posted to one the body is not known.
/// - While a document's place is decided upon, or its server is waited for, scripts that this side sends wait too.
/// - A frame whose origin is opaque does not count in the list.
/// - While the page's process has crashed, message handlers and user scripts cannot be added.
@MainActor
public final class ChromiumWebView: BackingWebView {
    /// See `BackingWebView.navigationDelegate`.
    public weak var navigationDelegate: (any BackingNavigationDelegate)?
    /// See `BackingWebView.uiDelegate`.
    public weak var uiDelegate: (any BackingUIDelegate)?

    let connection: DevToolsConnection
    let session: String
    let target: String
    let context: String
    let browser: ChromiumBrowser

    let observed = ObservedState()
    var history = ChromiumHistory()
    /// Numbers documents: entries of one document are gone to without a load.
    var document = 0
    /// The load that is going on.
    var load: ChromiumLoad?
    /// What the page itself wants to load, and may not yet.
    var next: ChromiumLoad?
    /// Loads that the browser was asked for and has not begun, in order.
    var asked: [(navigation: WebPageNavigation, url: Substring)] = []
    /// What the document was asked for with; nil before the first commit.
    var committed: WebPageRequest?
    /// What a page's own navigation says of itself before it begins.
    var requested: Requested?
    /// Where the page wants to go, and the browser may not let it.
    var wanted: Requested?
    /// A document or a state of which the reporter has not yet told what it is.
    var unreported: Unreported?
    /// Where the reporter's list was.
    var entryIndex: Int?
    /// Windows that scripts want, and the frames that windows were made for, until both of one are known.
    var wantedWindows: [JSON] = []
    var openers: [String] = []
    /// Where scripts can run, by Chromium's number.
    var contexts: [Int: ScriptContext] = [:]
    let kit = PageKit()
    /// Those that all documents have.
    var worlds: Set<WebPageContentWorld> = []
    var messageHandlers: [MessageHandlerKey: MessageHandler] = [:]
    var userScripts: [DocumentScript] = []
    var frames: [String: WebPageFrameInfo] = [:]
    /// Events that wait until something has been asked of the browser.
    private var inbox: [(method: String, params: JSON)] = []
    private var isAsking = false
    private var behindInbox: [CheckedContinuation<Void, Never>] = []
    /// Whether the page's process has crashed and no other has taken its place: it would answer nothing.
    var isCrashed = false
    var whyDead: WebPageError?

    struct Requested {
        let url: URL
        let reason: String
    }

    enum Unreported {
        case document(url: URL, loader: String)
        case state(url: URL, isFragment: Bool)
    }

    init(_ browser: ChromiumBrowser, session: String, target: String, context: String) {
        self.browser = browser
        self.session = session
        self.target = target
        self.context = context
        connection = browser.browser.connection
        connection.listen(to: session) { [weak self] message in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.take(message) } }
        }
    }

    isolated deinit { if isAlive { letGo() } }

    func prepare() async throws {
        let documents: JSON = [
            ["resourceType": "Document", "requestStage": "Request"],
            ["resourceType": "Document", "requestStage": "Response"],
        ]
        post("Inspector.enable")
        post("Page.enable")
        post("Network.enable")
        post("Runtime.enable")
        post("Fetch.enable", ["patterns": documents])
        post(
            "Runtime.addBinding",
            ["name": JSON(PageReporter.binding), "executionContextName": JSON(PageReporter.world)])
        post("Page.addScriptToEvaluateOnNewDocument", ["source": JSON(WindowGuard.source)])
        register(.page)
        _ = try await connection.send(
            "Page.addScriptToEvaluateOnNewDocument",
            [
                "worldName": JSON(PageReporter.world), "source": JSON(PageReporter.source),
            ], session: session)
    }

    /// See `BackingWebView.state`.
    public var state: BackingState { observed.values }

    /// See `BackingWebView.observe(_:_:)`.
    public func observe(
        _ property: BackingProperty, _ notice: @escaping @MainActor (BackingNotice) -> Void
    ) -> BackingObservation {
        observed.observe(property, notice)
    }

    var committedURL: URL? { committed?.url }

    var mainFrame: WebPageFrameInfo {
        WebPageFrameInfo(id: target, isMainFrame: true, request: WebPageRequest(committedURL ?? .blank))
    }

    /// Whether anything can still be asked of it: a page that has crashed can be loaded again.
    var isAlive: Bool { if case .pageClosed? = whyDead { false } else { true } }

    /// Whether a document is there.
    var isThere: Bool { whyDead == nil && committed != nil }

    // MARK: The protocol

    /// What the browser does by itself, and so after a crash too.
    private static let revivals: Set<String> = [
        "Page.navigate", "Page.reload", "Page.getNavigationHistory", "Page.navigateToHistoryEntry", "Page.stopLoading",
        "Fetch.continueRequest", "Fetch.fulfillRequest", "Fetch.failRequest", "Fetch.continueResponse",
    ]

    /// - Parameter completion: gets nil where the browser refuses, or cannot answer.
    func post(_ method: String, _ params: JSON = [:], _ completion: (@MainActor (JSON?) -> Void)? = nil) {
        let isHeard = isAlive && (!isCrashed || Self.revivals.contains(method))
        guard let completion else {
            if isHeard { connection.post(method, params, session: session) }
            return
        }
        guard isHeard else { return DispatchQueue.main.async { MainActor.assumeIsolated { completion(nil) } } }
        connection.post(method, params, session: session) { result in
            DispatchQueue.main.async { MainActor.assumeIsolated { completion(try? result.get()) } }
        }
    }

    /// Asks something that the next events have to wait for.
    func ask(_ method: String, _ answer: @escaping @MainActor (JSON?) -> Void) {
        isAsking = true
        post(method) { [weak self] result in
            guard let self, self.isAlive else { return }
            self.isAsking = false
            answer(result)
            self.drain()
        }
    }

    private func take(_ message: DevToolsMessage) {
        switch message {
        case .event(let method, let params):
            inbox.append((method, params))
            drain()
        case .ended(let failure): browserDidEnd(failure.description)
        }
    }

    private func drain() {
        while !isAsking, isAlive, !inbox.isEmpty {
            let (method, params) = inbox.removeFirst()
            react(to: method, params)
        }
        if !isAlive { inbox = [] }
        if !isAsking { goOn() }
    }

    /// Returns when what was told so far has been reacted to.
    func caughtUp() async {
        guard isAsking, isAlive else { return }
        await withCheckedContinuation { behindInbox.append($0) }
    }

    func goOn() {
        let waiting = behindInbox
        behindInbox = []
        for continuation in waiting { continuation.resume() }
    }
}

extension URL {
    /// `about:blank`.
    static let blank = URL(string: "about:blank") ?? URL(filePath: "/")
}
