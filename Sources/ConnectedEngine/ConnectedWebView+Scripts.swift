internal import BridgeJSON
internal import BridgeWire
internal import Bridgehead
internal import Dispatch
public import PageEngines
public import PageModel
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Scripts that this side sends, and messages that the page posts.
extension ConnectedWebView {
    /// See `BackingWebView.evaluateJavaScript(_:in:world:)`.
    public func evaluateJavaScript(
        _ script: String, in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue {
        try check(frame, world)
        return try await ask("$/page.evaluate", ["script": JSON(script)])
    }

    /// See `BackingWebView.callJavaScript(_:arguments:in:world:)`.
    public func callJavaScript(
        _ body: String, arguments: [String: JavaScriptValue], in frame: WebPageFrameInfo?, world: WebPageContentWorld
    ) async throws -> JavaScriptValue {
        try check(frame, world)
        var values = JSONObject()
        for (name, value) in try ScriptName.ordered(arguments) { values[JSONString(name)] = try JSON(tagging: value) }
        return try await ask("$/page.call", ["body": JSON(body), "arguments": .object(values)])
    }

    private func check(_ frame: WebPageFrameInfo?, _ world: WebPageContentWorld) throws {
        if world != .page { throw Unsupported.world.error }
        if let frame, !frame.isMainFrame { throw Unsupported.frame.error }
    }

    /// - Parameter answered: called when it is, before anything that the page says afterwards is looked at.
    func ask(
        _ name: String, _ payload: JSON, _ answered: @escaping @MainActor () -> Void = {}
    ) async throws -> JavaScriptValue {
        if let whyDead { throw whyDead }
        guard let session else {
            throw connection == .lost ? Self.lost : WebPageError.unreachable
        }
        lastScript += 1
        let id = lastScript
        let result = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<JSON, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                scripts[id] = { continuation.resume(throwing: $0) }
                session.page.ask(name, payload) { result in
                    DispatchQueue.main.async {
                        MainActor.assumeIsolated {
                            if case .success = result { answered() }
                            // It has failed with its document, or was cancelled.
                            guard self.scripts.removeValue(forKey: id) != nil else { return }
                            continuation.resume(with: result.mapError(Self.error))
                        }
                    }
                }
            }
        } onCancel: {
            // The script goes on, as its page cannot stop it.
            Task { @MainActor in self.scripts.removeValue(forKey: id)?(CancellationError()) }
        }
        guard let value = JavaScriptValue(tagged: result) else { throw WebPageError.javaScriptResultTypeIsUnsupported }
        return value
    }

    private static func error(_ error: any Error) -> any Error {
        guard let failure = error as? BridgeFailure else { return error }
        switch failure.code {
        case BridgeFailure.Code.scriptException:
            return WebPageError.javaScriptException(
                .init(
                    message: failure.message, line: failure.data?["line"]?.int ?? 0,
                    column: failure.data?["column"]?.int ?? 0))
        // What the client cannot send, as it nests too deep or is too long, is an internal error of its.
        case BridgeFailure.Code.unsupportedResult, BridgeFailure.Code.internalError:
            return WebPageError.javaScriptResultTypeIsUnsupported
        case BridgeFailure.Code.pageNavigatedAway: return WebPageError.unreachable
        case BridgeFailure.Code.connectionClosed: return lost
        case BridgeFailure.Code.methodNotFound:
            return WebPageError.unsupported(failure.data?["reason"]?.string ?? failure.message)
        default: return WebPageError.unsupported("\(failure)")
        }
    }

    /// See `BackingWebView.addUserScript(_:)`. Throws.
    public func addUserScript(_ script: WebPageUserScript) throws { throw Unsupported.userScript.error }

    /// See `BackingWebView.removeAllUserScripts()`. There are none.
    public func removeAllUserScripts() {}

    /// See `BackingWebView.addMessageHandler(_:world:receive:)`.
    public func addMessageHandler(
        _ name: String, world: WebPageContentWorld,
        receive: @escaping @MainActor (WebPageScriptMessage, _ reply: MessageReply) -> Void
    ) throws {
        if world != .page { throw Unsupported.world.error }
        guard whyDead == nil else { return }
        receivers[name] = receive
        tab.messageHandlers.withLock { _ = $0.insert(name) }
        session?.page.followerDidChange()
    }

    /// See `BackingWebView.removeMessageHandler(_:world:)`.
    public func removeMessageHandler(_ name: String, world: WebPageContentWorld) {
        guard world == .page, receivers.removeValue(forKey: name) != nil else { return }
        tab.messageHandlers.withLock { _ = $0.remove(name) }
        session?.page.followerDidChange()
    }

    func didPost(
        _ message: FollowedMessage, _ session: ConnectedSession,
        _ reply: @escaping @Sendable (Result<JSON, BridgeFailure>) -> Void
    ) {
        let reject = { (text: String) in
            reply(.failure(BridgeFailure(BridgeFailure.Code.handlerFailed, text)))
        }
        guard session === self.session, let receive = receivers[message.handler] else {
            return reject(MessageReply.Text.pageGone)
        }
        guard let body = JavaScriptValue(tagged: message.body) else { return reject(MessageReply.Text.notCloneable) }
        receive(
            WebPageScriptMessage(name: message.handler, body: body, frame: mainFrame),
            MessageReply(toldByClient: message.isEvent) { answer in
                do throws(WebPageError) {
                    switch answer {
                    case .fulfil(let value): reply(.success(try JSON(tagging: value)))
                    case .reject(let text): reject(text)
                    }
                } catch {
                    reject("\(error)")
                }
            })
    }
}
