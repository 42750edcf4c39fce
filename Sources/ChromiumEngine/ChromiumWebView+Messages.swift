internal import BridgeJSON
public import PageEngines
public import PageModel

// What documents post.
extension ChromiumWebView {
    /// See `BackingWebView.addMessageHandler(_:world:receive:)`.
    public func addMessageHandler(
        _ name: String, world: WebPageContentWorld,
        receive: @escaping @MainActor (WebPageScriptMessage, _ reply: MessageReply) -> Void
    ) throws {
        if let whyDead { throw whyDead }
        register(world)
        let script = addScript(kit.call("add", JSON(name)), world, isImmediate: true)
        messageHandlers[MessageHandlerKey(name: name, world: world)] = MessageHandler(receive: receive, script: script)
    }

    /// See `BackingWebView.removeMessageHandler(_:world:)`.
    public func removeMessageHandler(_ name: String, world: WebPageContentWorld) {
        let key = MessageHandlerKey(name: name, world: world)
        guard let handler = messageHandlers.removeValue(forKey: key) else { return }
        takeAway(key)
        // A document may have begun meanwhile.
        remove(handler.script) { [weak self] in
            if self?.messageHandlers[key] == nil { self?.takeAway(key) }
        }
    }

    private func takeAway(_ key: MessageHandlerKey) {
        for context in contexts.values where context.world == key.world {
            run(kit.call("remove", JSON(key.name)), in: context)
        }
    }

    /// - Parameter params: of a binding that was called, which only a kit has.
    func didPost(_ params: JSON) {
        guard let context = params["executionContextId"]?.int.flatMap({ contexts[$0] }),
            params["name"]?.string == kit.binding(of: WorldName(context.world)),
            let payload = params["payload"]?.string,
            let space = payload.utf8.firstIndex(of: UInt8(ascii: " ")), let id = Int(payload[..<space])
        else { return }
        let text = Array(payload.utf8[space...])
        guard let json = try? JSON(parsing: text, maximumDepth: JSON.highestMaximumDepth),
            let name = json["name"]?.string, let body = json["body"].flatMap({ JavaScriptValue(tagged: $0) })
        else { return run(kit.call("refuse", JSON(id), "DataCloneError"), in: context) }
        // It may have been removed while the message was under way.
        guard let handler = messageHandlers[MessageHandlerKey(name: name, world: context.world)] else {
            return run(kit.call("refuse", JSON(id), "InvalidAccessError"), in: context)
        }
        let message = WebPageScriptMessage(name: name, body: body, frame: frame(of: context), world: context.world)
        handler.receive(
            message,
            MessageReply { [weak self] answer in
                guard let self else { return }
                do throws(WebPageError) {
                    switch answer {
                    case .fulfil(let value):
                        let text = try JSON(tagging: value).text
                        self.run(self.kit.call("fulfil", JSON(id), JSON(text)), in: context)
                    case .reject(let text): self.run(self.kit.call("reject", JSON(id), JSON(text)), in: context)
                    }
                } catch {
                    self.run(self.kit.call("reject", JSON(id), JSON("\(error)")), in: context)
                }
            })
    }

    private func frame(of context: ScriptContext) -> WebPageFrameInfo {
        var frame =
            context.frame == target
            ? mainFrame
            : frames[context.frame]
                ?? WebPageFrameInfo(id: context.frame, isMainFrame: false, request: WebPageRequest(.blank))
        frame.securityOrigin = context.securityOrigin
        return frame
    }
}

/// A message handler's place.
struct MessageHandlerKey: Hashable {
    let name: String
    let world: WebPageContentWorld
}

@MainActor
struct MessageHandler {
    let receive: @MainActor (WebPageScriptMessage, _ reply: MessageReply) -> Void
    let script: DocumentScript
}
