internal import BridgeJSON
internal import BridgeWire
internal import Bridgehead
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A bridge as the message handlers of a page: what the page posts reaches the bridge's handlers with no server between,
/// and these reach the page. Each document is a session of its own, as over a connection.
@MainActor
final class PageBridge {
    let bridge: Bridge
    weak var page: WebPage?
    private var session: BridgeSession?
    private var lastID = 0
    private var waiting: [Int: Waiting] = [:]
    /// Whether the session could not read what it was sent last.
    private var isRefused = false
    /// Whether no message handler is of the bridge any more.
    private var isRemoved = false
    /// What the native side has asked of the page, by its id.
    var asked: [MessageID: Task<Void, Never>] = [:]

    /// A posted message that is not answered.
    private struct Waiting {
        let message: WebPageScriptMessage
        /// Nil where the promise was fulfilled at once.
        let reply: MessageReply?
        let isToldByClient: Bool
    }

    init(_ bridge: Bridge, _ page: WebPage) {
        self.bridge = bridge
        self.page = page
    }

    // MARK: From the page

    /// Sends what was posted to the bridge's handlers. In plain mode the promise is fulfilled at once.
    func receive(_ message: WebPageScriptMessage, _ reply: MessageReply) {
        lastID += 1
        // Where the client tells the response, it has to come as the answer.
        let isPlain = !reply.isToldByClient && bridge.mode(ofMessageHandler: message.name) == .plain
        waiting[lastID] = Waiting(
            message: message, reply: isPlain ? nil : reply, isToldByClient: reply.isToldByClient)
        if isPlain { reply.answer(.fulfil(.undefined)) }
        let id = lastID
        let body: JSON
        do throws(WebPageError) { body = try JSON(tagging: message.body) } catch {
            waiting.removeValue(forKey: id)?.reply?.answer(.reject("\(error)"))
            return
        }
        let posted: JSON = [
            "requestId": JSON(id), "eventName": "$/postMessage", "handler": JSON(message.name), "body": body,
        ]
        // An answer to what cannot be read names no request.
        if !send({ $0.write(posted) }) { waiting.removeValue(forKey: id)?.reply?.answer(.reject(Self.tooDeep)) }
    }

    /// No handler is the bridge's any more: what was posted is still answered, and then the page is none of the bridge's.
    func handlersAreGone() {
        isRemoved = true
        if isOver { documentDidEnd(.connectionLost) }
    }

    /// Whether it has nothing to do with the page any more.
    var isOver: Bool { isRemoved && waiting.isEmpty }

    /// The document is gone, and what was asked of it; who is asked by it is told. The next one is another session.
    func documentDidEnd(_ reason: BridgeSession.EndReason = .documentGone) {
        waiting = [:]
        for task in asked.values { task.cancel() }
        asked = [:]
        guard let session else { return }
        self.session = nil
        session.assumeIsolated { $0.end(reason) }
    }

    /// Makes the page one that can be called, whether or not it has posted anything.
    func documentDidBegin() { if !isRemoved { _ = currentSession() } }

    /// Why the session cannot read a text that was written here.
    static let tooDeep = "The value is nested too deep: the bridge's limits.nesting says how many levels it reads"

    /// - Returns: whether the session can read it.
    @discardableResult
    func send(_ write: (inout JSONWriter) -> Void) -> Bool {
        var writer = JSONWriter()
        write(&writer)
        let text = writer.bytes
        isRefused = false
        currentSession().assumeIsolated { session in text.withUnsafeBytes { session.receive($0) } }
        return !isRefused
    }

    private func currentSession() -> BridgeSession {
        if let session { return session }
        let made = BridgeSession(bridge: bridge, executor: MainExecutor.shared, kind: .stream) { [weak self] bytes in
            let text = Array(bytes)
            MainActor.assumeIsolated { self?.take(text) }
        }
        session = made
        greet()
        return made
    }

    /// In the page's stead: a page in an app says no `$/hello`.
    private func greet() {
        let hello: JSON = [
            "requestId": "hello", "eventName": "$/hello", "protocol": JSON(BridgeProtocol.version),
            "client": ["name": "WebPage", "version": JSON(BridgeProtocol.release)],
            "page": [
                "url": JSON(page?.backing.state.url?.absoluteString ?? ""),
                "title": JSON(page?.backing.state.title ?? ""), "isMainFrame": true,
            ],
        ]
        send { $0.write(hello) }
    }

    // MARK: To the page

    private func take(_ text: [UInt8]) {
        guard let json = try? JSON(parsing: text, maximumDepth: JSON.highestMaximumDepth),
            case .object(let object) = json
        else { return }
        switch Inbound(object) {
        case .reply(let reply): settle(reply)
        case .event(let name, let payload, let address, _): carryOut(name.string, payload ?? [:], address)
        case .malformed: break
        }
    }

    private func settle(_ reply: Inbound.Reply) {
        guard case .number(let number)? = reply.id, let id = number.int else {
            if reply.id == nil || reply.id == .null, case .failure = reply.content { isRefused = true }
            return
        }
        defer {
            // After the session's own step, in which this is.
            if isOver { Task { self.documentDidEnd(.connectionLost) } }
        }
        switch reply.content {
        // A message handler of WebKit's has no place for it.
        case .progress: break
        case .result(let value):
            guard let entry = waiting.removeValue(forKey: id) else { return }
            guard let value = JavaScriptValue(tagged: value) else {
                entry.reply?.answer(.reject(Self.tooDeep))
                return
            }
            entry.reply?.answer(.fulfil(value))
            if !entry.isToldByClient { tellResponse(value, to: entry.message) }
        case .failure(let failure):
            // Of a plain handler nobody hears it: the bridge's log has it.
            waiting.removeValue(forKey: id)?.reply?.answer(.reject(failure.message))
        }
    }

    /// Many apps' pages wait for this instead of the promise.
    private func tellResponse(_ response: JavaScriptValue, to message: WebPageScriptMessage) {
        guard let page, let id = message.body["requestId"], !id.isNullish else { return }
        let script =
            "if (typeof window.handleNativeResponse === 'function') window.handleNativeResponse(response, requestId)"
        // At once: a document that comes later has asked for nothing.
        Task.immediateOnMain { [backing = page.backing] in
            _ = try? await backing.callJavaScript(
                script, arguments: ["response": response, "requestId": id], in: message.frame, world: message.world)
        }
    }
}
