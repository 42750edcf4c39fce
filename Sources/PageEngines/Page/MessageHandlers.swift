public import Bridgehead
public import PageModel

/// The message handlers of a page, by name and world.
@MainActor
public final class MessageHandlers {
    private struct Key: Hashable {
        let name: String
        let world: WebPageContentWorld
    }

    private weak var page: WebPage?
    private var added: Set<Key> = []
    /// By the bridge that each is of.
    private var bridges: [ObjectIdentifier: PageBridge] = [:]

    init(_ page: WebPage) {
        self.page = page
    }

    /// Adds a handler that answers. It is there at once, in documents that are loaded already too; it is kept until it is
    /// removed.
    ///
    /// - Throws: ``MessageHandlerError`` for a name that is empty or taken in that world, by a handler of either kind.
    public func add(
        _ name: String, _ handler: any WebPageScriptMessageReplying, world: WebPageContentWorld = .page
    ) throws {
        try add(name, world) { page, message, reply in
            Task.immediateOnMain {
                do {
                    reply.answer(.fulfil(try await handler.webPage(page, didReceive: message)))
                } catch {
                    reply.answer(.reject("\(error)"))
                }
            }
        }
    }

    /// Adds a handler that hears, and does not answer. As for one that answers.
    public func add(
        _ name: String, _ handler: any WebPageScriptMessageHandling, world: WebPageContentWorld = .page
    ) throws {
        try add(name, world) { page, message, reply in
            handler.webPage(page, didReceive: message)
            reply.answer(.fulfil(.undefined))
        }
    }

    /// Adds a bridge as the handler of that name: what the page posts, events and other bodies, reaches the bridge's handlers
    /// with no server between, and these reach the page (`call.page`). Whether `postMessage` is answered is what the bridge
    /// says of that name.
    ///
    /// Each document is a page of the bridge's, from its first moment to its last. A request that fails rejects with the
    /// failure's message: a message handler of WebKit's has no place for code and data.
    public func add(_ name: String, _ bridge: Bridge, world: WebPageContentWorld = .page) throws {
        guard let page else { return }
        let pageBridge = bridges[ObjectIdentifier(bridge)] ?? PageBridge(bridge, page)
        try add(name, world) { _, message, reply in pageBridge.receive(message, reply) }
        bridges[ObjectIdentifier(bridge)] = pageBridge
        pageBridge.documentDidBegin()
    }

    /// Takes a handler away, from documents that are loaded already too. A script that has kept it can post no more.
    public func remove(_ name: String, world: WebPageContentWorld = .page) {
        guard added.remove(Key(name: name, world: world)) != nil else { return }
        page?.backing.removeMessageHandler(name, world: world)
    }

    /// Takes all handlers away, of whatever world.
    public func removeAll() {
        for key in added { remove(key.name, world: key.world) }
        endDocument(isLast: true)
        bridges = [:]
    }

    /// Another document has taken the place of the one before, or none will.
    func endDocument(isLast: Bool = false) {
        for bridge in bridges.values {
            bridge.documentDidEnd(isLast ? .connectionLost : .documentGone)
            if !isLast { bridge.documentDidBegin() }
        }
    }

    private func add(
        _ name: String, _ world: WebPageContentWorld,
        _ receive: @escaping @MainActor (WebPage, WebPageScriptMessage, MessageReply) -> Void
    ) throws {
        guard !name.isEmpty else { throw MessageHandlerError.emptyName }
        let key = Key(name: name, world: world)
        guard !added.contains(key) else { throw MessageHandlerError.nameIsTaken(name) }
        try page?.backing.addMessageHandler(name, world: world) { [weak page] message, reply in
            guard let page else { return reply.answer(.reject(MessageReply.Text.pageGone)) }
            receive(page, message, reply)
        }
        added.insert(key)
    }
}

/// Why a message handler cannot be added.
public enum MessageHandlerError: Error, Hashable, Sendable, CustomStringConvertible {
    case emptyName
    case nameIsTaken(String)

    public var description: String {
        switch self {
        case .emptyName: "The name of a script message handler is empty"
        case .nameIsTaken(let name):
            "Attempt to add script message handler with name '\(name)' when one already exists."
        }
    }
}
