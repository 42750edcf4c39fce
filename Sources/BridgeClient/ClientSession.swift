package import BridgeJSON
package import BridgeSockets
package import BridgeWire

/// The page's end of a conversation: sends requests and settles them by id, answers those of the native side.
///
/// Isolated to an event loop, so that messages are handled in the order in which they come. A session ends with its
/// connection, and what was in flight then fails with ``ClientFailure/connectionLost(_:)``.
package actor ClientSession: StreamSocketOwner {
    /// Answers a request of the native side; a `BridgeFailure` it throws goes back as it is. Called in the order in
    /// which requests come.
    package typealias Handler = @Sendable (JSON?) async throws -> JSON

    private struct Pending {
        let dialect: Dialect
        let onProgress: (@Sendable (JSON) -> Void)?
        let finish: @Sendable (Result<JSON, any Error>) -> Void
    }

    private enum State {
        case connecting
        case open
        case ended(ClientFailure)
    }

    private let loop: EventLoop
    private let codec: any ClientCodec
    private var socket: StreamSocket?
    private var state = State.connecting
    private var opened: (@Sendable (ClientFailure?) -> Void)?
    private var pending: [MessageID: Pending] = [:]
    private var lastID = 0
    private var handlers: [JSONString: Handler] = [:]
    private var answering: [MessageID: Task<Void, Never>] = [:]
    private var endWaiters: [@Sendable () -> Void] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, codec: any ClientCodec) {
        self.loop = loop
        self.codec = codec
    }

    // MARK: Requests

    /// Sends a request and waits for its answer. A task that is cancelled takes it back and throws `CancellationError`.
    ///
    /// - Throws: the failure that was answered as a `BridgeFailure`; −32602 for a payload that is neither an object
    ///   nor an array; `ClientFailure`.
    package func request(
        _ event: String, _ payload: JSON? = nil, dialect: Dialect = .event,
        onProgress: (@Sendable (JSON) -> Void)? = nil
    ) async throws -> JSON {
        lastID += 1
        let id = MessageID.number(JSONNumber(lastID))
        var writer = JSONWriter()
        let used = try writer.writeEvent(JSONString(event), payload: payload, id: id, preferring: dialect)
        let message = writer.bytes
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if case .ended(let failure) = state { return continuation.resume(throwing: failure) }
                pending[id] = Pending(
                    dialect: used, onProgress: onProgress, finish: { continuation.resume(with: $0) })
                transmit(message)
                // The handler below may have run already, and found nothing.
                if Task.isCancelled { takeBack(id) }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.takeBack(id) } }
        }
    }

    /// Sends an event that is not answered.
    package func notify(_ event: String, _ payload: JSON? = nil, dialect: Dialect = .event) throws {
        if case .ended(let failure) = state { throw failure }
        var writer = JSONWriter()
        try writer.writeEvent(JSONString(event), payload: payload, id: nil, preferring: dialect)
        transmit(writer.bytes)
    }

    private func takeBack(_ id: MessageID) {
        guard let entry = pending.removeValue(forKey: id) else { return }
        var writer = JSONWriter()
        // An object can always be sent.
        _ = try? writer.writeEvent(
            "$/cancelRequest", payload: ["id": id.json], id: nil, preferring: entry.dialect)
        if codec.isOrdered { end(.connectionLost("the request was taken back")) } else { transmit(writer.bytes) }
        entry.finish(.failure(CancellationError()))
    }

    // MARK: Requests of the native side

    /// Answers events of that name from now on. A second handler replaces the first.
    package nonisolated func handle(_ event: String, _ handler: @escaping Handler) {
        // Before whatever is sent after this call.
        loop.execute { self.assumeIsolated { $0.handlers[JSONString(event)] = handler } }
    }

    private func take(_ message: [UInt8]) {
        guard let json = try? JSON(parsing: message, maximumDepth: JSON.highestMaximumDepth) else { return }
        switch json {
        case .object(let object): take(Inbound(object))
        case .array(let elements): for case .object(let object) in elements { take(Inbound(object, inBatch: true)) }
        case .null, .bool, .number, .string: break
        }
    }

    private func take(_ inbound: consuming Inbound) {
        switch inbound {
        case .malformed: break
        case .reply(let reply): settle(reply)
        case .event(let name, let payload, let address, _):
            switch name.string {
            case "$/cancelRequest":
                if let id = payload?["id"].flatMap(MessageID.init) { answering[id]?.cancel() }
            case "$/progress":
                guard let id = payload?["id"].flatMap(MessageID.init) else { return }
                pending[id]?.onProgress?(payload?["value"] ?? .null)
            default:
                answer(name, payload, address)
            }
        }
    }

    private func settle(_ reply: Inbound.Reply) {
        guard let id = reply.id, let entry = pending[id] else { return }
        switch reply.content {
        case .progress(let value): return entry.onProgress?(value) ?? ()
        case .result(let value): entry.finish(.success(value))
        case .failure(let failure): entry.finish(.failure(failure))
        }
        pending[id] = nil
    }

    private func answer(_ name: JSONString, _ payload: JSON?, _ address: ReplyAddress?) {
        guard let handler = handlers[name] else {
            if let address {
                let data: JSON = ["eventName": .string(name), "nearest": []]
                let failure = BridgeFailure(BridgeFailure.Code.methodNotFound, "Method not found", data: data)
                send(.failure(failure), to: address)
            }
            return
        }
        let task = Task {
            let result: Result<JSON, any Error>
            do { result = .success(try await handler(payload)) } catch { result = .failure(error) }
            if let address { self.finish(result, address) }
        }
        if let address { answering[address.id] = task }
    }

    private func finish(_ result: Result<JSON, any Error>, _ address: ReplyAddress) {
        answering[address.id] = nil
        send(result, to: address)
    }

    private func send(_ result: Result<JSON, any Error>, to address: ReplyAddress) {
        var writer = JSONWriter()
        switch result {
        case .success(let value):
            writer.beginResponse(to: address)
            writer.write(value)
            writer.endResponse(to: address)
        case .failure(let failure as BridgeFailure):
            writer.writeFailure(failure, to: address)
        case .failure(let error) where error is CancellationError:
            writer.writeFailure(.cancelled, to: address)
        case .failure(let error):
            writer.writeFailure(BridgeFailure(BridgeFailure.Code.handlerFailed, "\(error)"), to: address)
        }
        transmit(writer.bytes)
    }

    // MARK: Connection

    /// Says goodbye and waits until the server has, so that all that was sent has arrived. After a second it is over.
    package func close() async {
        if case .ended = state { return }
        await withCheckedContinuation { continuation in
            endWaiters.append { continuation.resume() }
            loop.after(.seconds(1)) { [weak self] in
                self?.assumeIsolated { $0.end(.connectionLost("the server did not say goodbye")) }
            }
            if codec.isIdle { sayGoodbye() }
        }
    }

    /// Ends the connection at once, as a client that dies does.
    package func abort() {
        socket?.close()
        end(.connectionLost("this side ended it"))
    }

    private func sayGoodbye() {
        guard let socket else { return }
        socket.withOutput(codec.close)
        socket.shutdownWrite()
    }

    func begin(_ socket: StreamSocket, opened: @escaping @Sendable (ClientFailure?) -> Void) {
        self.socket = socket
        self.opened = opened
        socket.start(owner: self)
        socket.withOutput(codec.start)
        if codec.opensAtOnce { open() }
    }

    private func open() {
        state = .open
        opened?(nil)
        opened = nil
    }

    package func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let socket else { return }
        let events = socket.withOutput { codec.receive(bytes, &$0) }
        events.forEach(react)
        if !endWaiters.isEmpty, codec.isIdle { sayGoodbye() }
    }

    package func socketDidEndInput() {
        codec.finish().forEach(react)
        end(.connectionLost("the server ended the connection"))
    }

    package func socketDidDrain() {}

    package func socketDidClose(_ reason: SocketCloseReason) {
        switch reason {
        case .failed(let error): end(.connectionLost("\(error)"))
        case .reset: end(.connectionLost("the server broke the connection"))
        case .local, .finished: end(.connectionLost("the connection ended"))
        }
    }

    private func react(_ event: ClientEvent) {
        switch event {
        case .opened: open()
        case .message(let message): take(message)
        case .closed(let reason): end(.connectionLost(reason))
        case .refused(let reason): end(.refused(reason))
        }
    }

    private func transmit(_ message: [UInt8]) {
        socket?.withOutput { codec.send(message, &$0) }
    }

    private func end(_ failure: ClientFailure) {
        if case .ended = state { return }
        state = .ended(failure)
        opened?(failure)
        opened = nil
        let entries = pending.values
        pending = [:]
        for entry in entries { entry.finish(.failure(failure)) }
        for task in answering.values { task.cancel() }
        let waiters = endWaiters
        endWaiters = []
        for waiter in waiters { waiter() }
        // What was written still goes out: the taking back of a request, the answer to a close frame.
        socket?.closeAfterFlush()
        socket = nil
    }
}
