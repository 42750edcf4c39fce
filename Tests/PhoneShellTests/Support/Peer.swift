import Bridgehead
import Dispatch
import Foundation
import PageEngines

/// A document at the other end of a bridge, as the server's end of its connection sees it, on the main queue: the shell's page
/// or a page on the phone.
@MainActor
class Peer {
    private(set) var received: [JSON] = []
    private let bridge: Bridge
    private var session: BridgeSession?
    private var lastID = 0
    private var waiting: [(matches: (JSON) -> Bool, continuation: CheckedContinuation<JSON, Never>)] = []

    init(_ bridge: Bridge) {
        self.bridge = bridge
    }

    func connect(_ page: JSON) {
        session = BridgeSession(bridge: bridge, executor: MainExecutor.shared, kind: .stream) { [weak self] bytes in
            let text = Array(bytes)
            MainActor.assumeIsolated { self?.take(text) }
        }
        send(["eventName": "$/hello", "requestId": "hello", "protocol": 1, "page": page])
    }

    func send(_ message: JSON) {
        let text = Array(message.text.utf8)
        session?.assumeIsolated { session in text.withUnsafeBytes { session.receive($0) } }
    }

    /// - Throws: what it was failed with.
    @discardableResult
    func request(_ name: String, _ payload: JSONObject = [:]) async throws -> JSON {
        lastID += 1
        let id = JSON(lastID)
        var message = payload
        message["eventName"] = JSON(name)
        message["requestId"] = id
        async let answered = next { $0["requestId"] == id && $0["eventName"] == nil }
        await Task.yield()
        send(.object(message))
        let answer = await answered
        if let error = answer["error"], !error.isNull {
            throw BridgeFailure(error["code"]?.int ?? 0, error["message"]?.string ?? "")
        }
        return answer["response"] ?? .null
    }

    /// The first that was received and `matches`, or will be.
    func next(_ matches: @escaping (JSON) -> Bool) async -> JSON {
        if let known = received.first(where: matches) { return known }
        return await withCheckedContinuation { waiting.append((matches, $0)) }
    }

    func end(_ reason: BridgeSession.EndReason = .documentGone) {
        session?.assumeIsolated { $0.end(reason) }
        session = nil
    }

    func didReceive(_ message: JSON) {}

    private func take(_ text: [UInt8]) {
        guard let message = try? JSON(parsing: text) else { return }
        received.append(message)
        didReceive(message)
        let due = waiting.filter { $0.matches(message) }
        waiting.removeAll { $0.matches(message) }
        for entry in due { entry.continuation.resume(returning: message) }
    }
}

/// The shell's page: the last state that it was sent.
@MainActor
final class ShellPeer: Peer {
    private(set) var state: JSON = [:]
    private(set) var revisions: [Int] = []
    private var conditions: [(holds: (JSON) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    /// Connects, and begins a phone or takes that one again.
    func begin(
        at shell: String = "http://localhost:7357/_bridge/shell", url: String? = nil, phone: String? = nil,
        was: JSON? = nil
    )
        async throws
    {
        connect(["url": JSON(shell), "documentId": "shell"])
        show(
            try await request(
                "shell.begin",
                [
                    "url": url.map { JSON($0) } ?? .null, "phone": phone.map { JSON($0) } ?? .null, "chrome": "full",
                    "was": was ?? .null,
                ]))
    }

    /// Returns once the state is so, which it may be already.
    func until(_ holds: @escaping (JSON) -> Bool) async {
        if holds(state) { return }
        await withCheckedContinuation { conditions.append((holds, $0)) }
    }

    func untilNotice(_ kind: String) async { await until { $0["notice"]?["kind"]?.string == kind } }

    override func didReceive(_ message: JSON) {
        if message["eventName"]?.string == "shell.state" { show(message) }
    }

    private func show(_ state: JSON) {
        // The answer to what began the phone may be overtaken.
        guard let revision = state["revision"]?.int, revision >= revisions.last ?? 0 else { return }
        self.state = state
        revisions.append(revision)
        let due = conditions.filter { $0.holds(state) }
        conditions.removeAll { $0.holds(state) }
        for condition in due { condition.continuation.resume() }
    }
}

/// A page on a phone, which does what it is asked as far as a document can without a browser: it answers.
@MainActor
final class PagePeer: Peer {
    private let url: String
    private let phone: String
    private let document: String

    init(_ bridge: Bridge, _ url: String, phone: String, document: String = UUID().uuidString) {
        self.url = url
        self.phone = phone
        self.document = document
        super.init(bridge)
    }

    /// Connects and tells of a document that is loaded.
    func open(title: String = "") {
        connect([
            "url": JSON(url), "title": "", "isMainFrame": true, "documentId": JSON(document),
            "tabId": JSON("phone:\(phone)"), "navigationType": "push", "index": 0,
        ])
        send(["eventName": "$/page.url", "url": JSON(url), "cause": "load", "index": 0, "sequence": 0])
        send([
            "eventName": "$/page.state", "url": JSON(url), "title": JSON(title), "isLoading": false,
            "estimatedProgress": 1, "canGoBack": false, "canGoForward": false,
        ])
    }

    override func didReceive(_ message: JSON) {
        guard message["eventName"]?.string?.hasPrefix("$/page.") == true, let id = message["requestId"] else { return }
        DispatchQueue.main.async { MainActor.assumeIsolated { self.send(["requestId": id, "response": .null]) } }
    }
}

/// Everything that was on its way on the main queue has arrived, and what came of it.
@MainActor
func settled() async {
    for _ in 1...5 {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
}
