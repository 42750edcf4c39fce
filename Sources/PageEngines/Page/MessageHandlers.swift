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
    /// With the bridge that each is of.
    private var added: [Key: PageBridge?] = [:]
    /// Bridges that were removed, and may have something to answer still.
    private var leaving: [PageBridge] = []

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

    /// Adds a bridge as the handler of that name: what the page posts reaches the bridge's handlers with no server between,
    /// and these reach the page (`call.page`). Only under the name `bridge` events reach those of `bridge.on`; what is posted
    /// under another, an event too, is for `bridge.onMessage` of that name. Whether `postMessage` is answered is what the
    /// bridge says of it.
    ///
    /// Each document is a page of the bridge's, from its first moment to its last. A request that fails rejects with the
    /// failure's message: a message handler of WebKit's has no place for code and data.
    public func add(_ name: String, _ bridge: Bridge, world: WebPageContentWorld = .page) throws {
        guard let page, !page.isClosed else { return }
        let pageBridge = bridges.first { $0.bridge === bridge } ?? PageBridge(bridge, page)
        try add(name, world, pageBridge) { _, message, reply in pageBridge.receive(message, reply) }
        pageBridge.documentDidBegin()
    }

    /// Each once, whatever the number of its names.
    private var bridges: [PageBridge] {
        var found: [ObjectIdentifier: PageBridge] = [:]
        for case let bridge? in added.values { found[ObjectIdentifier(bridge)] = bridge }
        return Array(found.values)
    }

    /// Takes a handler away, from documents that are loaded already too. A script that has kept it can post no more; what it
    /// has posted is still answered. A bridge whose last name this is does not reach the page any more.
    public func remove(_ name: String, world: WebPageContentWorld = .page) {
        guard let removed = added.removeValue(forKey: Key(name: name, world: world)) else { return }
        page?.backing.removeMessageHandler(name, world: world)
        guard let removed, !bridges.contains(where: { $0 === removed }) else { return }
        leaving.removeAll { $0.isOver }
        leaving.append(removed)
        removed.handlersAreGone()
    }

    /// Takes all handlers away, of whatever world.
    public func removeAll() {
        for key in added.keys { remove(key.name, world: key.world) }
    }

    /// Another document has taken the place of the one before.
    func documentDidChange() {
        endDocument(.documentGone)
        for bridge in bridges { bridge.documentDidBegin() }
    }

    /// No document is there, nor will be before the next load.
    func pageDidEnd() { endDocument(.connectionLost) }

    private func endDocument(_ reason: BridgeSession.EndReason) {
        for bridge in bridges + leaving { bridge.documentDidEnd(reason) }
        leaving = []
    }

    private func add(
        _ name: String, _ world: WebPageContentWorld, _ bridge: PageBridge? = nil,
        _ receive: @escaping @MainActor (WebPage, WebPageScriptMessage, MessageReply) -> Void
    ) throws {
        guard !name.isEmpty else { throw MessageHandlerError.emptyName }
        let key = Key(name: name, world: world)
        guard added[key] == nil else { throw MessageHandlerError.nameIsTaken(name) }
        try page?.backing.addMessageHandler(name, world: world) { [weak page] message, reply in
            guard let page else { return reply.answer(.reject(MessageReply.Text.pageGone)) }
            receive(page, message, reply)
        }
        added.updateValue(bridge, forKey: key)
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
