internal import BridgeJSON
internal import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// What the browser tells, in order.
extension ChromiumWebView {
    func react(to method: String, _ params: JSON) {
        switch method {
        case "Runtime.bindingCalled":
            return params["name"]?.string == PageReporter.binding ? report(params) : didPost(params)
        case "Runtime.executionContextCreated": return contextDidBegin(params["context"] ?? .null)
        case "Runtime.executionContextDestroyed": return contextDidEnd(params["executionContextId"]?.int)
        case "Runtime.executionContextsCleared":
            contexts = [:]
            return
        default: break
        }
        // The reporter's word comes before anything else of the page, or not at all.
        if Self.milestones.contains(method) { settle(nil) }
        switch method {
        case "Page.frameRequestedNavigation":
            guard isMain(params), let url = url(params["url"]) else { return }
            wanted = nil
            requested = Requested(url: url, reason: params["reason"]?.string ?? "")
        case "Page.frameScheduledNavigation":
            guard isMain(params), let url = url(params["url"]) else { return }
            wanted = Requested(url: url, reason: params["reason"]?.string ?? "")
        case "Page.frameClearedScheduledNavigation": if isMain(params) { didGiveUpWanted() }
        case "Page.frameStartedNavigating": if isMain(params) { didStart(params) }
        case "Fetch.requestPaused": didPause(params)
        case "Page.frameNavigated":
            if params["type"]?.string == "BackForwardCacheRestore" { documentsDidReturn() }
            frameDidNavigate(params["frame"] ?? .null)
        case "Page.frameDetached": if let frame = params["frameId"]?.string { frames[frame] = nil }
        case "Page.navigatedWithinDocument":
            guard isMain(params), let url = url(params["url"]) else { return }
            unreported = .state(url: url, isFragment: params["navigationType"]?.string == "fragment")
        case "Network.loadingFailed": didFail(params)
        case "Page.loadEventFired": didFinish()
        case "Page.javascriptDialogOpening": didOpenDialog(params)
        case "Page.windowOpen":
            wantedWindows.append(params)
            openWindows()
        case "Inspector.targetCrashed": didCrash()
        case "Inspector.targetReloadedAfterCrash": didRevive()
        default: break
        }
    }

    /// Before which what has happened is settled.
    private static let milestones: Set<String> = [
        "Page.frameRequestedNavigation", "Page.frameStartedNavigating", "Page.frameNavigated",
        "Page.navigatedWithinDocument", "Page.loadEventFired", "Inspector.targetCrashed",
    ]

    private func isMain(_ params: JSON) -> Bool { params["frameId"]?.string == target }

    func url(_ json: JSON?) -> URL? { json?.string.flatMap { URL(string: $0) } }

    private func report(_ params: JSON) {
        guard let text = params["payload"]?.string, let word = try? JSON(parsing: Array(text.utf8)) else { return }
        if let kind = word["frame"]?.string { return frameDidMove(kind) }
        settle(word)
        if let title = word["title"]?.string { didChange(title: title) }
    }

    /// Takes what has happened as what the reporter calls it, or as what it looks like.
    func settle(_ word: JSON?) {
        guard let happened = unreported else { return }
        unreported = nil
        switch happened {
        case .document(let url, let loader): didCommit(url, loader, word?["document"]?.string)
        case .state(let url, let isFragment):
            let kind = word?["entry"]?.string ?? (isFragment && load?.isFragment == true ? "traverse" : "push")
            didChangeState(url, kind, isHash: word?["isHash"]?.bool ?? isFragment, index: word?["index"]?.int)
        }
    }

    // MARK: Beginning

    private func didStart(_ params: JSON) {
        let kind = params["navigationType"]?.string ?? ""
        let request = requested
        requested = nil
        guard let url = url(params["url"]), let loader = params["loaderId"]?.string else { return }
        let isOfPage = request?.url == url
        if let load, !load.isOfPage, load.loader == nil, load.hasStarted || load.isFragment, !isOfPage {
            guard kind != "sameDocument", kind != "historySameDocument" else { return }
            guard !isOfPast(url, load) else { return }
            self.load?.loader = loader
            // What was a fragment's document has gone meanwhile.
            self.load?.isFragment = false
            return start(load.navigation)
        }
        guard kind != "sameDocument", kind != "historySameDocument" else { return }
        let target: ChromiumLoad.Target =
            switch kind {
            case "reload", "reloadBypassingCache": .reload
            case "historyDifferentDocument", "restore", "restoreWithPost": .traversal
            default: .new
            }
        var load = ChromiumLoad(.next(), WebPageRequest(url), target)
        if case .new = target { load.type = navigationType(ofReason: request?.reason ?? "") }
        load.loader = loader
        load.isOfPage = true
        if let load = self.load, load.isCommitted, request.map({ Self.redirections.contains($0.reason) }) == true {
            // WebKit begins such a load when the document that asks for it is there; here that has no other end.
            finish(load)
        }
        if isAlive { next = load }
    }

    /// Whether the browser begins what it was asked for before another load took its place here.
    private func isOfPast(_ url: URL, _ load: ChromiumLoad) -> Bool {
        let url = withoutFragment(url.absoluteString)
        guard let index = asked.firstIndex(where: { $0.url == url }) else { return false }
        let navigation = asked[index].navigation
        asked.removeSubrange(...index)
        return navigation != load.navigation
    }

    func withoutFragment(_ url: String) -> Substring { url.prefix { $0 != "#" } }

    /// Reasons that are the document's own.
    private static let redirections: Set<String> = ["scriptInitiated", "metaTagRefresh", "httpHeaderRefresh", "other"]

    func navigationType(ofReason reason: String) -> WebPageNavigationAction.NavigationType {
        switch reason {
        case "anchorClick": .linkActivated
        case "formSubmissionGet", "formSubmissionPost": .formSubmitted
        case "reload": .reload
        default: .other
        }
    }

    /// The page's own load takes the place of another that is going on.
    func beginNext() {
        guard let next else { return }
        let superseded = load
        load = next
        self.next = nil
        guard let superseded else { return }
        takeURLBack(superseded) { isGoingOn(next.navigation) }
        fail(superseded, .cancelled)
    }

    // MARK: End

    private func didFail(_ params: JSON) {
        let loader = params["requestId"]?.string
        if let next, loader == next.loader {
            self.next = nil
            if !Self.canLoad(next.request.url) { refuse(next) }
        }
        guard let load, let own = load.loader, loader == own else { return }
        let text = params["errorText"]?.string ?? ""
        let error = load.failure ?? (text == "net::ERR_ABORTED" ? .cancelled : .network(text))
        if load.isCommitted { change(load) { $0.estimatedProgress = 1 } }
        if isGoingOn(load.navigation) { giveUp(error) }
    }

    private func didFinish() {
        if let load, load.isCommitted { finish(load) }
    }

    private func finish(_ load: ChromiumLoad) {
        change(load) { $0.estimatedProgress = 1 }
        guard isGoingOn(load.navigation) else { return }
        self.load = nil
        changeIfIdle { $0.isLoading = false }
        navigationDelegate?.didReceive(.finished(load.navigation))
    }

    private func didChange(title: String) {
        history.setTitle(title)
        observed.change {
            $0.title = title
            $0.backForwardList = history.list
        }
    }
}
