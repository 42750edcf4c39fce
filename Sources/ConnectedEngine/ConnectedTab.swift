internal import BridgeJSON
internal import BridgeWire
internal import Bridgehead
internal import Dispatch
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The tabs that are known, by the ids that their clients told.
final class TabTable: Sendable {
    private struct State {
        var tabs: [String: ConnectedTab] = [:]
        /// What this side has asked tabs to load: a document of another origin does not know its tab.
        var expected: [String: ConnectedTab] = [:]
        var ticket: UInt64?
    }

    private let bridge: Bridge
    /// Whether these are the tabs of phones; no table has both.
    private let isOfPhones: Bool
    private let state = Mutex(State())

    init(_ bridge: Bridge, ofPhones: Bool = false) {
        self.bridge = bridge
        isOfPhones = ofPhones
    }

    deinit { if let ticket = state.withLock({ $0.ticket }) { bridge.stopFollowing(ticket) } }

    /// - Parameter begin: called with each tab that was not known, before its first document.
    func follow(_ begin: @escaping @MainActor (ConnectedTab) -> Void) {
        let ticket = bridge.followPages { [weak self] page in self?.take(page, begin) }
        state.withLock { $0.ticket = ticket }
    }

    private func take(_ page: BridgePage, _ begin: @escaping @MainActor (ConnectedTab) -> Void) -> ConnectedSession? {
        guard let greeting = PageGreeting(page.info), (greeting.phone != nil) == isOfPhones else { return nil }
        let (tab, isNew) = state.withLock { state in
            if let known = state.tabs[greeting.tab] { return (known, false) }
            let expected = state.expected.removeValue(forKey: greeting.url)
            let tab = expected ?? ConnectedTab(phone: greeting.phone)
            state.tabs[greeting.tab] = tab
            return (tab, expected == nil)
        }
        let session = ConnectedSession(tab, page, greeting)
        onMain {
            if isNew, tab.view == nil { begin(tab) }
            tab.view?.didConnect(session)
        }
        return session
    }

    /// The tab of that phone, which may have to come yet.
    func tab(ofPhone id: String) -> ConnectedTab {
        state.withLock { state in
            let tab = state.tabs[PageGreeting.phonePrefix + id] ?? ConnectedTab(phone: id)
            state.tabs[PageGreeting.phonePrefix + id] = tab
            return tab
        }
    }

    /// Nothing for a phone, whose documents all know it.
    func expect(_ url: String, in tab: ConnectedTab) {
        guard !isOfPhones else { return }
        state.withLock { $0.expected[url] = tab }
    }

    func expectNothing(in tab: ConnectedTab) {
        state.withLock { $0.expected = $0.expected.filter { $0.value !== tab } }
    }

    /// Its next document is that of a page that nobody knows.
    func forget(_ tab: ConnectedTab) {
        expectNothing(in: tab)
        state.withLock { $0.tabs = $0.tabs.filter { $0.value !== tab } }
    }
}

/// A tab, and who follows it.
final class ConnectedTab: Sendable {
    @MainActor weak var view: ConnectedWebView?
    /// The id of the phone that it is.
    let phone: String?
    /// The message handlers of the view, for the threads that read what pages send.
    let messageHandlers = Mutex<Set<String>>([])

    init(phone: String?) {
        self.phone = phone
    }
}

/// What a page says of itself in its `$/hello`.
struct PageGreeting: Sendable {
    let url: String
    let document: String
    let tab: String
    /// How the document came to be, in the words of the Navigation API.
    let navigationType: String?
    /// Of its entry in the browser's list, which is the origin's.
    let index: Int?
    /// The URLs of the browser's list and the place of the page's in it, where it tells them.
    let entries: (urls: [URL], index: Int)?

    /// What a phone's tab is named by, with the phone's id.
    static let phonePrefix = "phone:"

    /// The id of the phone that the page is on.
    var phone: String? {
        tab.hasPrefix(Self.phonePrefix) ? String(tab.dropFirst(Self.phonePrefix.count)) : nil
    }

    /// Nil for a frame, and for what is no document of a browser.
    init?(_ info: JSON) {
        guard info["isMainFrame"]?.bool == true, let document = info["documentId"]?.string, !document.isEmpty else {
            return nil
        }
        self.document = document
        url = info["url"]?.string ?? ""
        // A page without storage is followed as long as its document lasts.
        tab = info["tabId"]?.string ?? "document \(document)"
        navigationType = info["navigationType"]?.string
        index = info["index"]?.int
        let urls = info["entries"]?["urls"]?.array?.prefix(50).map { $0.string.flatMap { URL(string: $0) } ?? .blank }
        if let urls, let index = info["entries"]?["index"]?.int, urls.indices.contains(index) {
            entries = (urls, index)
        } else {
            entries = nil
        }
    }
}

/// One connection of a page. What comes from it goes to the tab's view, on the main actor, in order.
final class ConnectedSession: PageFollower {
    let page: BridgePage
    let greeting: PageGreeting
    private let tab: ConnectedTab

    init(_ tab: ConnectedTab, _ page: BridgePage, _ greeting: PageGreeting) {
        self.tab = tab
        self.page = page
        self.greeting = greeting
    }

    var messageHandlers: [String] { tab.messageHandlers.withLock { Array($0) } }

    func pageDidTell(_ name: String, _ payload: JSON) { onMain { self.tab.view?.didTell(name, payload, self) } }

    func pageDidPost(
        _ message: FollowedMessage, _ reply: @escaping @Sendable (Result<JSON, BridgeFailure>) -> Void
    ) {
        onMain {
            guard let view = self.tab.view else { return reply(.failure(.connectionClosed)) }
            view.didPost(message, self, reply)
        }
    }

    func pageDidEnd(_ reason: BridgeSession.EndReason) { onMain { self.tab.view?.didEnd(self, reason) } }
}

/// The main queue keeps the order in which it is given work.
private func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated(body) }
}
