internal import BridgeDevTools
internal import BridgeJSON
internal import Dispatch
public import PageEngines
public import PageModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A page in a headless browser of Chromium's family, driven over the DevTools protocol.
@MainActor
public final class ChromiumWebView: BackingWebView {
    /// Chromium keeps so many entries.
    private static let historyLimit = 50

    /// See `BackingWebView.navigationDelegate`.
    public weak var navigationDelegate: (any BackingNavigationDelegate)?
    /// See `BackingWebView.uiDelegate`.
    public weak var uiDelegate: (any BackingUIDelegate)?

    let connection: DevToolsConnection
    let session: String
    let target: String
    private let context: String
    private let browser: ChromiumBrowser

    let observed = ObservedState()
    var history = BackForwardHistory(limit: historyLimit)
    /// Numbers documents: entries of one document are gone to without a load.
    var document = 0
    var load: ChromiumLoad?
    var committedURL: URL?
    /// What a page's own navigation says of itself before it begins.
    var requestedType = WebPageNavigationAction.NavigationType.other
    /// A document or a state of which the reporter has not yet told what it is.
    var unreported: Unreported?
    /// Where the reporter's list was.
    var entryIndex: Int?
    var contexts: [ScriptContext: Int] = [:]
    var frames: [String: WebPageFrameInfo] = [:]
    /// Events that wait until something has been asked of the browser.
    private var inbox: [(method: String, params: JSON)] = []
    private var isAsking = false
    /// Whether an item of the same document is being gone to.
    var isTraversing = false
    private(set) var whyDead: WebPageError?

    enum Unreported {
        case document(url: URL)
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

    isolated deinit { if whyDead == nil { letGo() } }

    func prepare() async throws {
        let documents: JSON = [
            ["resourceType": "Document", "requestStage": "Request"],
            ["resourceType": "Document", "requestStage": "Response"],
        ]
        post("Page.enable")
        post("Network.enable")
        post("Runtime.enable")
        post("Fetch.enable", ["patterns": documents])
        post("Runtime.addBinding", ["name": JSON(PageReporter.binding), "executionContextName": JSON(PageReporter.world)])
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

    var mainFrame: WebPageFrameInfo {
        WebPageFrameInfo(id: target, isMainFrame: true, request: WebPageRequest(committedURL ?? .blank))
    }

    /// See `BackingWebView.close()`.
    public func close() {
        guard whyDead == nil else { return }
        end(.pageClosed("it was closed by the app"))
        letGo()
    }

    private func letGo() {
        connection.listen(to: session, nil)
        connection.post("Target.closeTarget", ["targetId": JSON(target)])
        connection.post("Target.disposeBrowserContext", ["browserContextId": JSON(context)])
        browser.forget(target)
    }

    private func end(_ error: WebPageError) {
        whyDead = error
        load = nil
        inbox = []
    }

    // MARK: The protocol

    func post(_ method: String, _ params: JSON = [:], _ completion: (@MainActor (JSON?) -> Void)? = nil) {
        guard let completion else { return connection.post(method, params, session: session) }
        connection.post(method, params, session: session) { result in
            DispatchQueue.main.async { MainActor.assumeIsolated { completion(try? result.get()) } }
        }
    }

    /// Asks something that the next events have to wait for.
    func ask(_ method: String, _ answer: @escaping @MainActor (JSON?) -> Void) {
        isAsking = true
        post(method) { [weak self] result in
            guard let self else { return }
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
        case .ended(let failure):
            guard whyDead == nil else { return }
            end(.pageClosed(failure.description))
            navigationDelegate?.didClose(failure.description)
        }
    }

    private func drain() {
        var next = inbox.startIndex
        while !isAsking, next < inbox.endIndex {
            let (method, params) = inbox[next]
            next += 1
            react(to: method, params)
        }
        inbox.removeSubrange(..<min(next, inbox.endIndex))
    }
}

extension URL {
    /// `about:blank`.
    static let blank = URL(string: "about:blank") ?? URL(filePath: "/")
}

/// Where a script runs.
struct ScriptContext: Hashable {
    let frame: String
    let world: WebPageContentWorld
}
