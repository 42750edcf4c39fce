internal import BridgeJSON
internal import BridgeWire
internal import Synchronization

/// The native side of an app's bridge: what its handlers are, and which pages are connected.
///
/// Handlers may be added, replaced and removed at any time and from any thread; pages are told which events there are.
/// A synchronous handler runs in place, on the thread that reads the page's messages: it returns before the next
/// message is looked at, so it must not block. An asynchronous one runs there to its first suspension, then on the
/// global pool, as a task that is cancelled when the page takes the request back, a deadline passes or the page is gone.
///
/// What a handler throws fails the request: a ``BridgeFailure`` as it is, any other error as −32000 with its text.
public final class Bridge: Sendable {
    private let registrations: Mutex<Registrations>
    let pageTable = Mutex(PageTable())
    /// Changes with every registration; a session compares it with its snapshot's, which takes no lock.
    let version = Atomic(0)
    /// How many notifications handlers are still at work on, of all sessions: they go on when theirs ends.
    let notificationsAtWork = Atomic(0)

    /// - Parameter deadline: for every request whose handler has none of its own; it then fails with −32001.
    public init(deadline: Duration? = nil) {
        registrations = Mutex(Registrations(deadline: deadline))
    }

    /// Handles an event in place.
    public func on<E: BridgeEvent>(
        _ event: E.Type, _ handler: @escaping @Sendable (E, BridgeCall<E.Progress>) throws -> E.Reply
    ) where E.Reply: Codable {
        register(E.name, .typed(event, handler))
    }

    /// Handles an event as a task.
    public func on<E: BridgeEvent>(
        _ event: E.Type, deadline: Duration? = nil,
        _ handler: @escaping @Sendable (E, BridgeCall<E.Progress>) async throws -> E.Reply
    ) where E.Reply: Codable {
        register(E.name, .typed(event, handler), deadline)
    }

    /// Handles an event on the main actor, where views and view models are. In order, as the main actor comes to it.
    public func on<E: BridgeEvent>(
        _ event: E.Type, deadline: Duration? = nil,
        _ handler: @escaping @MainActor @Sendable (E, BridgeCall<E.Progress>) throws -> E.Reply
    ) where E.Reply: Codable {
        register(E.name, .typed(event) { event, call in try await handler(event, call) }, deadline)
    }

    /// Handles an event without a reply in place. A request is answered `null`.
    public func on<E: BridgeEvent>(
        _ event: E.Type, _ handler: @escaping @Sendable (E, BridgeCall<E.Progress>) throws -> Void
    ) where E.Reply == Void {
        register(E.name, .silent(event, handler))
    }

    /// Handles an event without a reply as a task. A request is answered `null` when it has run.
    public func on<E: BridgeEvent>(
        _ event: E.Type, deadline: Duration? = nil,
        _ handler: @escaping @Sendable (E, BridgeCall<E.Progress>) async throws -> Void
    ) where E.Reply == Void {
        register(E.name, .silent(event, handler), deadline)
    }

    /// Handles an event without a reply on the main actor. A request is answered `null` when it has run.
    public func on<E: BridgeEvent>(
        _ event: E.Type, deadline: Duration? = nil,
        _ handler: @escaping @MainActor @Sendable (E, BridgeCall<E.Progress>) throws -> Void
    ) where E.Reply == Void {
        register(E.name, .silent(event) { event, call in try await handler(event, call) }, deadline)
    }

    /// Handles an event in place and answers it later, for delegates and callbacks. One without a reply is answered with
    /// `reply(())`; a reply that is not `Encodable` fails the request.
    public func on<E: BridgeEvent>(
        _ event: E.Type, deadline: Duration? = nil,
        _ handler: @escaping @Sendable (E, BridgeCall<E.Progress>, BridgeReply<E.Reply>) throws -> Void
    ) {
        register(E.name, .later(event, handler), deadline)
    }

    /// Handles an event by name, in place, over its payload as JSON: an object, or an array in JSON-RPC.
    ///
    /// A `JSONCodingError` it throws counts as a payload that does not decode (−32602).
    public func on(
        _ name: String, _ handler: @escaping @Sendable (JSON, BridgeCall<JSON>) throws -> some Encodable & Sendable
    ) {
        register(name, .untyped(handler))
    }

    /// Handles an event by name, as a task, over its payload as JSON. On the main actor: `{ @MainActor payload, call async in`.
    public func on(
        _ name: String, deadline: Duration? = nil,
        _ handler: @escaping @Sendable (JSON, BridgeCall<JSON>) async throws -> some Encodable & Sendable
    ) {
        register(name, .untyped(handler), deadline)
    }

    /// Handles an event by name, as a task, without a reply. A request is answered `null` when it has run.
    public func on(
        _ name: String, deadline: Duration? = nil,
        _ handler: @escaping @Sendable (JSON, BridgeCall<JSON>) async throws -> Void
    ) {
        register(
            name,
            .untyped { payload, call in
                try await handler(payload, call)
                return JSON.null
            }, deadline)
    }

    /// Handles every event that an enum declares, as tasks, with one exhaustive `switch`.
    ///
    /// ```swift
    /// enum AppEvent: String, CaseIterable { case getTitle, save }
    /// bridge.on(AppEvent.self) { event, payload, call in
    ///     switch event {
    ///     case .getTitle: return "Title"
    ///     case .save: return try await save(JSON.decode(Note.self, from: payload))
    ///     }
    /// }
    /// ```
    /// Returning `nil` answers `null`.
    public func on<Event: RawRepresentable<String> & CaseIterable & Sendable>(
        _ events: Event.Type, deadline: Duration? = nil,
        _ handler: @escaping @Sendable (Event, JSON, BridgeCall<JSON>) async throws -> (any Encodable & Sendable)?
    ) {
        for event in events.allCases {
            let body: @Sendable (JSON, BridgeCall<JSON>) async throws -> AnyReply = { payload, call in
                AnyReply(value: try await handler(event, payload, call))
            }
            register(event.rawValue, .untyped(body), deadline)
        }
    }

    /// Handles the bodies that pages post to `webkit.messageHandlers.<name>` and that are no events, and replies to
    /// them (as a WKScriptMessageHandlerWithReply does).
    ///
    /// `Body` is decoded from what was posted: an undefined member is missing, a `Date` is one. `JSON` takes anything.
    public func onMessage<Body: Decodable & Sendable>(
        _ handlerName: String, deadline: Duration? = nil,
        _ handler: @escaping @Sendable (Body, BridgeCall<JSON>) async throws -> some Encodable & Sendable
    ) {
        change {
            $0.messages[JSONString(handlerName)] = .init(handler: .message(handler), deadline: deadline)
            $0.impliedModes[handlerName] = .reply
        }
    }

    /// Handles the bodies that pages post to `webkit.messageHandlers.<name>` and that are no events, without a reply
    /// (as a WKScriptMessageHandler does): what `postMessage` returned resolves at once.
    public func onMessage<Body: Decodable & Sendable>(
        _ handlerName: String, deadline: Duration? = nil,
        _ handler: @escaping @Sendable (Body, BridgeCall<JSON>) async throws -> Void
    ) {
        let silent: @Sendable (Body, BridgeCall<JSON>) async throws -> JSON = { body, call in
            try await handler(body, call)
            return .null
        }
        change {
            $0.messages[JSONString(handlerName)] = .init(handler: .message(silent), deadline: deadline)
            $0.impliedModes[handlerName] = .plain
        }
    }

    /// Removes what handles the event of that name, and the bodies posted to the message handler of that name. Requests it
    /// has begun are still answered.
    public func remove(_ name: String) {
        change {
            $0.handlers[JSONString(name)] = nil
            $0.messages[JSONString(name)] = nil
            $0.impliedModes[name] = nil
        }
    }

    /// Puts `middleware` around every handler; the first one added is the outermost.
    ///
    /// It sees name, payload and call, also of what has no handler; it may answer, throw, or pass on what it got or
    /// something else with `next`. What it throws goes out as it is. Messages posted to a message handler that are no
    /// events have the name `$/postMessage` and the payload `{handler, body}`.
    public func use(
        _ middleware:
            @escaping @Sendable (
                _ name: String, _ payload: JSON, _ call: BridgeCall<JSON>, _ next: (JSON) async throws -> JSON
            ) async throws -> JSON
    ) {
        change { $0.middleware.append(middleware) }
    }

    /// The events that have a handler, or an answer that stands in for one, in alphabetical order.
    package var events: [String] { snapshot.events }
}

extension Bridge {
    /// What goes before the Swift handlers of those names, replacing what was set before: answers without Swift.
    ///
    /// A failure it throws goes out as it is, whatever its code.
    package func setOverrides(
        _ overrides: [JSONString: @Sendable (_ payload: JSON, _ call: BridgeCall<JSON>) async throws -> JSON]
    ) {
        change { registrations in
            registrations.overrides = [:]
            for (name, body) in overrides {
                registrations.overrides[name] = Registration(handler: .verbatim(body))
            }
        }
    }

    /// Handles an event by passing on what somebody else answers, so that failures go out as they are, whatever their code.
    package func relay(
        _ name: String, _ body: @escaping @Sendable (_ payload: JSON, _ call: BridgeCall<JSON>) async throws -> JSON
    ) {
        register(name, .verbatim(body))
    }

    /// Declares a message handler and its mode, whether or not Swift handles it; goes before what its handler implies.
    package func setMessageHandler(_ name: String, mode: MessageHandlerMode) {
        change { $0.declaredModes[name] = mode }
    }

    /// How that message handler answers; with replies unless something says otherwise.
    package func mode(ofMessageHandler name: String) -> MessageHandlerMode {
        snapshot.messageHandlers.first { $0.name == name }?.mode ?? .reply
    }

    /// The handlers as they are now. The same until ``version`` changes.
    var snapshot: HandlerSnapshot {
        registrations.withLock { $0.snapshot(version: version.load(ordering: .acquiring)) }
    }

    private func register(_ name: String, _ handler: Handler, _ deadline: Duration? = nil) {
        change { $0.handlers[JSONString(name)] = Registration(handler: handler, deadline: deadline) }
    }

    private func change(_ body: (inout Registrations) -> Void) {
        registrations.withLock {
            body(&$0)
            $0.current = nil
            version.add(1, ordering: .releasing)
        }
        for session in pageTable.withLock({ $0.sessions }) {
            session.perform {
                $0.announceEvents()
                $0.announceMessageHandlers()
            }
        }
    }
}

/// How a page's message handler behaves, as in the app it stands for.
package enum MessageHandlerMode: String, Sendable {
    /// WKScriptMessageHandlerWithReply.
    case reply
    /// WKScriptMessageHandler.
    case plain
}

private struct AnyReply: Encodable, Sendable {
    let value: (any Encodable & Sendable)?

    func encode(to encoder: any Encoder) throws {
        if let value {
            try value.encode(to: encoder)
        } else {
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
