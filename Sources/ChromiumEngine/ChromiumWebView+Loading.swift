internal import BridgeJSON
internal import PageEngines
public import PageModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Loads that this side asks for: shown at once, decided upon, then asked of the browser.
extension ChromiumWebView {
    /// What Chromium takes for a URL, less what a document from its text adds to it.
    private static let longestDocument = 1_500_000

    /// See `BackingWebView.load(_:as:)`.
    public func load(_ request: WebPageRequest, as navigation: WebPageNavigation) {
        guard isAlive else { return }
        var load = ChromiumLoad(navigation, request, .new)
        load.isFragment = isFragment(request)
        begin(load) { $0.ask(for: $1) }
    }

    /// See `BackingWebView.load(html:baseURL:as:)`.
    ///
    /// Without a base URL the document is a `data:` one to its own scripts. With one, which is http's or https's, it is what
    /// a server there might have sent; the server is not asked.
    public func load(html: String, baseURL: URL?, as navigation: WebPageNavigation) {
        guard isAlive else { return }
        var load = ChromiumLoad(navigation, WebPageRequest(baseURL ?? .blank), .new)
        load.html = html
        begin(load) { $0.ask(forDocument: html, baseURL, $1) }
    }

    /// See `BackingWebView.reload(fromOrigin:as:)`.
    public func reload(fromOrigin: Bool, as navigation: WebPageNavigation) -> Bool {
        guard isAlive, let committed else { return false }
        begin(ChromiumLoad(navigation, committed, .reload)) {
            $0.ask($1, "Page.reload", ["ignoreCache": JSON.bool(fromOrigin)])
        }
        return true
    }

    /// See `BackingWebView.go(to:as:)`.
    public func go(to item: WebPageBackForwardList.Item, as navigation: WebPageNavigation) -> Bool {
        guard isAlive, let document = history.document(of: item), history.offset(to: item) != nil else { return false }
        if document == self.document, isThere, history.isShown {
            traverse(to: item)
        } else {
            begin(ChromiumLoad(navigation, WebPageRequest(item.url), .item(item))) { $0.traverse($1) }
        }
        return true
    }

    /// See `BackingWebView.stopLoading()`.
    public func stopLoading() {
        guard isAlive else { return }
        stopBrowser()
        giveUp(.cancelled)
    }

    /// Nothing of what has begun may commit any more.
    func stopBrowser() {
        next = nil
        post("Page.stopLoading")
    }

    // MARK: Steps

    /// - Parameter ask: once it is allowed.
    private func begin(_ load: ChromiumLoad, _ ask: @escaping @MainActor (ChromiumWebView, ChromiumLoad) -> Void) {
        let superseded = self.load
        if superseded != nil || next != nil { stopBrowser() }
        self.load = load
        show(load, load.provisionalCause)
        if let superseded { fail(superseded, .cancelled) }
        guard isGoingOn(load.navigation) else { return }
        let action = WebPageNavigationAction(
            request: load.request, navigationType: load.type, targetFrame: mainFrame)
        let decide = { @MainActor [weak self] (policy: WebPageNavigationPolicy) in
            guard let self, self.isGoingOn(load.navigation) else { return }
            guard policy == .allow else { return self.giveUp(nil) }
            // Whether it is a navigation is known when the browser begins.
            if !load.isFragment { self.start(load.navigation) }
            if self.isGoingOn(load.navigation) { ask(self, load) }
        }
        if let navigationDelegate { navigationDelegate.decidePolicy(for: action, decide) } else { decide(.allow) }
    }

    private func ask(for load: ChromiumLoad) {
        guard Self.canLoad(load.request.url) else { return giveUp(.cannotShowURL) }
        ask(load, "Page.navigate", ["url": JSON(load.request.url.absoluteString)])
    }

    private func ask(forDocument html: String, _ baseURL: URL?, _ load: ChromiumLoad) {
        if let baseURL, baseURL != .blank {
            guard ["http", "https"].contains(baseURL.scheme?.lowercased()) else {
                return giveUp(.unsupported("a base URL of \(baseURL.scheme ?? "no scheme"); http and https are"))
            }
            // With its fragment it might be where one is already, and nothing would be loaded.
            let address = String(baseURL.absoluteString.prefix { $0 != "#" })
            return ask(load, "Page.navigate", ["url": JSON(address)])
        }
        let text = Data(html.utf8).base64EncodedString()
        guard text.utf8.count <= Self.longestDocument else {
            return giveUp(.unsupported("a document as long as this without a base URL; with one it is"))
        }
        ask(load, "Page.navigate", ["url": JSON("data:text/html;charset=utf-8;base64,\(text)")])
    }

    private func ask(_ load: ChromiumLoad, _ method: String, _ params: JSON) {
        let url = params["url"]?.string ?? load.request.url.absoluteString
        asked.append((load.navigation, withoutFragment(url)))
        post(method, params) { [weak self] result in
            self?.asked.removeAll { $0.navigation == load.navigation }
            // What has begun tells of its end by events.
            guard let self, let now = self.load, now.navigation == load.navigation, now.loader == nil,
                let text = result.map({ $0["errorText"]?.string }) ?? "the browser refused it"
            else { return }
            self.giveUp(.network(text))
        }
    }

    /// To an item of another document.
    private func traverse(_ load: ChromiumLoad) {
        goToEntry(for: load) { page in if page.isGoingOn(load.navigation) { page.giveUp(.cancelled) } }
    }

    /// To an item of the same document: nobody is asked.
    private func traverse(to item: WebPageBackForwardList.Item) {
        var load = ChromiumLoad(.next(), WebPageRequest(item.url), .item(item))
        load.isFragment = true
        let superseded = self.load
        if superseded != nil || next != nil { stopBrowser() }
        giveUp(.cancelled)
        guard isAlive, self.load == nil else { return }
        self.load = load
        show(load, nil)
        guard isGoingOn(load.navigation) else { return }
        goToEntry(for: load) { page in if page.isGoingOn(load.navigation) { page.giveUp(nil) } }
    }

    private func goToEntry(for load: ChromiumLoad, otherwise: @escaping @MainActor (ChromiumWebView) -> Void) {
        guard case .item(let item) = load.target else { return }
        post("Page.getNavigationHistory") { [weak self] result in
            guard let self, self.isGoingOn(load.navigation) else { return }
            let entries = result?["entries"]?.array ?? []
            guard let offset = self.history.offset(to: item) else { return otherwise(self) }
            let index = (result?["currentIndex"]?.int ?? 0) + offset
            guard entries.indices.contains(index), let id = entries[index]["id"] else { return otherwise(self) }
            self.post("Page.navigateToHistoryEntry", ["entryId": id]) { [weak self] result in
                if result == nil, let self { otherwise(self) }
            }
        }
    }

    /// Schemes that a document can come by.
    static func canLoad(_ url: URL) -> Bool {
        ["http", "https", "about", "data", "blob", "file"].contains(url.scheme?.lowercased() ?? "")
    }

    private func isFragment(_ request: WebPageRequest) -> Bool {
        guard isThere, history.isShown, let committedURL, request.url.fragment != nil, request.method == "GET" else {
            return false
        }
        return request.url.absoluteString.prefix { $0 != "#" } == committedURL.absoluteString.prefix { $0 != "#" }
    }
}
