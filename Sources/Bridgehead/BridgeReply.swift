internal import BridgeJSON
internal import BridgeWire
internal import Synchronization

/// The answer a handler gives later, from any thread: once.
///
/// A second answer is logged and not sent. Letting go of the last reference without answering fails the request with
/// −32003, and the log names the handler.
public final class BridgeReply<Value: Sendable>: Sendable {
    private let context: CallContext
    private let encode: @Sendable (Value) throws -> [UInt8]
    private let finish: @Sendable (Result<[UInt8], any Error>) -> Void
    private let answered = Atomic(false)

    init(
        _ context: CallContext, encode: @escaping @Sendable (Value) throws -> [UInt8],
        finish: @escaping @Sendable (Result<[UInt8], any Error>) -> Void
    ) {
        self.context = context
        self.encode = encode
        self.finish = finish
    }

    /// Answers the request: `reply(value)`.
    public func callAsFunction(_ value: Value) {
        settle(Result { try encode(value) })
    }

    /// Fails the request as throwing `error` from a handler does.
    public func fail(_ error: any Error) {
        settle(.failure(BridgeFailure(thrownByHandler: error)))
    }

    private func settle(_ result: Result<[UInt8], any Error>) {
        if answered.exchange(true, ordering: .acquiringAndReleasing) {
            context.session.log(
                .warning, "a second answer was not sent", context.fields("help", "a request is answered once"))
        } else {
            finish(result)
        }
    }

    deinit {
        if !answered.load(ordering: .acquiring) {
            finish(.failure(BridgeFailure.noReply(context.name.string)))
        }
    }
}
