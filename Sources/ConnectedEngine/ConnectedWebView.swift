internal import BridgeJSON
internal import BridgeWire
public import Bridgehead
public import PageEngines
internal import PageModel
internal import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A page in a browser that this side has not started: any that runs a page with the client. It is the client's word that is
/// known here, and the page itself that carries out what it is asked; so there is no more than a page may do.
///
/// | it cannot | because | it does instead |
/// |---|---|---|
/// | run scripts in a world of their own | scripts that a page loads all run in its own | throws `unsupported` |
/// | run scripts in a frame | each frame is a document that its page's script may not reach | throws `unsupported` |
/// | evaluate in a page without `data-allow-evaluate`, or whose policy forbids it | the page decides | throws `unsupported` |
/// | load a document from its text | what a page writes over itself takes its client away | the load fails with `unsupported` |
/// | keep for the next script what one declares with `let`, `const` or `class` | an indirect `eval` keeps it to itself | it is gone; `var` and functions stay |
/// | load with a method, fields or a body | a page navigates by URL alone | the load fails with `unsupported` |
/// | load what is not http or https | browsers let no page do it | the load fails with `cannotShowURL` |
/// | reload from the origin | a page may not pass its browser's cache over | the load fails with `unsupported` |
/// | add user scripts | a document's own script is the first of it that is known here | throws `unsupported` |
/// | have message handlers in a world | there is but the page's | throws `unsupported` |
/// | decide about what the page itself loads, or about responses | nobody is asked | only this side's loads ask the handler |
/// | tell that the page itself has begun a load, or of redirects | the old document is not told | both are told with the commit |
/// | tell why a load comes to nothing (no server, 204) | no page is told, and an error page has no client | the load times out, or the page closes |
/// | show dialogs or decide about windows | the browser does it | the UI handler is not asked (on a phone it is) |
/// | know what was in the list before | a page is not told | the list begins with the document that connected (on a phone with what its origin's part of the list holds) |
/// | keep overlays from the page's own scripts | the client that draws them is one | a page could remove them, or tell their events |
/// | follow the page's own link to another origin | storage is the origin's, and so is the tab's id | that document is another page (on a phone the same) |
///
/// A page is on a phone when its window has the name that the phone shell gives its frame (PROTOCOL.md, section 7).
///
/// A message to a handler is posted when its page is connected. Handlers are there when the greeting is answered, and from
/// then on come and go at once; a page that posts before names them in `data-handlers`. With a handler named `bridge` the
/// events that the page posts or requests go there and not to the server's bridge; the client gives an event without
/// `requestId` one.
///
/// While the connection is lost the page may be there still: scripts and loads fail with
/// `network("net::ERR_CONNECTION_CLOSED")`, and can be tried again when it is back. A page that does not come back is closed.
/// A task that is cancelled no longer waits for its script, which goes on in the page.
@MainActor
public final class ConnectedWebView: BackingWebView {
    /// Whether the page can be asked now.
    public enum Connection: Hashable, Sendable {
        case connected
        /// Its document has gone; the next one has not connected.
        case betweenDocuments
        /// The page may be there still, and then comes back with all that it was.
        case lost
        /// Nothing comes of it any more.
        case closed
    }

    /// See `BackingWebView.navigationDelegate`.
    public weak var navigationDelegate: (any BackingNavigationDelegate)?
    /// See `BackingWebView.uiDelegate`.
    public weak var uiDelegate: (any BackingUIDelegate)?
    /// Whether the page can be asked now. What is asked while it cannot fails at once, but a load, which waits for the next
    /// document or the same one again.
    public internal(set) var connection = Connection.connected {
        didSet { if connection != oldValue { connectionDidChange?() } }
    }
    /// The document as its bridge knows it, for events to it; nil while it is not connected.
    public var bridgePage: BridgePage? { session?.page }
    package var connectionDidChange: (@MainActor () -> Void)?

    let tab: ConnectedTab
    let table: TabTable
    let observed = ObservedState()
    var history = BackForwardHistory()
    /// Numbers documents: entries of one document are gone to without a load.
    var document = 0
    /// The numbers of those that have been there: a browser may show one again as it was.
    var documents: [String: Int] = [:]
    var documentID = ""
    /// A document that has greeted, and not told where it is.
    var arriving: PageGreeting?
    var load: ConnectedLoad?
    /// The URLs of loads of this side that another has taken the place of: their documents may still come.
    var superseded: Set<URL> = []
    var committedURL: URL?
    /// Where the page's own list was.
    var entryIndex: Int?
    /// Whether an item of the same document is being gone to.
    var isTraversing = false
    var session: ConnectedSession?
    var receivers: [String: @MainActor (WebPageScriptMessage, MessageReply) -> Void] = [:]
    weak var overlays: ConnectedOverlays?
    private let patience: Duration
    private var waiting: Task<Void, Never>?
    /// For the document of a load of this side.
    private var waitingForLoad: Task<Void, Never>?
    private(set) var whyDead: WebPageError?

    /// Loads a document into the frame of the phone's shell, where no page is connected that could be asked to. A page on a
    /// phone does not end by itself: it may be followed by others for as long as there is a frame.
    package var loadFrame: (@MainActor (URL) -> Void)?

    /// The phone has another frame now, in which nothing was shown before.
    package func frameWasReplaced() {
        history.removeAll()
        observed.change { $0.backForwardList = history.list }
    }

    init(_ tab: ConnectedTab, _ table: TabTable, _ patience: Duration) {
        self.tab = tab
        self.table = table
        self.patience = patience
        if tab.phone != nil { connection = .betweenDocuments }
    }

    isolated deinit { letGo() }

    /// See `BackingWebView.state`.
    public var state: BackingState { observed.values }

    /// See `BackingWebView.observe(_:_:)`.
    public func observe(
        _ property: BackingProperty, _ notice: @escaping @MainActor (BackingNotice) -> Void
    ) -> BackingObservation {
        observed.observe(property, notice)
    }

    var mainFrame: WebPageFrameInfo {
        WebPageFrameInfo(id: "main", isMainFrame: true, request: WebPageRequest(committedURL ?? .blank))
    }

    /// Lets the page go; a page cannot be closed from here.
    public func close() {
        guard whyDead == nil else { return }
        end(.pageClosed("it was closed by the app"))
    }

    private func end(_ error: WebPageError) {
        whyDead = error
        connection = .closed
        load = nil
        letGo()
        failScripts(error)
        observed.change {
            $0.url = committedURL
            $0.isLoading = false
        }
    }

    private func letGo() {
        waiting?.cancel()
        waitingForLoad?.cancel()
        table.forget(tab)
        receivers = [:]
        tab.messageHandlers.withLock { $0 = [] }
        session?.page.followerDidChange()
        session = nil
    }

    // MARK: Connections

    func didConnect(_ session: ConnectedSession) {
        guard whyDead == nil else { return }
        waiting?.cancel()
        if let old = self.session, old.greeting.document != session.greeting.document { failScripts(.unreachable) }
        self.session = session
        connection = .connected
        if session.greeting.document == documentID {
            didReturn(session.greeting)
        } else {
            documentID = session.greeting.document
            arriving = session.greeting
        }
    }

    func didEnd(_ session: ConnectedSession, _ reason: BridgeSession.EndReason) {
        guard session === self.session else { return }
        self.session = nil
        // What has not told where it is will do so when it comes back.
        if arriving != nil { documentID = "" }
        arriving = nil
        isTraversing = false
        let isGone = reason == .documentGone
        connection = isGone ? .betweenDocuments : .lost
        failScripts(isGone ? .unreachable : Self.lost)
        // What this side asked for may be what took the document away.
        if let load, !isGone || load.isCommitted {
            fail(load, isGone ? .cancelled : Self.lost)
        } else if load == nil {
            observed.change { $0.isLoading = false }
        }
        wait(
            isGone
                ? "its document has gone, and none with the client has taken its place"
                : "its connection was lost and has not come back")
    }

    /// `NSURLErrorNetworkConnectionLost`: the page itself may be there still.
    static let lost = WebPageError.network("net::ERR_CONNECTION_CLOSED")

    private func wait(_ reason: String) {
        waiting?.cancel()
        waiting = Task { [weak self, patience] in
            do { try await Task.sleep(for: patience) } catch { return }
            self?.patienceDidEnd(reason)
        }
    }

    /// A page is not told that its load came to nothing.
    func wait(for navigation: WebPageNavigation) {
        waitingForLoad?.cancel()
        waitingForLoad = Task { [weak self, patience] in
            do { try await Task.sleep(for: patience) } catch { return }
            self?.loadDidTimeOut(navigation)
        }
    }

    func stopWaitingForLoad() { waitingForLoad?.cancel() }

    private func loadDidTimeOut(_ navigation: WebPageNavigation) {
        guard let load, load.navigation == navigation, !load.isCommitted, session != nil || tab.phone != nil else {
            return
        }
        superseded.insert(load.url)
        session?.page.ask("$/page.stop") { _ in }
        fail(load, .network("net::ERR_TIMED_OUT"))
    }

    private func patienceDidEnd(_ reason: String) {
        guard whyDead == nil, session == nil else { return }
        if let load { fail(load, .pageClosed(reason)) }
        guard whyDead == nil, tab.phone == nil else { return }
        end(.pageClosed(reason))
        navigationDelegate?.didClose(reason)
    }

    // MARK: Scripts that wait

    /// What fails what is awaited of the page, by number.
    var scripts: [UInt64: @MainActor (any Error) -> Void] = [:]
    var lastScript: UInt64 = 0

    func failScripts(_ error: WebPageError) {
        let failing = scripts.sorted { $0.key < $1.key }
        scripts = [:]
        for (_, fail) in failing { fail(error) }
    }
}

extension URL {
    /// `about:blank`.
    static let blank = URL(string: "about:blank") ?? URL(filePath: "/")
}
