internal import BridgeJSON
internal import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// New documents, and new states of the one that is there.
extension ChromiumWebView {
    func frameDidNavigate(_ frame: JSON) {
        guard let url = url(JSON((frame["url"]?.string ?? "") + (frame["urlFragment"]?.string ?? ""))) else { return }
        let id = frame["id"]?.string ?? ""
        guard id == target else {
            frames[id] = WebPageFrameInfo(id: id, isMainFrame: false, request: WebPageRequest(url))
            return
        }
        frames = [:]
        wantedWindows = []
        openers = []
        // The empty document that every page begins with.
        guard load != nil || next != nil || committed != nil || url != .blank else { return }
        unreported = .document(url: url, loader: frame["loaderId"]?.string ?? "")
    }

    /// - Parameter kind: how the document came to be, in the words of the Navigation API; nil where that is not known.
    func didCommit(_ url: URL, _ loader: String, _ kind: String?) {
        // Of some nobody asks, such as the page's own way to an empty document.
        if next?.loader == loader { beginNext() }
        document += 1
        entryIndex = nil
        let load = load?.loader == loader ? load : nil
        if let load { start(load.navigation) }
        guard isAlive else { return }
        let isText = load?.html != nil && load?.request.url == .blank
        let url = isText ? .blank : url
        switch (load?.target, kind) {
        case (.reload, _), (_, "reload"):
            replace(with: url)
            finishCommit(load, url, .reload)
        case (.item(let item), _):
            history.go(to: item)
            replace(with: url)
            finishCommit(load, url, .traversal)
        case (.traversal, _), (_, "traverse"):
            askWhere {
                $0.replace(with: url)
                $0.finishCommit(load, url, .traversal)
            }
        case (_, "replace") where history.list.currentItem != nil && load?.isOfPage != false:
            history.replace(url, document: document)
            finishCommit(load, url, .replace)
        case (_, "replace") where history.list.currentItem != nil:
            // Chromium loads the same URL again in its item's place.
            history.replace(url, document: document)
            finishCommit(load, url, .reload)
        default:
            if isText {
                history.pushHidden()
            } else {
                history.push(url, initialURL: load?.initialURL, document: document)
            }
            finishCommit(load, url, .commit)
        }
    }

    private func replace(with url: URL) {
        if history.isShown { history.replace(url, document: document) }
    }

    /// - Parameter load: nil where it is of a load that another has taken the place of already.
    private func finishCommit(_ load: ChromiumLoad?, _ url: URL, _ cause: WebPageURLChange.Cause) {
        let document = document
        committed = load.map { $0.html == nil ? $0.request : WebPageRequest(url) } ?? WebPageRequest(url)
        committed?.url = url
        if let load {
            change(load) { $0.estimatedProgress = 0.5 }
            if isGoingOn(load.navigation) {
                self.load?.isCommitted = true
                self.load?.hasToldURL = false
            }
        }
        tell(url, cause)
        observed.change {
            guard document == self.document, isThere else { return }
            $0.backForwardList = history.list
            $0.title = ""
            $0.hasOnlySecureContent = url.scheme?.lowercased() == "https"
            // What this side is loading is shown until it commits.
            if self.load?.hasToldURL != true { $0.url = url }
            if let load, isGoingOn(load.navigation) { $0.isLoading = true }
        }
        if let load, isGoingOn(load.navigation) { navigationDelegate?.didReceive(.committed(load.navigation)) }
    }

    /// The browser knows where in its list the page is.
    private func askWhere(_ then: @escaping @MainActor (ChromiumWebView) -> Void) {
        ask("Page.getNavigationHistory") { [weak self] result in
            guard let self else { return }
            if let result {
                self.history.go(
                    toEntry: result["currentIndex"]?.int ?? 0, of: result["entries"]?.array?.count ?? 0)
            }
            then(self)
        }
    }

    // MARK: States

    func didChangeState(_ url: URL, _ kind: String, isHash: Bool, index: Int?) {
        let before = entryIndex
        entryIndex = index
        switch kind {
        case "replace":
            history.replace(url, document: document)
            stay(at: url, .replace)
        case "traverse":
            // In one turn with others the browser's word would come too late; it is needed where frames count too.
            guard !history.hasFrameEntries, let index, let item = item(from: before, to: index) else {
                return askWhere { $0.stay(at: url, .traversal) }
            }
            history.go(to: item)
            stay(at: url, .traversal)
        default:
            history.push(url, document: document, title: observed.values.title)
            stay(at: url, isHash ? .hash : .push)
        }
    }

    private func item(from before: Int?, to index: Int) -> WebPageBackForwardList.Item? {
        before.flatMap { history.list[index - $0] }
    }

    private func stay(at url: URL, _ cause: WebPageURLChange.Cause) {
        committed?.url = url
        tell(url, cause)
        observed.change {
            guard isThere else { return }
            if load?.hasToldURL != true || load?.isFragment == true { $0.url = committedURL }
            $0.backForwardList = history.list
        }
        guard let load, load.isFragment else { return }
        self.load = nil
        changeIfIdle { $0.isLoading = false }
        changeIfIdle { $0.estimatedProgress = 1 }
    }

    /// A frame in the page has gone elsewhere: the page's URL stays, and one can go back.
    func frameDidMove(_ kind: String) {
        guard isThere else { return }
        switch kind {
        case "push":
            history.pushFrame(document: document)
            observed.change { $0.backForwardList = history.list }
        case "traverse":
            askWhere { page in page.observed.change { $0.backForwardList = page.history.list } }
        default: break
        }
    }
}
