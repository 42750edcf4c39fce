import BridgeJSON
import Bridgehead
import ConnectedEngine
import Dispatch
import Foundation
import PageEngines
import PageModel

/// A document with the client in it, as the server's end of its connection sees it. On the main queue, so that what it says
/// has been heard when ``settled()`` returns.
@MainActor
final class FakePage {
    /// What it was sent, in order.
    private(set) var received: [JSON] = []
    private var session: BridgeSession?
    private var sequence = 0
    private let bridge: Bridge
    let greeting: JSON

    init(
        _ bridge: Bridge, _ url: String, tab: String? = "tab", document: String, type: String? = "push",
        index: Int? = 0,
        isMainFrame: Bool = true, entries: (urls: [String], index: Int)? = nil
    ) {
        self.bridge = bridge
        var page: JSONObject = [
            "url": JSON(url), "title": "", "isMainFrame": .bool(isMainFrame), "documentId": JSON(document),
        ]
        page["tabId"] = tab.map { JSON($0) }
        page["navigationType"] = type.map { JSON($0) }
        page["index"] = index.map { JSON($0) }
        page["entries"] = entries.map { ["urls": .array($0.urls.map { JSON($0) }), "index": JSON($0.index)] }
        greeting = .object(page)
    }

    /// Connects and greets.
    func connect(as page: JSON? = nil) {
        session = BridgeSession(bridge: bridge, executor: MainExecutor.shared, kind: .stream) { [weak self] bytes in
            let text = Array(bytes)
            MainActor.assumeIsolated { self?.take(text) }
        }
        send(["eventName": "$/hello", "requestId": "hello", "protocol": 1, "page": page ?? greeting])
    }

    /// Connects, and tells of a document that is loaded.
    func open(title: String = "") {
        connect()
        tell(url: greeting["url"]?.string ?? "", "load", greeting["index"]?.int)
        tellState(title: title)
    }

    func send(_ message: JSON) {
        let text = Array(message.text.utf8)
        session?.assumeIsolated { session in text.withUnsafeBytes { session.receive($0) } }
    }

    func tell(url: String, _ cause: String, _ index: Int?, isHash: Bool? = nil) {
        var change: JSONObject = [
            "eventName": "$/page.url", "url": JSON(url), "cause": JSON(cause), "sequence": JSON(sequence),
        ]
        change["index"] = index.map { JSON($0) } ?? .null
        change["isHash"] = isHash.map { .bool($0) }
        sequence += 1
        send(.object(change))
    }

    func tellState(title: String = "", progress: Double = 1) {
        send([
            "eventName": "$/page.state", "url": greeting["url"] ?? "", "title": JSON(title),
            "isLoading": .bool(progress < 1), "estimatedProgress": JSON(progress) ?? 1, "canGoBack": false,
            "canGoForward": false,
        ])
    }

    func end(_ reason: BridgeSession.EndReason = .documentGone) {
        session?.assumeIsolated { $0.end(reason) }
        session = nil
    }

    /// The requests of that name that it was sent.
    func asked(_ name: String) -> [JSON] { received.filter { $0["eventName"]?.string == name } }

    func answer(_ request: JSON?, _ response: JSON) {
        send(["requestId": request?["requestId"] ?? .null, "response": response])
    }

    private func take(_ text: [UInt8]) {
        guard let message = try? JSON(parsing: text) else { return }
        received.append(message)
        let navigations = ["$/page.load", "$/page.reload", "$/page.go", "$/page.stop"]
        guard navigations.contains(message["eventName"]?.string ?? "") else { return }
        // Not while it is being asked.
        DispatchQueue.main.async { MainActor.assumeIsolated { self.answer(message, .null) } }
    }
}

/// Everything that was on its way on the main queue has arrived, and what came of it.
@MainActor
func settled() async {
    for _ in 1...5 {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
}

/// What a page tells, a word each: its events, and then the changes of its URL, which come by another way.
@MainActor
final class Log: WebPageNavigationHandling {
    private var events: [String] = []
    private var changes: [String] = []
    var policy = WebPageNavigationPolicy.allow
    private var reader: Task<Void, Never>?

    init(_ page: WebPage) {
        page.navigationHandler = self
        // In its place: a subscriber is told some turns later.
        page.onURLChange = { [weak self] change in
            let place = change.index.map(String.init) ?? "-"
            self?.changes.append("\(change.cause) \(change.url.path)\(change.isCommitted ? "" : "?")@\(place)")
        }
        let changes = page.urlChanges
        reader = Task { [weak self] in
            for await _ in changes {}
            self?.changes.append("end")
        }
    }

    func take() async -> [String] {
        await settled()
        defer { (events, changes) = ([], []) }
        return events + changes
    }

    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor action: WebPageNavigationAction
    ) async -> WebPageNavigationPolicy {
        policy
    }

    func webPage(_ page: any WebPageRepresentable, didReceive event: WebPageNavigationEvent) {
        switch event {
        case .startedProvisional: events.append("S")
        case .receivedServerRedirect: events.append("D")
        case .committed: events.append("C")
        case .finished: events.append("F")
        case .failedProvisional(_, let error): events.append("X \(error)")
        case .failed(_, let error): events.append("x \(error)")
        case .webContentProcessTerminated: events.append("T")
        }
    }
}
