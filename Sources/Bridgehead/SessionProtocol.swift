internal import BridgeJSON
internal import BridgeWire

// The protocol's own events: their names begin with `$/`.
extension BridgeSession {
    func askedOfProtocol(
        _ name: JSONString, _ payload: JSON, _ address: ReplyAddress, _ slot: BatchTable.Slot?
    ) {
        // Never as a `String`: comparing those takes time quadratic in what a peer can put into one.
        switch name {
        case "$/hello":
            greet(payload, address, slot)
        case "$/cancelRequest":
            guard let id = payload["id"].flatMap(MessageID.init) else {
                fail(
                    .invalidParams(path: JSONPath([.name("id")]), expected: "the id of a request"), to: address,
                    in: slot)
                return
            }
            cancel(id)
            succeed(.null, to: address, in: slot)
        case "$/postMessage":
            post(payload, address, slot)
        default:
            let data: JSON = ["eventName": .string(name), "nearest": [], "help": "the protocol has no such request"]
            fail(
                BridgeFailure(BridgeFailure.Code.methodNotFound, "Method not found", data: data), to: address, in: slot)
        }
    }

    /// Unknown ones are ignored.
    func notifiedProtocol(_ name: JSONString, _ payload: JSON) {
        switch name {
        case "$/cancelRequest":
            if let id = payload["id"].flatMap(MessageID.init) { cancel(id) }
        case "$/progress":
            let id = payload["id"].flatMap(MessageID.init)
            take(Inbound.Reply(id: id, content: .progress(payload["value"] ?? .null)))
        case "$/postMessage":
            post(payload, nil, nil)
        case "$/page.state", "$/page.url":
            observations.changed(name, payload)
            follower?.pageDidTell(name.string, payload)
        case "$/page.overlays", "$/page.window", "$/page.dialog":
            follower?.pageDidTell(name.string, payload)
        default:
            log(.debug, "an unknown notification of the protocol was ignored", [("event", name.string)])
        }
    }

    private func cancel(_ id: MessageID) {
        guard let serial = requests.serial(of: id) else { return }
        settle(serial, .cancelled)
    }

    private func greet(_ hello: JSON, _ address: ReplyAddress, _ slot: BatchTable.Slot?) {
        if kind == .exchange {
            fail(.invalidRequest("a request over HTTP is a session of its own, without a page"), to: address, in: slot)
            return
        }
        guard hello["protocol"]?.int == BridgeProtocol.version else {
            fail(.unsupportedVersion(BridgeProtocol.version), to: address, in: slot)
            return
        }
        announced = handlers.events
        observations.greeted(hello["page"])
        // Whoever has the answer finds the page listed. What is sent to it meanwhile is sent by a later job of the
        // executor, and so after the answer.
        if slot == nil { list(address.dialect) }
        announcedHandlers = messageHandlerModes
        succeed(
            [
                "protocol": JSON(BridgeProtocol.version),
                "server": ["name": JSON(BridgeProtocol.name), "version": JSON(BridgeProtocol.release)],
                "session": JSON(label),
                "events": .array(announced.map { JSON($0) }),
                "messageHandlers": .object(announcedHandlers),
                "limits": limits.json,
            ], to: address, in: slot)
        log(
            .info, "page connected",
            [("session", label), ("url", hello["page"]?["url"]?.string ?? ""), ("client", hello["client"]?.text ?? "")])
        if let slot, batches.isWaiting(slot.batch) {
            greetings[slot.batch] = address.dialect
        } else {
            open(address.dialect)
        }
    }

    private func list(_ dialect: Dialect) {
        let isFirst = greeting == nil
        greeting = dialect
        if isFirst { follower = bridge.connected(self) }
    }

    /// The greeting is answered: messages may be started from this side.
    func open(_ dialect: Dialect) {
        list(dialect)
        // Registrations that came while this page was not yet in the list.
        announceEvents()
        announceMessageHandlers()
    }

    /// Tells the page which events there are, if that has changed since it was told.
    func announceEvents() {
        guard let greeting else { return }
        let events = bridge.events
        guard events != announced else { return }
        announced = events
        announce("$/eventsChanged", ["events": .array(events.map { JSON($0) })], greeting)
    }

    /// Tells the page which message handlers there are, if that has changed since it was told.
    func announceMessageHandlers() {
        guard let greeting else { return }
        refreshHandlers()
        let modes = messageHandlerModes
        guard modes != announcedHandlers else { return }
        announcedHandlers = modes
        announce("$/messageHandlersChanged", ["messageHandlers": .object(modes)], greeting)
    }

    private func announce(_ name: JSONString, _ payload: JSON, _ dialect: Dialect) {
        var writer = JSONWriter()
        do throws(BridgeFailure) {
            try writer.writeEvent(name, payload: payload, id: nil, preferring: dialect)
            send(writer.bytes)
        } catch {
            log(
                .error, "a change cannot be announced",
                [("session", label), ("event", name.string), ("failure", "\(error)")])
        }
    }

    private func post(_ payload: JSON, _ address: ReplyAddress?, _ slot: BatchTable.Slot?) {
        guard case .string(let handlerName) = payload["handler"] else {
            let path = JSONPath([.name("handler")])
            if let address {
                fail(.invalidParams(path: path, expected: "the name of a message handler"), to: address, in: slot)
            }
            return
        }
        if offer(payload["body"] ?? .null, to: handlerName, address, slot) { return }
        let event = payload["body"]?["eventName"]
        // An event is none of `onMessage`'s bodies.
        if handlerName == "bridge", case .string(let name)? = event, !name.isProtocols {
            postEvent(name, payload, address, slot)
            return
        }
        if let registration = handlers.message(handlerName) {
            start(registration, "$/postMessage", payload, address, slot)
            return
        }
        let literal = JSON(LogLine.cut(handlerName.string, LogLine.longestName)).text
        let why =
            if case .string? = event, handlerName != "bridge" {
                "an event is heard by the message handler named \"bridge\" alone"
            } else {
                "what was posted is no event"
            }
        let help =
            "no message handler is registered for \(literal), and \(why). "
            + "To add one: bridge.onMessage(\(literal)) { (body: JSON, call) in JSON.null }"
        log(.warning, "no message handler", [("session", label), ("handler", handlerName.string), ("help", help)])
        let near = nearestNames(to: handlerName.string, in: handlers.messageNames).map { JSON($0.name) }
        refuse(
            payload,
            BridgeFailure(
                BridgeFailure.Code.methodNotFound, "Method not found",
                data: ["handler": .string(handlerName), "nearest": .array(near), "help": JSON(help)]),
            address, slot)
    }

    /// What was posted and no handler gets: middleware sees it all the same.
    private func refuse(
        _ payload: JSON, _ failure: BridgeFailure, _ address: ReplyAddress?, _ slot: BatchTable.Slot?
    ) {
        if let registration = handlers.refusal(of: "$/postMessage", { failure }) {
            start(registration, "$/postMessage", payload, address, slot)
        } else if let address {
            fail(failure, to: address, in: slot)
        }
    }

    /// An event that was posted with a member that JSON cannot say, and is in the tagged form for that reason.
    private func postEvent(
        _ name: JSONString, _ posted: JSON, _ address: ReplyAddress?, _ slot: BatchTable.Slot?
    ) {
        guard let registration = handlers[name] ?? handlers.unhandled(name) else {
            let failure = unhandled(name)
            if let address { fail(failure, to: address, in: slot) }
            return
        }
        do throws(ScriptValue.Fault) {
            let body = try ScriptValue.decode(posted["body"] ?? [:], nesting: limits.nesting)
            guard case .object(var payload) = body else { return }
            payload.removeValue(forKey: "eventName")
            payload.removeValue(forKey: "requestId")
            start(registration.answeringInTaggedForm, name, .object(payload), address, slot)
        } catch {
            refuse(posted, .invalidParams(path: error.path, expected: error.expected), address, slot)
        }
    }

    private func succeed(_ result: JSON, to address: ReplyAddress, in slot: BatchTable.Slot?) {
        var writer = JSONWriter()
        writer.beginResponse(to: address)
        writer.write(result)
        writer.endResponse(to: address)
        answer(writer, to: address, in: slot)
    }
}
