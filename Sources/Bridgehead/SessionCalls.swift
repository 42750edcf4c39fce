internal import BridgeJSON
internal import BridgeWire
internal import Synchronization

// What this side asks of the page.
extension BridgeSession {
    /// Sends a request and waits for its answer.
    nonisolated func call(
        _ name: String, _ payload: JSON?, timeout: Duration?, onProgress: (@Sendable (JSON) -> Void)?
    ) async throws -> JSON {
        let id = lastCall.add(1, ordering: .relaxed).newValue
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                perform { session in
                    // The handler below may have run already, and found nothing.
                    if cancellation.isCancelled { return continuation.resume(throwing: CancellationError()) }
                    do throws(BridgeFailure) {
                        try session.begin(id, name, payload, timeout, onProgress) { continuation.resume(with: $0) }
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
        } onCancel: {
            cancellation.cancel()
            perform { $0.abandon(id, CancellationError()) }
        }
    }

    /// Sends a request whose answer goes to `finish`.
    func ask(_ name: String, _ payload: JSON?, _ finish: @escaping @Sendable (Result<JSON, any Error>) -> Void) {
        let id = lastCall.add(1, ordering: .relaxed).newValue
        do throws(BridgeFailure) {
            try begin(id, name, payload, nil, nil, finish)
        } catch {
            finish(.failure(error))
        }
    }

    /// Sends an event that is not answered.
    func notify(_ name: JSONString, _ payload: JSON?) {
        do throws(BridgeFailure) {
            var writer = JSONWriter()
            try writer.writeEvent(name, payload: payload, id: nil, preferring: checkPage())
            try checkSize(writer)
            send(writer.bytes)
        } catch {
            log(
                .warning, "an event was not sent",
                [("session", label), ("event", name.string), ("failure", "\(error)")])
        }
    }

    private func begin(
        _ id: UInt64, _ name: String, _ payload: JSON?, _ timeout: Duration?,
        _ onProgress: (@Sendable (JSON) -> Void)?, _ finish: @escaping @Sendable (Result<JSON, any Error>) -> Void
    ) throws(BridgeFailure) {
        var writer = JSONWriter()
        let dialect = try writer.writeEvent(
            JSONString(name), payload: payload, id: .number(JSONNumber(id)), preferring: checkPage())
        try checkSize(writer)
        // Pending before it is sent: an answer cannot come too early.
        var entry = CallTable.Entry(name: name, dialect: dialect, finish: finish, onProgress: onProgress)
        if let timeout {
            entry.timer = executor.after(timeout) { [weak self] in
                self?.assumeIsolated {
                    $0.abandon(id, BridgeFailure.timedOut("the page did not answer in \(timeout)"))
                }
            }
        }
        calls[id] = entry
        send(writer.bytes)
    }

    private func checkSize(_ writer: JSONWriter) throws(BridgeFailure) {
        if writer.count > limits.message {
            throw .internalError("the event has \(writer.count) bytes, over the limit named message")
        }
        // The members' values, with the envelope around them.
        if writer.deepest >= JSON.highestMaximumDepth {
            throw .internalError("the event has \(writer.deepest + 1) levels of nesting; no peer reads that many")
        }
    }

    /// Takes a call back: it fails with `error`, and the page is told.
    private func abandon(_ id: UInt64, _ error: any Error) {
        guard let entry = calls.settle(id) else { return }
        var writer = JSONWriter()
        do throws(BridgeFailure) {
            try writer.writeEvent(
                "$/cancelRequest", payload: ["id": JSON(id)], id: nil, preferring: entry.dialect)
            send(writer.bytes)
        } catch {
            log(.error, "a call cannot be taken back", [("session", label), ("failure", "\(error)")])
        }
        entry.finish(.failure(error))
    }

    /// An answer or progress for one of these calls. One for an unknown or settled id is dropped (law 7).
    func take(_ reply: Inbound.Reply) {
        guard let id = calls.key(of: reply.id) else {
            // The page answers what was taken back too.
            var isExpected = false
            if case .failure(let failure) = reply.content { isExpected = failure.code == BridgeFailure.Code.cancelled }
            log(
                isExpected ? .debug : .warning, "a stale reply was dropped",
                [("session", label), ("id", reply.id?.json.text ?? "none"), ("reason", "no call with this id waits")])
            return
        }
        switch reply.content {
        case .progress(let value): calls[id]?.onProgress?(value)
        case .result(let value): calls.settle(id)?.finish(.success(value))
        case .failure(let failure): calls.settle(id)?.finish(.failure(failure))
        }
    }
}
