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
    /// What the native side has asked of the page, by its id.
    var asked: [MessageID: Task<Void, Never>] = [:]

    /// A posted message that is not answered.
    private struct Waiting {
        let message: WebPageScriptMessage
        /// Nil where the promise was fulfilled at once.
        let reply: MessageReply?
    }

    init(_ bridge: Bridge, _ page: WebPage) {
        self.bridge = bridge
        self.page = page
    }

    // MARK: From the page

    /// Sends what was posted to the bridge's handlers. In plain mode the promise is fulfilled at once.
    func receive(_ message: WebPageScriptMessage, _ reply: MessageReply) {
        lastID += 1
        let isPlain = bridge.mode(ofMessageHandler: message.name) == .plain
        waiting[lastID] = Waiting(message: message, reply: isPlain ? nil : reply)
        if isPlain { reply.answer(.fulfil(.undefined)) }
        send(
            [
                "requestId": JSON(lastID), "eventName": "$/postMessage", "handler": JSON(message.name),
                "body": JSON(tagging: message.body),
            ])
    }

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
    func documentDidBegin() { _ = currentSession() }

    private func send(_ message: JSON) { send { $0.write(message) } }

    func send(_ write: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        write(&writer)
        let text = writer.bytes
        currentSession().assumeIsolated { session in text.withUnsafeBytes { session.receive($0) } }
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
        send(
            [
                "requestId": "hello", "eventName": "$/hello", "protocol": JSON(BridgeProtocol.version),
                "client": ["name": "WebPage", "version": JSON(BridgeProtocol.release)],
                "page": [
                    "url": JSON(page?.backing.state.url?.absoluteString ?? ""),
                    "title": JSON(page?.backing.state.title ?? ""), "isMainFrame": true,
                ],
            ])
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
        guard case .number(let number)? = reply.id, let id = number.int else { return }
        switch reply.content {
        // A message handler of WebKit's has no place for it.
        case .progress: break
        case .result(let value):
            guard let entry = waiting.removeValue(forKey: id) else { return }
            let value = JavaScriptValue(tagged: value)
            entry.reply?.answer(.fulfil(value))
            tellResponse(value, to: entry.message)
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
        Task {
            // A document that is gone waits for nothing.
            _ = try? await page.callJavaScript(
                script, arguments: ["response": response, "requestId": id], in: message.frame, world: message.world)
        }
    }
}
