internal import BridgeJSON
internal import BridgeWire
internal import Synchronization

/// A handler without its types. What it throws is what goes out: errors of the application are mapped inside.
enum Handler: Sendable {
    /// Runs in place and writes its result's text.
    case sync(@Sendable (JSON, CallContext, inout JSONWriter) throws -> Void)
    /// Runs in place to its first suspension; returns its result's text.
    case async(@Sendable (JSON, CallContext) async throws -> [UInt8])
    /// Runs in place and calls `Finish` later, once; anything it throws comes instead.
    case later(@Sendable (JSON, CallContext, @escaping Finish) throws -> Void)

    typealias Finish = @Sendable (Result<[UInt8], any Error>) -> Void
}

struct Registration: Sendable {
    var handler: Handler
    var deadline: Duration?
}

extension Registration {
    var answeringInTaggedForm: Registration {
        Registration(handler: handler.answeringInTaggedForm, deadline: deadline)
    }
}

extension Handler {
    static func typed<E: BridgeEvent>(
        _: E.Type, _ body: @escaping @Sendable (E, BridgeCall<E.Progress>) throws -> E.Reply
    ) -> Handler where E.Reply: Encodable {
        .sync { payload, context, writer in
            let event = try decode(E.self, payload)
            let reply = try mapping { try body(event, BridgeCall(context: context)) }
            try write(reply, &writer, context)
        }
    }

    static func typed<E: BridgeEvent>(
        _: E.Type, _ body: @escaping @Sendable (E, BridgeCall<E.Progress>) async throws -> E.Reply
    ) -> Handler where E.Reply: Encodable {
        .async { payload, context in
            let event = try decode(E.self, payload)
            return try text(try await mapping { try await body(event, BridgeCall(context: context)) }, context)
        }
    }

    static func silent<E: BridgeEvent>(
        _: E.Type, _ body: @escaping @Sendable (E, BridgeCall<E.Progress>) throws -> Void
    ) -> Handler {
        .sync { payload, context, writer in
            let event = try decode(E.self, payload)
            try mapping { try body(event, BridgeCall(context: context)) }
            writer.write(raw: "null")
        }
    }

    static func silent<E: BridgeEvent>(
        _: E.Type, _ body: @escaping @Sendable (E, BridgeCall<E.Progress>) async throws -> Void
    ) -> Handler {
        .async { payload, context in
            let event = try decode(E.self, payload)
            try await mapping { try await body(event, BridgeCall(context: context)) }
            return nullText
        }
    }

    static func later<E: BridgeEvent>(
        _: E.Type,
        _ body: @escaping @Sendable (E, BridgeCall<E.Progress>, BridgeReply<E.Reply>) throws -> Void
    ) -> Handler {
        .later { payload, context, finish in
            let event = try decode(E.self, payload)
            let reply = BridgeReply<E.Reply>(
                context,
                encode: { value in
                    if let value = value as? any Encodable { return try text(value, context) }
                    if value is Void { return nullText }
                    throw BridgeFailure.internalError("the result cannot be encoded: \(E.Reply.self) is not Encodable")
                }, finish: finish)
            // The failure goes through the reply: letting go of that would answer first.
            do { try body(event, BridgeCall(context: context), reply) } catch { reply.fail(error) }
        }
    }

    static func untyped(
        _ body: @escaping @Sendable (JSON, BridgeCall<JSON>) throws -> some Encodable & Sendable
    ) -> Handler {
        .sync { payload, context, writer in
            let reply = try mappingUntyped { try body(payload, BridgeCall(context: context)) }
            try write(reply, &writer, context)
        }
    }

    static func untyped(
        _ body: @escaping @Sendable (JSON, BridgeCall<JSON>) async throws -> some Encodable & Sendable
    ) -> Handler {
        .async { payload, context in
            try text(try await mappingUntyped { try await body(payload, BridgeCall(context: context)) }, context)
        }
    }

    /// For what stands in for a handler: its failures go out verbatim.
    static func verbatim(
        _ body: @escaping @Sendable (JSON, BridgeCall<JSON>) async throws -> JSON
    ) -> Handler {
        .async { payload, context in
            do {
                return try text(try await body(payload, BridgeCall(context: context)), context)
            } catch let error as JSONCodingError {
                throw BridgeFailure.invalidParams(error)
            }
        }
    }

    /// A handler of the bodies posted to one of a page's message handlers: the payload is that of `$/postMessage`.
    static func message<Body: Decodable & Sendable>(
        _ body: @escaping @Sendable (Body, BridgeCall<JSON>) async throws -> some Encodable & Sendable
    ) -> Handler {
        .async { payload, context in
            let plain: JSON
            do throws(ScriptValue.Fault) {
                plain = try ScriptValue.decode(payload["body"] ?? .null, nesting: context.session.limits.nesting)
            } catch {
                throw BridgeFailure.invalidParams(path: error.path, expected: error.expected)
            }
            let posted = try decode(Body.self, plain)
            return try text(try await mapping { try await body(posted, BridgeCall(context: context)) }, context)
        }.answeringInTaggedForm
    }

    /// The same handler, for a page that takes the answer of `$/postMessage` in the tagged form, as it sent the body.
    var answeringInTaggedForm: Handler {
        .async { payload, context in
            let plain = try JSON(parsing: await run(payload, context), maximumDepth: JSON.highestMaximumDepth)
            var writer = JSONWriter()
            writer.write(ScriptValue.encode(plain))
            return writer.bytes
        }
    }

    /// Runs whatever kind it is to its end, for middleware.
    func run(_ payload: JSON, _ context: CallContext) async throws -> [UInt8] {
        switch self {
        case .sync(let body):
            var writer = JSONWriter()
            try body(payload, context, &writer)
            return writer.bytes
        case .async(let body):
            return try await body(payload, context)
        case .later(let body):
            return try await withCheckedThrowingContinuation { continuation in
                let finish = Once { continuation.resume(with: $0) }
                do {
                    try body(payload, context) { finish($0) }
                } catch {
                    finish(.failure(error))
                }
            }
        }
    }
}

// What the handlers above are made of.

let nullText = Array("null".utf8)

@inline(__always)
private func decode<T: Decodable>(_ type: T.Type, _ payload: JSON) throws(BridgeFailure) -> T {
    do throws(JSONCodingError) {
        return try JSON.decode(type, from: payload)
    } catch {
        throw .invalidParams(error)
    }
}

/// A result may nest a little more deeply than the request it answers, but not so that no peer could read it. The envelope
/// is its first level.
@inline(__always)
private func write(
    _ value: some Encodable, _ writer: inout JSONWriter, _ context: CallContext
) throws(BridgeFailure) {
    do throws(JSONCodingError) {
        try JSON.encode(value, into: &writer, maximumDepth: JSON.highestMaximumDepth - 1)
    } catch {
        throw .internalError("the result cannot be encoded: \(error)", path: error.path)
    }
}

func text(_ value: some Encodable, _ context: CallContext) throws(BridgeFailure) -> [UInt8] {
    var writer = JSONWriter()
    try write(value, &writer, context)
    return writer.bytes
}

@inline(__always)
private func mapping<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw BridgeFailure(thrownByHandler: error) }
}

@inline(__always)
private func mapping<T>(_ body: () async throws -> T) async throws -> T {
    do { return try await body() } catch { throw BridgeFailure(thrownByHandler: error) }
}

/// An untyped handler decodes its payload itself; that it does not decode is the page's fault as for a typed one.
private func untypedFailure(_ error: any Error) -> BridgeFailure {
    if let error = error as? JSONCodingError {
        return .invalidParams(error)
    }
    return BridgeFailure(thrownByHandler: error)
}

@inline(__always)
private func mappingUntyped<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw untypedFailure(error) }
}

@inline(__always)
private func mappingUntyped<T>(_ body: () async throws -> T) async throws -> T {
    do { return try await body() } catch { throw untypedFailure(error) }
}

/// What throws and lets go of its reply answers twice: the first counts.
private final class Once: Sendable {
    private let done = Atomic(false)
    private let body: Handler.Finish

    init(_ body: @escaping Handler.Finish) {
        self.body = body
    }

    func callAsFunction(_ result: Result<[UInt8], any Error>) {
        if !done.exchange(true, ordering: .acquiringAndReleasing) { body(result) }
    }
}
