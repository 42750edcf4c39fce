import BridgeJSON
import BridgeSockets

/// The steps of vectors whose subject is the bytes of a transport.
final class RawDriver: StepDriver {
    private let context: VectorContext
    private var medium: (any RawMedium)?
    /// Connections that only take places.
    private var crowd: [ByteConnection] = []
    /// Whether the connection was ended by either side, as the vector wants it.
    private var hasEnded = false

    init(_ context: VectorContext) { self.context = context }

    /// The connection is made by the first step that needs one: others may have to be there before.
    func open() async throws(StepFailure) {}

    func close() async {
        await medium?.stream.connection.cut()
        for connection in crowd { await connection.cut() }
        medium = nil
    }

    func perform(_ step: Step) async throws(StepFailure) {
        switch step {
        case .send(let json, let chop), .sendText(let json, let chop):
            let departure = try await departure(json)
            try await send(departure, chop)
        case .expect(let json):
            if let next = try await connected().expect(json, context) { medium = next }
        case .expectClose(let expected):
            try await connected().expectClose(expected, context)
            hasEnded = true
        case .hangUp(let how):
            try await hangUp(how)
        case .reconnect:
            context.wire.note("a new connection")
            await medium?.stream.connection.cut()
            medium = nil
            hasEnded = false
        case .crowd(let count):
            try await gather(context.withBindings { b throws(StepFault) in try b.count(count) })
        case .anyOrder(let steps):
            try await connected().expectAnyOrder(steps, context)
        case .expectText, .quiet:
            throw StepFailure(StepFault("bytes are expected in their order, by \"expect\""))
        case .script: throw StepFailure(StepFault("only a page has scripts"))
        case .wait, .repeat, .drain:
            return
        }
    }

    func expectRefusal() async throws(StepFailure) {
        do throws(StepFailure) {
            try await connected().expectRefusal(context)
        } catch  where error.isRefusal {}
        hasEnded = true
    }

    /// Whoever has nothing more to say gets the rest of the answers: there are none.
    func finish() async throws(StepFailure) {
        guard !hasEnded, let medium else { return }
        if let farewell = medium.farewell() {
            try await send(farewell, nil)
            return try await medium.expectClose(["code": 1000], context)
        }
        await medium.stream.connection.shutdownWrite()
        context.wire.note("the runner ends its output")
        try await medium.expectClose([:], context)
    }

    // MARK: Connections

    private func connected() async throws(StepFailure) -> any RawMedium {
        if let medium { return medium }
        let stream = ByteStream(try await connection())
        let made: any RawMedium
        switch context.vector.medium {
        case .http: made = HTTPMedium(stream)
        case .lines, .messages: made = LinesMedium(stream)
        case .websocket:
            try await WebSocketOpening.open(stream, context)
            made = WebSocketMedium(stream, for: context.vector)
        }
        medium = made
        return made
    }

    private func connection() async throws(StepFailure) -> ByteConnection {
        do throws(SocketError) {
            return try await ByteConnection.connect(to: context.endpoint.address, timeout: context.timeout)
        } catch {
            var failure = StepFailure("there is no connection: \(error)", isRefusal: true)
            if context.vector.address != nil, case .addressUnavailable(let address) = error {
                failure.reasonToSkip = "this machine has no \(address.host)"
            }
            throw failure
        }
    }

    private func gather(_ count: Int) async throws(StepFailure) {
        context.wire.note("\(count) other connections")
        for _ in 0..<count { crowd.append(try await connection()) }
    }

    private func hangUp(_ how: Step.HangUp) async throws(StepFailure) {
        let medium = try await connected()
        context.wire.note(how.description)
        switch how {
        case .halfClose: await medium.stream.connection.shutdownWrite()
        case .cut:
            await medium.stream.connection.cut()
            hasEnded = true
        case .close(let code):
            try await send(
                context.withBindings { b throws(StepFault) in try medium.departure(["close": JSON(code)], &b) }, nil)
        }
    }

    private func departure(_ json: JSON) async throws(StepFailure) -> Departure {
        // Where it can be, it is made before the connection: there are targets that do not wait long.
        if medium == nil, context.vector.medium != .websocket {
            return try context.withBindings { b throws(StepFault) in Departure(bytes: try Content(json).bytes(&b)) }
        }
        let medium = try await connected()
        return try context.withBindings { b throws(StepFault) in try medium.departure(json, &b) }
    }

    private func send(_ departure: Departure, _ chop: Int?) async throws(StepFailure) {
        if let words = departure.words { context.wire.up(words) } else { context.wire.up(departure.bytes) }
        try await connected().stream.connection.write(departure.bytes, chop: chop)
    }
}
