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
    /// What was sent and not answered, where answers are ordered; nil for what is no request.
    private var exchanges: [MessageID?] = []
    /// Whether the native side may begin messages of its own: not before it was greeted (PROTOCOL.md, section 5).
    private var hasGreeted = false
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
                if event == "$/hello" { hasGreeted = true }
                transmit(message, id)
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
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: message, maximumDepth: JSON.highestMaximumDepth)
        } catch {
            return end(.refused("it sent what is no JSON (\(error.reason)): \(excerpt(of: message))"))
        }
        let isUnderstood: Bool
        switch json {
        case .object(let object):
            isUnderstood = take(Inbound(object))
        case .array(let elements):
            isUnderstood = elements.reduce(false) { isUnderstood, element in
                guard case .object(let object) = element else { return isUnderstood }
                return take(Inbound(object, inBatch: true)) || isUnderstood
            }
        case .null, .bool, .number, .string:
            isUnderstood = false
        }
        if !isUnderstood { end(.refused("it sent what is no answer: \(excerpt(of: message))")) }
    }

    /// - Returns: whether it is what a bridge may send. Whoever waits for an answer would else do so without end.
    private func take(_ inbound: consuming Inbound) -> Bool {
        switch inbound {
        case .malformed:
            return false
        case .reply(let reply):
            return settle(reply)
        case .event(let name, let payload, let address, _):
            // An echo of the request is such a thing.
            guard address == nil || hasGreeted else { return false }
            switch name {
            case "$/cancelRequest":
                if let id = payload?["id"].flatMap(MessageID.init) { answering[id]?.cancel() }
            case "$/progress":
                if let id = payload?["id"].flatMap(MessageID.init) {
                    pending[id]?.onProgress?(payload?["value"] ?? .null)
                }
            default:
                answer(name, payload, address)
            }
            return true
        }
    }

    /// - Returns: whether it answers something that was asked, be it no longer wanted.
    private func settle(_ reply: Inbound.Reply) -> Bool {
        var id = reply.id
        // What the peer could not read it answers with no id.
        if case .failure = reply.content, id == nil || id == .null {
            guard pending.count == 1, let only = pending.keys.first else { return true }
            id = only
        }
        guard let id, let entry = pending[id] else { return wasAsked(reply.id) }
        switch reply.content {
        case .progress(let value):
            entry.onProgress?(value)
            return true
        case .result(let value): entry.finish(.success(value))
        case .failure(let failure): entry.finish(.failure(failure))
        }
        pending[id] = nil
        return true
    }

    private func wasAsked(_ id: MessageID?) -> Bool {
        guard let id, case .number(let number) = id, let number = number.int else { return false }
        return (1...max(lastID, 1)).contains(number)
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
        let task = run(handler, payload, address)
        if let address { answering[address.id] = task }
    }

    /// The first part runs before this returns, so that handlers begin in the order of their messages.
    private nonisolated func run(_ handler: @escaping Handler, _ payload: JSON?, _ address: ReplyAddress?) -> Task<
        Void, Never
    > {
        Task(executorPreference: InOrderExecutor()) {
            let result: Result<JSON, any Error>
            do { result = .success(try await handler(payload)) } catch { result = .failure(error) }
            if let address { await self.finish(result, address) }
        }
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
    ///
    /// - Throws: when the server does not take what was sent.
    package func close() async throws(ClientFailure) {
        await untilGoodbye()
        if case .ended(let failure) = state, case .refused = failure { throw failure }
    }

    private func untilGoodbye() async {
        if case .ended = state { return }
        await withCheckedContinuation { continuation in
            endWaiters.append { continuation.resume() }
            loop.after(.seconds(1)) { [weak self] in
                self?.assumeIsolated { $0.end(.connectionLost("the server did not say goodbye")) }
            }
            if codec.isIdle { sayGoodbye() }
        }
    }

    /// Says goodbye and leaves without waiting for the server's: for whoever has the answer. What was written is sent.
    package func leave() async {
        sayGoodbye()
        end(.connectionLost("this side ended it"))
        // Sent at the end of this turn of the loop; what is added to the loop now has its turn after that.
        await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
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
        if events.isEmpty { letOthers(socket) }
        if !endWaiters.isEmpty, codec.isIdle { sayGoodbye() }
    }

    /// A server that sends without end what is nothing, such as pongs, holds up neither a cancellation nor other sessions:
    /// what the loop has to do comes before the next read.
    private func letOthers(_ socket: StreamSocket) {
        socket.pauseReading()
        loop.execute { socket.resumeReading() }
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
        case .answer(let body): take(answer: body)
        case .closed(let reason): end(.connectionLost(reason))
        case .refused(let reason): end(.refused(reason))
        }
    }

    /// The answer has to hold the answer: nothing else will come.
    private func take(answer body: [UInt8]) {
        let id = exchanges.isEmpty ? nil : exchanges.removeFirst()
        if !body.isEmpty { take(body) }
        guard let id, pending[id] != nil else { return }
        end(.refused(body.isEmpty ? "its answer is empty" : "it sent what is no answer: \(excerpt(of: body))"))
    }

    /// - Parameter id: of the request that it is; nil for anything else.
    private func transmit(_ message: [UInt8], _ id: MessageID? = nil) {
        if codec.isOrdered { exchanges.append(id) }
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
