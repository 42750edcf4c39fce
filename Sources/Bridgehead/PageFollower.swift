package import BridgeJSON
internal import BridgeWire
internal import Synchronization

/// Goes with one page from its greeting to its end, and takes what is posted to message handlers of its own. Called where the
/// page's messages are read, one after the other: it must not block.
package protocol PageFollower: AnyObject, Sendable {
    /// The message handlers that it takes, whatever the bridge handles.
    var messageHandlers: [String] { get }

    /// `$/page.state`, `$/page.url`, `$/page.overlays`, `$/page.window` or `$/page.dialog`.
    func pageDidTell(_ name: String, _ payload: JSON)

    /// - Parameter reply: called once; the tagged form of what the page's promise is fulfilled with.
    func pageDidPost(_ message: FollowedMessage, _ reply: @escaping @Sendable (Result<JSON, BridgeFailure>) -> Void)

    /// The last that it hears.
    func pageDidEnd(_ reason: BridgeSession.EndReason)
}

/// What a page posted to a message handler that a follower takes.
package struct FollowedMessage: Sendable {
    /// The message handler.
    package let handler: String
    /// In the tagged form.
    package let body: JSON
    /// Whether it came as an event, whose answer the client tells `handleNativeResponse` too.
    package let isEvent: Bool
}

extension Bridge {
    /// Asks `follow` about each page that connects from now on, before anything else of that page is looked at.
    ///
    /// - Returns: what ``stopFollowing(_:)`` takes.
    package func followPages(_ follow: @escaping @Sendable (BridgePage) -> (any PageFollower)?) -> UInt64 {
        pageTable.withLock { table in
            let ticket = table.ticket()
            table.following[ticket] = follow
            return ticket
        }
    }

    package func stopFollowing(_ ticket: UInt64) {
        _ = pageTable.withLock { $0.following.removeValue(forKey: ticket) }
    }
}

extension BridgePage {
    /// Asks the page, in the order of these calls; `finish` is called once, on any thread.
    package func ask(
        _ name: String, _ payload: JSON? = nil, _ finish: @escaping @Sendable (Result<JSON, any Error>) -> Void
    ) {
        session.perform { $0.ask(name, payload, finish) }
    }

    /// The message handlers of its follower are others now: the page is told.
    package func followerDidChange() { session.perform { $0.announceMessageHandlers() } }
}

extension BridgeSession {
    /// The bridge's, and over them the follower's.
    var messageHandlerModes: JSONObject {
        var modes = JSONObject()
        for handler in handlers.messageHandlers { modes[handler.name] = JSON(handler.mode.rawValue) }
        for name in follower?.messageHandlers ?? [] {
            modes[JSONString(name)] = JSON(MessageHandlerMode.reply.rawValue)
        }
        return modes
    }

    /// Takes a message for the session's follower, if it has one that wants it.
    ///
    /// - Parameter isEvent: whether `body` is an event's payload, in plain form.
    func offer(
        _ body: JSON, to handler: JSONString, event name: JSONString? = nil, _ address: ReplyAddress?,
        _ slot: BatchTable.Slot?
    ) -> Bool {
        guard let follower else { return false }
        let handlerName = handler.string
        guard follower.messageHandlers.contains(handlerName) else { return false }
        let message = FollowedMessage(handler: handlerName, body: body, isEvent: name != nil)
        let nesting = limits.nesting
        let handler = Handler.later { _, context, finish in
            follower.pageDidPost(message) { answer in
                finish(
                    Result {
                        let tagged = try answer.get()
                        return try text(message.isEvent ? plain(tagged, nesting) : tagged, context)
                    })
            }
        }
        start(Registration(handler: handler), name ?? "$/postMessage", [:], address, slot)
        return true
    }

    /// An event of the page's is one posted to the handler named `bridge`.
    func offerEvent(_ name: JSONString, _ payload: JSON?, _ address: ReplyAddress, _ slot: BatchTable.Slot?) -> Bool {
        guard follower != nil, !name.isProtocols else { return false }
        var body: JSONObject = ["eventName": .string(name), "requestId": address.id.json]
        for member in ScriptValue.encode(payload ?? [:]).object ?? [:] { body[member.name] = member.value }
        return offer(.object(body), to: "bridge", event: name, address, slot)
    }
}

private func plain(_ tagged: JSON, _ nesting: Int) throws -> JSON {
    do throws(ScriptValue.Fault) {
        return try ScriptValue.decode(tagged, nesting: nesting)
    } catch {
        throw BridgeFailure.unsupportedResult(path: error.path, expected: error.expected)
    }
}
