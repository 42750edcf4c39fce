internal import BridgeJSON
internal import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// What the page tells, in order.
extension ConnectedWebView {
    func didTell(_ name: String, _ payload: JSON, _ session: ConnectedSession) {
        guard session === self.session else { return }
        if name == "$/page.overlays" { return overlays?.pageDidTell(payload) ?? () }
        if name == "$/page.dialog" { return show(.alert, payload["message"]?.string ?? "") { _ in } }
        guard let url = payload["url"]?.string.flatMap({ URL(string: $0) }) else { return }
        switch name {
        case "$/page.url":
            didMove(to: url, payload["cause"]?.string ?? "", payload["index"]?.int, payload["isHash"]?.bool ?? false)
        case "$/page.window":
            didAskForWindow(url, payload["hasUserGesture"]?.bool ?? false)
        default:
            arrive(at: url)
            didChangeState(payload)
        }
    }

    /// The same document, after a lost connection: what has happened meanwhile is known by where it is now.
    func didReturn(_ greeting: PageGreeting) {
        if let url = URL(string: greeting.url), url != committedURL {
            let before = entryIndex, index = greeting.index
            let kind =
                if let before, let index { index > before ? "push" : index < before ? "traverse" : "replace" } else {
                    "push"
                }
            didChangeEntry(url, kind, index, isHash: false)
        }
        if let load, load.waitsForDocument { ask(load) }
        overlays?.receive?(.outdated)
    }

    private func didMove(to url: URL, _ cause: String, _ index: Int?, _ isHash: Bool) {
        if let greeting = arriving, cause == "load" || documents[greeting.document] != nil {
            arriving = nil
            return didCommit(greeting, url, index)
        }
        arrive(at: arriving.flatMap { URL(string: $0.url) } ?? url)
        if cause != "load" { didChangeEntry(url, cause, index, isHash: isHash) }
    }

    /// Of a document that has not told where it began.
    private func arrive(at url: URL) {
        guard let greeting = arriving else { return }
        arriving = nil
        didCommit(greeting, url, greeting.index)
    }

    // MARK: Another document

    private func didCommit(_ greeting: PageGreeting, _ url: URL, _ index: Int?) {
        let wasThere = documents[greeting.document]
        document = wasThere ?? (documents.values.max() ?? 0) + 1
        // A page may load itself for ever.
        if documents.count > 1_000 { documents = [:] }
        documents[greeting.document] = document
        let kind = wasThere == nil ? greeting.navigationType : "traverse"
        let origin = committedURL.map(WebPageSecurityOrigin.init)
        let before = origin == WebPageSecurityOrigin(url) ? entryIndex : nil
        entryIndex = index

        let own = load
        // A document of the page's own, before this side's load could be asked for, or of one that this has taken the place of.
        let isLate =
            own.map { !$0.isCommitted && $0.url != url && ($0.waitsForDocument || superseded.contains(url)) } ?? false
        superseded.remove(url)
        if isLate || own == nil || own?.isCommitted == true { beginOfPage(url) }
        guard let load else { return }
        stopWaitingForLoad()
        let cause = seed(greeting, url) ?? enter(url, kind, load, before, index)
        self.load?.isCommitted = true
        committedURL = url
        if !isLate { superseded = [] }
        observed.change { $0.estimatedProgress = 0.5 }
        observed.change {
            $0.url = url
            $0.title = ""
            $0.isLoading = true
            $0.backForwardList = history.list
            $0.hasOnlySecureContent = url.scheme == "https"
        }
        tell(url, cause)
        navigationDelegate?.didReceive(.committed(load.navigation))
        if isLate, let own, let late = self.load, late.navigation == load.navigation {
            self.load = own
            observed.change { $0.url = own.url }
            tellEnd(of: late, .cancelled)
            if let load = self.load, load.navigation == own.navigation { ask(load) }
        } else if let load = self.load, load.waitsForDocument, !load.isCommitted {
            ask(load)
        }
    }

    /// Nobody was told of it before.
    private func beginOfPage(_ url: URL) {
        var load = ConnectedLoad(.next(), url, .new)
        load.isOfPage = true
        self.load = load
        observed.change {
            $0.isLoading = true
            $0.estimatedProgress = 0.1
        }
        start()
    }

    /// A page that has been elsewhere before this side knew it says where.
    ///
    /// - Returns: nil where nothing is to be learned.
    private func seed(_ greeting: PageGreeting, _ url: URL) -> WebPageURLChange.Cause? {
        guard history.list.items.isEmpty, let (urls, index) = greeting.entries, urls.count > 1 else { return nil }
        // Which of them are of one document is not told; `didTraverse` sees it.
        for (offset, url) in urls.enumerated() { history.push(url, document: -1 - offset) }
        _ = history.go(to: history.list.items[index])
        history.replace(url, document: document)
        return .commit
    }

    private func enter(
        _ url: URL, _ kind: String?, _ load: ConnectedLoad, _ before: Int?, _ index: Int?
    ) -> WebPageURLChange.Cause {
        switch (load.target, kind) {
        case (.reload, _), (_, "reload"):
            history.replace(url, document: document)
            return .reload
        case (.item(let item), _) where history.go(to: item):
            history.replace(url, document: document)
            return .traversal
        case (_, "traverse") where history.list.currentItem != nil:
            traverse(to: url, before, index)
            history.replace(url, document: document)
            return .traversal
        case (_, "replace") where history.list.currentItem != nil:
            history.replace(url, document: document)
            // A load of the same URL takes its item's place.
            return load.isOfPage ? .replace : .reload
        default:
            history.push(url, initialURL: load.isOfPage ? nil : load.url, document: document)
            return .commit
        }
    }

    /// By the page's own list where it tells of it, else to the nearest item of that URL.
    private func traverse(to url: URL, _ before: Int?, _ index: Int?) {
        let list = history.list
        if let before, let index, let item = list[index - before], item.url == url {
            _ = history.go(to: item)
            return
        }
        let current = list.currentIndex ?? 0
        let nearest = list.items.indices.filter { list.items[$0].url == url }.min {
            abs($0 - current) < abs($1 - current)
        }
        if let nearest {
            _ = history.go(to: list.items[nearest])
        } else {
            history.removeAll()
            history.push(url, document: document)
        }
    }

    // MARK: The same document

    /// An item that was taken for another document's, and is of this.
    private func didTraverse(to item: WebPageBackForwardList.Item, _ load: ConnectedLoad) {
        self.load = nil
        stopWaitingForLoad()
        _ = history.go(to: item)
        history.replace(item.url, document: document)
        committedURL = item.url
        observed.change {
            $0.url = item.url
            $0.backForwardList = history.list
        }
        tell(item.url, .traversal)
        navigationDelegate?.didReceive(.committed(load.navigation))
        observed.change { if self.load == nil { $0.estimatedProgress = 1 } }
        observed.change { if self.load == nil { $0.isLoading = false } }
        navigationDelegate?.didReceive(.finished(load.navigation))
    }

    private func didChangeEntry(_ url: URL, _ kind: String, _ index: Int?, isHash: Bool) {
        let cause: WebPageURLChange.Cause
        let before = entryIndex
        entryIndex = index
        if kind == "traverse", let load, !load.isCommitted, case .item(let item) = load.target, item.url == url {
            return didTraverse(to: item, load)
        }
        switch kind {
        case "replace":
            history.replace(url, document: document)
            cause = .replace
        case "traverse":
            traverse(to: url, before, index)
            cause = .traversal
        default:
            history.push(url, document: document, title: observed.values.title)
            cause = isHash ? .hash : .push
        }
        committedURL = url
        observed.change {
            // What this side is loading is shown until it commits.
            if load?.isCommitted ?? true { $0.url = url }
            $0.backForwardList = history.list
        }
        tell(url, cause)
        guard isTraversing else { return }
        isTraversing = false
        observed.change { if load == nil { $0.isLoading = false } }
        observed.change { if load == nil { $0.estimatedProgress = 1 } }
    }

    private func didChangeState(_ state: JSON) {
        let title = state["title"]?.string ?? ""
        history.setTitle(title)
        observed.change {
            $0.title = title
            $0.backForwardList = history.list
        }
        guard let load, load.isCommitted else { return }
        guard state["isLoading"]?.bool == false else {
            observed.change { $0.estimatedProgress = max(0.5, min(0.9, state["estimatedProgress"]?.double ?? 0.5)) }
            return
        }
        self.load = nil
        observed.change { if self.load == nil { $0.estimatedProgress = 1 } }
        observed.change { if self.load == nil { $0.isLoading = false } }
        navigationDelegate?.didReceive(.finished(load.navigation))
    }
}
