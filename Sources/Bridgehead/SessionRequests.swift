internal import BridgeJSON
internal import BridgeWire
internal import Synchronization

// What the other side asks for: from a message to its handler, and from the handler to the answer.
extension BridgeSession {
    /// - Parameter batch: the batch the message is an element of.
    func take(_ inbound: consuming Inbound, in batch: UInt64?) {
        switch inbound {
        case .malformed(let address, let failure):
            log(.warning, "a message is malformed", [("session", label), ("error", "\(failure.data ?? .null)")])
            fail(failure, to: address, in: reserve(address, batch))
        case .reply(let reply):
            take(reply)
        case .event(let name, let payload, let address, _):
            guard let address else {
                notified(name, payload ?? [:])
                return
            }
            let slot = reserve(address, batch)
            if !requests.isIdle, requests.isInFlight(address.id) {
                fail(.duplicateID, to: address, in: slot)
                return
            }
            if slot != nil { requests.hold(address.id, 0) }
            if let refusal, name != "$/cancelRequest" {
                fail(refusal, to: address, in: slot)
                return
            }
            asked(name, payload ?? [:], address, slot)
        }
    }

    private func asked(_ name: JSONString, _ payload: JSON, _ address: ReplyAddress, _ slot: BatchTable.Slot?) {
        refreshHandlers()
        if offerEvent(name, payload, address, slot) { return }
        if let registration = handlers[name] {
            start(registration, name, payload, address, slot)
        } else if name.isProtocols {
            askedOfProtocol(name, payload, address, slot)
        } else if let registration = handlers.unhandled(name) {
            start(registration, name, payload, address, slot)
        } else {
            fail(unhandled(name), to: address, in: slot)
        }
    }

    private func notified(_ name: JSONString, _ payload: JSON) {
        refreshHandlers()
        if let registration = handlers[name] ?? (name.isProtocols ? nil : handlers.unhandled(name)) {
            start(registration, name, payload, nil, nil)
        } else if name.isProtocols {
            notifiedProtocol(name, payload)
        } else {
            _ = unhandled(name)
        }
    }

    func refreshHandlers() {
        if bridge.version.load(ordering: .acquiring) != handlers.version { handlers = bridge.snapshot }
    }

    /// The failure to answer; the log says the same.
    func unhandled(_ name: JSONString) -> BridgeFailure {
        let failure = handlers.failure(unhandled: name)
        log(
            .warning, "no handler for this event",
            [
                ("session", label), ("event", name.string), ("nearest", failure.data?["nearest"]?.text ?? "[]"),
                ("help", failure.data?["help"]?.string ?? ""),
            ])
        return failure
    }

    /// Calls a handler. Nothing of the session is being changed while it runs.
    @inline(never)
    func start(
        _ registration: Registration, _ name: JSONString, _ payload: JSON, _ address: ReplyAddress?,
        _ slot: BatchTable.Slot?
    ) {
        if let address, requests.count >= limits.inFlight {
            fail(.tooManyRequests(limits.inFlight), to: address, in: slot)
            return
        }
        lastSerial += 1
        let serial = lastSerial
        if case .sync(let body) = registration.handler {
            let context = CallContext(
                session: self, serial: serial, name: name, reply: address, cancellation: nil)
            runInPlace(body, payload, context, slot)
        } else {
            startPending(registration, serial, name, payload, address, slot)
        }
    }

    /// Calls a handler that may answer later. A method of its own: what it sets up would be paid for by the others too.
    @inline(never)
    private func startPending(
        _ registration: Registration, _ serial: UInt64, _ name: JSONString, _ payload: JSON, _ address: ReplyAddress?,
        _ slot: BatchTable.Slot?
    ) {
        var cancellation = Cancellation()
        if let address {
            var entry = RequestTable.Entry(serial: serial, reply: address, name: name, slot: slot)
            cancellation = entry.cancellation
            if let deadline = registration.deadline {
                entry.timer = executor.after(deadline) { [weak self] in
                    self?.assumeIsolated { $0.settle(serial, .timedOut("the handler did not answer in \(deadline)")) }
                }
            }
            requests.begin(entry)
        } else {
            guard bridge.notificationsAtWork.load(ordering: .relaxed) < limits.notifications else {
                log(.warning, "too many notifications: one was dropped", [("session", label), ("event", name.string)])
                return
            }
            bridge.notificationsAtWork.add(1, ordering: .relaxed)
        }
        let context = CallContext(
            session: self, serial: serial, name: name, reply: address, cancellation: cancellation)
        switch registration.handler {
        case .sync: break
        case .async(let body):
            let task = Self.run(body, payload, context)
            // Settled already if it did not suspend, or if what it did took it back: then it is not wanted.
            if address != nil, !requests.setTask(task, of: serial) { task.cancel() }
        case .later(let body):
            do {
                try body(payload, context) { result in context.session.perform { $0.finish(context, result) } }
            } catch {
                finish(context, .failure(error))
            }
        }
    }

    private func runInPlace(
        _ body: (JSON, CallContext, inout JSONWriter) throws -> Void, _ payload: JSON, _ context: CallContext,
        _ slot: BatchTable.Slot?
    ) {
        let outer = running
        running = context.serial
        var writer = takeScratch()
        if let address = context.reply {
            writer.beginResponse(to: address)
            do {
                try body(payload, context, &writer)
                writer.endResponse(to: address)
            } catch {
                let failure = BridgeFailure(verbatim: error)
                logFailure(failure, context)
                writer.removeAll()
                writer.writeFailure(failure, to: address)
            }
            running = outer
            answer(writer, to: address, in: slot)
        } else {
            do { try body(payload, context, &writer) } catch { logFailure(BridgeFailure(verbatim: error), context) }
            running = outer
        }
        giveBack(writer)
    }

    /// The first part runs before this returns.
    private nonisolated static func run(
        _ body: @escaping @Sendable (JSON, CallContext) async throws -> [UInt8], _ payload: JSON,
        _ context: CallContext
    ) -> Task<Void, Never> {
        Task(executorPreference: InOrderExecutor()) {
            let result: Result<[UInt8], any Error>
            do { result = .success(try await body(payload, context)) } catch { result = .failure(error) }
            context.session.perform { $0.finish(context, result) }
        }
    }

    /// A handler has done what it does. Whoever asked may not want it any more.
    func finish(_ context: CallContext, _ result: Result<[UInt8], any Error>) {
        guard let address = context.reply else {
            bridge.notificationsAtWork.subtract(1, ordering: .relaxed)
            if case .failure(let error) = result { logFailure(BridgeFailure(verbatim: error), context) }
            return
        }
        guard let entry = requests.settle(context.serial) else {
            log(.debug, "a late result was dropped", context.fields("id", address.id.json.text))
            return
        }
        entry.timer?.cancel()
        switch result {
        case .success(let text):
            var writer = takeScratch()
            writer.beginResponse(to: address)
            writer.write(raw: text)
            writer.endResponse(to: address)
            answer(writer, to: address, in: entry.slot)
            giveBack(writer)
        case .failure(let error):
            let failure = BridgeFailure(verbatim: error)
            logFailure(failure, context)
            fail(failure, to: address, in: entry.slot)
        }
        noticeIdle()
    }

    /// Answers for the handler, whose own results are dropped from now on.
    func settle(_ serial: UInt64, _ failure: BridgeFailure) {
        guard let entry = requests.settle(serial) else { return }
        // Whoever hears of the failure finds its handler told.
        entry.stop()
        fail(failure, to: entry.reply, in: entry.slot)
        noticeIdle()
    }

    /// Progress, if its call is still going on.
    func report(_ bytes: [UInt8], of serial: UInt64) {
        guard serial == running || requests.isPending(serial) else { return }
        if bytes.count > limits.message {
            log(.error, "progress is over the message limit and was dropped", [("session", label)])
        } else {
            send(bytes)
        }
    }

    private func logFailure(_ failure: BridgeFailure, _ context: CallContext) {
        let level: BridgeLog.Level =
            failure.code == BridgeFailure.Code.noReply || failure.code == BridgeFailure.Code.internalError
            ? .error : .info
        log(level, "a handler failed", context.fields("failure", failure.description))
    }
}
