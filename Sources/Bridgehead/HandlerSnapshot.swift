internal import BridgeJSON
internal import BridgeWire
internal import Synchronization

typealias Middleware =
    @Sendable (
        _ name: String, _ payload: JSON, _ call: BridgeCall<JSON>, _ next: (JSON) async throws -> JSON
    ) async throws -> JSON

/// What was registered, under the bridge's lock.
struct Registrations {
    var deadline: Duration?
    var handlers: [JSONString: Registration] = [:]
    var overrides: [JSONString: Registration] = [:]
    var messages: [JSONString: Registration] = [:]
    var impliedModes: [String: MessageHandlerMode] = [:]
    var declaredModes: [String: MessageHandlerMode] = [:]
    var middleware: [Middleware] = []
    var current: HandlerSnapshot?

    init(deadline: Duration?) {
        self.deadline = deadline
    }

    mutating func snapshot(version: Int) -> HandlerSnapshot {
        if let current { return current }
        let made = HandlerSnapshot(self, version: version)
        current = made
        return made
    }
}

/// The handlers at one moment, middleware around them. Immutable, so that sessions read it without a lock.
final class HandlerSnapshot: Sendable {
    let version: Int
    let events: [String]
    /// Name → mode; `bridge` is always there.
    let messageHandlers: [(name: String, mode: MessageHandlerMode)]
    private let handlers: NameTable<Registration>
    private let messages: [JSONString: Registration]
    private let middleware: [Middleware]
    /// Made when an event is missed, which may never be.
    private let knownNames = Mutex<KnownNames?>(nil)

    fileprivate init(_ all: Registrations, version: Int) {
        self.version = version
        middleware = all.middleware
        let handlers = all.handlers.merging(all.overrides) { _, override in override }
            .filter { !$0.key.isProtocols }
        events = handlers.keys.map(\.string).sorted()
        self.handlers = NameTable(
            Dictionary(
                uniqueKeysWithValues: handlers.map { name, registration in
                    (name, registration.complete(name.string, all))
                }))
        messages = all.messages.mapValues { $0.complete("$/postMessage", all) }
        let modes = ["bridge": MessageHandlerMode.reply]
            .merging(all.impliedModes) { $1 }
            .merging(all.declaredModes) { $1 }
        messageHandlers = modes.sorted { $0.key < $1.key }.map { (name: $0.key, mode: $0.value) }
    }

    subscript(name: JSONString) -> Registration? { handlers[name] }

    /// The handler of bodies posted to that message handler.
    func message(_ handlerName: JSONString) -> Registration? { messages[handlerName] }

    var messageNames: [String] { messages.keys.map(\.string) }

    /// What middleware makes of an event that has no handler; nil without middleware.
    func unhandled(_ name: JSONString) -> Registration? {
        refusal(of: name.string) { self.failure(unhandled: name) }
    }

    /// What middleware makes of something that no handler gets; nil without middleware.
    func refusal(of name: String, _ failure: @escaping @Sendable () -> BridgeFailure) -> Registration? {
        middleware.isEmpty
            ? nil : Registration(handler: Handler.async { _, _ in throw failure() }.inside(middleware, name: name))
    }

    /// −32601, naming the event and those that it may have been meant to be.
    func failure(unhandled eventName: JSONString) -> BridgeFailure {
        let name = eventName.string
        let near = knownNames.withLock { known in
            let names = known ?? KnownNames(events)
            known = names
            return names
        }.nearest(to: name)
        // A page may make it as long as it likes; what is said of it is for people.
        let shown = LogLine.cut(name, LogLine.longestName)
        var help = "no handler is registered for \"\(shown)\""
        for other in near { help += "; \"\(other.name)\" \(other.difference)" }
        help += ". To add one: bridge.on(\(swiftLiteral(shown))) { (payload: JSON, call) in JSON.null }"
        return BridgeFailure(
            BridgeFailure.Code.methodNotFound, "Method not found",
            data: [
                "eventName": .string(eventName), "nearest": .array(near.map { JSON($0.name) }), "help": JSON(help),
            ])
    }
}

extension Registration {
    /// With the deadline it has if none was given, and with the middleware around it.
    fileprivate func complete(_ name: String, _ all: Registrations) -> Registration {
        Registration(handler: handler.inside(all.middleware, name: name), deadline: deadline ?? all.deadline)
    }
}

extension Handler {
    fileprivate func inside(_ middleware: [Middleware], name: String) -> Handler {
        middleware.reversed().reduce(self) { inner, outer in
            .async { payload, context in
                let answer = try await outer(name, payload, BridgeCall(context: context)) { payload in
                    let text = try await inner.run(payload, context)
                    return try JSON(parsing: text, maximumDepth: JSON.highestMaximumDepth)
                }
                return try Bridgehead.text(answer, context)
            }
        }
    }
}

extension JSONString {
    /// Whether the name is the protocol's: it begins with `$/`.
    var isProtocols: Bool { withUTF8 { $0.starts(with: "$/".utf8) } }
}

/// A name as it has to be written in Swift source.
private func swiftLiteral(_ name: String) -> String {
    let escaped = name.unicodeScalars.map { scalar in
        switch scalar {
        case "\\": #"\\"#
        case "\"": #"\""#
        case _ where scalar.value < 0x20 || scalar.value == 0x7F: "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
    }
    return "\"\(escaped.joined())\""
}
