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
            if params["name"]?.string == PageReporter.binding { report(params) }
            return
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
            if isMain(params) { requestedType = navigationType(ofReason: params["reason"]?.string ?? "") }
        case "Page.frameStartedNavigating": if isMain(params) { didStart(params) }
        case "Fetch.requestPaused": didPause(params)
        case "Page.frameNavigated": frameDidNavigate(params["frame"] ?? .null)
        case "Page.navigatedWithinDocument":
            guard isMain(params), let url = url(params["url"]) else { return }
            unreported = .state(url: url, isFragment: params["navigationType"]?.string == "fragment")
        case "Network.loadingFailed":
            guard let load, !load.isCommitted, let loader = load.loader, params["requestId"]?.string == loader else { return }
            fail(load, load.failure ?? failure(params["errorText"]?.string ?? ""))
        case "Page.loadEventFired": didFinish()
        case "Page.javascriptDialogOpening": didOpenDialog(params)
        case "Page.windowOpen": didOpenWindow(params)
        case "Inspector.targetCrashed": didCrash()
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

    private func navigationType(ofReason reason: String) -> WebPageNavigationAction.NavigationType {
        switch reason {
        case "anchorClick": .linkActivated
        case "formSubmissionGet", "formSubmissionPost": .formSubmitted
        case "reload": .reload
        default: .other
        }
    }

    private func failure(_ text: String) -> WebPageError {
        text == "net::ERR_ABORTED" ? .cancelled : .network(text)
    }

    // MARK: Beginning

    private func didStart(_ params: JSON) {
        let type = params["navigationType"]?.string ?? ""
        if type == "historySameDocument" {
            isTraversing = true
            return
        }
        guard type != "sameDocument", let url = url(params["url"]), let loader = params["loaderId"]?.string else { return }
        if let load, load.hasStarted, load.loader == nil, !load.isOfPage {
            self.load?.loader = loader
            return
        }
        let target: ChromiumLoad.Target =
            switch type {
            case "reload", "reloadBypassingCache": .reload
            case "historyDifferentDocument", "restore", "restoreWithPost": .traversal
            default: .new
            }
        var load = ChromiumLoad(.next(), WebPageRequest(url), target)
        if case .new = target { load.type = requestedType }
        requestedType = .other
        load.loader = loader
        load.isOfPage = true
        let superseded = self.load
        self.load = load
        if let superseded, superseded.hasStarted, !superseded.isCommitted {
            navigationDelegate?.didReceive(.failedProvisional(superseded.navigation, .cancelled))
        }
    }

    // MARK: Commit

    private func frameDidNavigate(_ frame: JSON) {
        guard let url = url(JSON((frame["url"]?.string ?? "") + (frame["urlFragment"]?.string ?? ""))) else { return }
        let id = frame["id"]?.string ?? ""
        guard id == target else {
            frames[id] = WebPageFrameInfo(id: id, isMainFrame: false, request: WebPageRequest(url))
            return
        }
        frames = [:]
        // The empty document that every page begins with.
        guard load != nil || committedURL != nil || url != .blank else { return }
        unreported = .document(url: url)
    }

    private func report(_ params: JSON) {
        guard let text = params["payload"]?.string, let word = try? JSON(parsing: Array(text.utf8)) else { return }
        settle(word)
        if let title = word["title"]?.string { didChange(title: title) }
    }

    /// Takes what has happened as what the reporter calls it, or as what it looks like.
    func settle(_ word: JSON?) {
        guard let happened = unreported else { return }
        switch happened {
        case .document(let url):
            unreported = nil
            didCommit(url, word?["document"]?.string)
        case .state(let url, let isFragment):
            unreported = nil
            let kind = word?["entry"]?.string ?? (isFragment && isTraversing ? "traverse" : "push")
            didChangeState(url, kind, isHash: word?["isHash"]?.bool ?? isFragment, index: word?["index"]?.int)
        }
    }

    /// - Parameter kind: how the document came to be, in the words of the Navigation API; nil where that is not known.
    private func didCommit(_ url: URL, _ kind: String?) {
        document += 1
        entryIndex = nil
        start()
        let load = load
        switch (load?.target, kind) {
        case (.reload, _), (_, "reload"):
            history.replace(url, document: document)
            finishCommit(url, .reload)
        case (.item(let item), _):
            _ = history.go(to: item)
            history.replace(url, document: document)
            finishCommit(url, .traversal)
        case (.traversal, _), (_, "traverse"):
            ask("Page.getNavigationHistory") { [self] result in
                let list = history.list
                let count = result?["entries"]?.array?.count ?? 0
                // The two lists end alike.
                let index = list.items.count - (count - (result?["currentIndex"]?.int ?? 0))
                if list.items.indices.contains(index) { _ = history.go(to: list.items[index]) }
                history.replace(url, document: document)
                finishCommit(url, .traversal)
            }
        case (_, "replace") where history.list.currentItem != nil && load?.isOfPage != false:
            history.replace(url, document: document)
            finishCommit(url, .replace)
        case (_, "replace") where history.list.currentItem != nil:
            // Chromium loads the same URL again in its item's place.
            history.replace(url, document: document)
            finishCommit(url, .reload)
        default:
            history.push(url, initialURL: load?.initialURL, document: document)
            finishCommit(url, .commit)
        }
    }

    private func finishCommit(_ url: URL, _ cause: WebPageURLChange.Cause) {
        load?.isCommitted = true
        committedURL = url
        observed.change { $0.estimatedProgress = 0.5 }
        observed.change {
            $0.url = url
            $0.title = ""
            $0.isLoading = true
            $0.backForwardList = history.list
            $0.hasOnlySecureContent = url.scheme == "https"
        }
        tell(url, cause)
        if let load { navigationDelegate?.didReceive(.committed(load.navigation)) }
    }

    private func didChangeState(_ url: URL, _ kind: String, isHash: Bool, index: Int?) {
        let cause: WebPageURLChange.Cause
        let before = entryIndex
        entryIndex = index
        switch kind {
        case "replace":
            history.replace(url, document: document)
            cause = .replace
        case "traverse":
            let offset = zip(index, before).map { $0 - $1 } ?? 0
            if let item = history.list[offset] { _ = history.go(to: item) }
            cause = .traversal
        default:
            history.push(url, document: document, title: observed.values.title)
            cause = isHash ? .hash : .push
        }
        committedURL = url
        observed.change {
            $0.url = url
            $0.backForwardList = history.list
        }
        tell(url, cause)
        guard isTraversing else { return }
        isTraversing = false
        if load == nil {
            observed.change { $0.isLoading = false }
            observed.change { $0.estimatedProgress = 1 }
        }
    }

    private func zip(_ one: Int?, _ other: Int?) -> (Int, Int)? {
        guard let one, let other else { return nil }
        return (one, other)
    }

    // MARK: End

    private func didFinish() {
        guard let load, load.isCommitted else { return }
        self.load = nil
        observed.change { $0.estimatedProgress = 1 }
        observed.change { $0.isLoading = false }
        navigationDelegate?.didReceive(.finished(load.navigation))
    }

    private func didChange(title: String) {
        history.setTitle(title)
        observed.change {
            $0.title = title
            $0.backForwardList = history.list
        }
    }

    private func didCrash() {
        load = nil
        contexts = [:]
        observed.change {
            $0.url = nil
            $0.isLoading = false
            $0.estimatedProgress = 0
        }
        navigationDelegate?.didReceive(.webContentProcessTerminated)
    }
}
