import BridgeHTTP
import BridgeJSON
import BridgeWebSocket

/// Frames to the target, also such as break the protocol; messages and control frames from it, read strictly.
final class WebSocketMedium: RawMedium {
    private enum Item {
        case text([UInt8]), binary([UInt8]), ping([UInt8]), pong([UInt8])
        case close(code: Int?, reason: [UInt8])
    }

    let stream: ByteStream
    private var machine = WebSocketMachine(role: .client, limits: WebSocketLimits(message: 1 << 30))
    /// A vector that expects pings answers them itself.
    private let answersPings: Bool
    private var hasSentClose = false

    init(_ stream: ByteStream, for vector: Vector) {
        self.stream = stream
        answersPings = !vector.steps.contains(where: \.expectsPing)
    }

    // MARK: Sending

    func departure(_ json: JSON, _ bindings: inout Bindings) throws(StepFault) -> Departure {
        if let frame = try WebSocketFrame(json, &bindings) {
            if json["close"] != nil { hasSentClose = true }
            return Departure(bytes: frame.bytes, words: frame.words)
        }
        return Departure(bytes: try Content(json["bytes"] ?? json).bytes(&bindings))
    }

    func farewell() -> Departure? {
        var bindings = Bindings()
        return hasSentClose ? nil : try? departure(["close": 1000], &bindings)
    }

    // MARK: Expecting

    func expect(_ expected: JSON, _ context: VectorContext) async throws(StepFailure) -> (any RawMedium)? {
        let item = try await next(context, waitingFor: "\(expected)")
        do throws(Difference) {
            try match(expected, item, &context.bindings)
        } catch {
            throw StepFailure(
                "something else came than was expected", difference: error, isRefusal: isRefusal(item))
        }
        return nil
    }

    private func match(_ expected: JSON, _ item: Item, _ bindings: inout Bindings) throws(Difference) {
        if let value = expected["json"], case .text(let bytes) = item, let json = Arrived(bytes).json {
            return try bindings.match(value, json)
        }
        let (name, bytes) = Self.nameAndBytes(item)
        var tentative = bindings
        guard let content = expected[name], let wanted = try? Content(content).bytes(&tentative), wanted == bytes
        else {
            throw Difference(expected: expected, actual: Self.shown(item))
        }
    }

    func expectRefusal(_ context: VectorContext) async throws(StepFailure) {
        let item = try await next(context, waitingFor: "a refusal")
        guard isRefusal(item) else { throw StepFailure("it was not refused") }
    }

    private func isRefusal(_ item: Item) -> Bool {
        switch item {
        case .text(let bytes): Arrived(bytes).isRefusal
        case .close: true
        case .binary, .ping, .pong: false
        }
    }

    /// The close frame, the answer to it, and then the end of the connection.
    func expectClose(_ expected: JSON, _ context: VectorContext) async throws(StepFailure) {
        let item: Item
        do throws(StepFailure) {
            item = try await next(context, waitingFor: "the end of the connection")
        } catch {
            guard expected["code"] == nil, stream.end != nil, stream.bytes.isEmpty else { throw error }
            return
        }
        guard case .close(let code, _) = item else {
            throw StepFailure(
                "something came; waited for the end of the connection",
                difference: Difference(expected: nil, actual: Self.shown(item)))
        }
        if let expected = expected["code"] {
            do throws(Difference) {
                try context.bindings.match(expected, code.map { JSON($0) } ?? .null)
            } catch {
                throw StepFailure("it was closed with another code", difference: error)
            }
        }
        if !hasSentClose {
            let answer = try context.withBindings { b throws(StepFault) in
                try departure(["close": code.map { JSON($0) } ?? .null], &b)
            }
            context.wire.up(answer.words ?? "")
            await stream.connection.write(answer.bytes)
        }
        try await expectEnd([:], context)
    }

    // MARK: Reading

    private func next(_ context: VectorContext, waitingFor what: String) async throws(StepFailure) -> Item {
        var wait = context.wait
        while true {
            // Of pings that come together the last is answered.
            var pong: [UInt8] = []
            var arrival = take()
            while case .item(.ping(let payload)) = arrival, hasSentClose || answersPings {
                wait.passOver(.ping)
                if !hasSentClose {
                    context.wire.down("ping\(WebSocketFrame.shown(payload))")
                    pong.removeAll(keepingCapacity: true)
                    payload.withUnsafeBytes { _ = machine.writePong($0, into: &pong) }
                }
                arrival = take()
            }
            if !pong.isEmpty { await stream.connection.write(pong) }
            switch arrival {
            case .item(let item):
                context.wire.down(Self.words(item))
                return item
            case .fault(let reason):
                context.wire.note("the target breaks the WebSocket protocol: \(reason)")
                throw StepFailure("the target broke the WebSocket protocol: \(reason); waited for \(what)")
            case .end(let end):
                context.wire.note(end.words)
                throw StepFailure("\(end.words); waited for \(what)", isRefusal: true)
            case .timedOut:
                guard await stream.more(&wait) else {
                    guard let end = stream.end else { throw wait.failure(waitingFor: what) }
                    context.wire.note(end.words)
                    throw StepFailure("\(end.words); waited for \(what)", isRefusal: true)
                }
            }
        }
    }

    /// The next item of what has arrived; `.timedOut` when it is not whole.
    private func take() -> Arrival<Item> {
        // The machine keeps what is not whole, so all of it is taken.
        stream.consume { input in
            switch machine.next(&input) {
            case .needMore: return .timedOut
            case .text(let bytes): return .item(.text(Array(bytes)))
            case .binary(let bytes): return .item(.binary(Array(bytes)))
            case .ping(let bytes): return .item(.ping(Array(bytes)))
            case .pong(let bytes): return .item(.pong(Array(bytes)))
            case .close(let code, let reason):
                return .item(.close(code: code.map { Int($0.rawValue) }, reason: Array(reason)))
            case .failure(let failure): return .fault(failure.reason)
            }
        }
    }

    // MARK: Words

    private static func nameAndBytes(_ item: Item) -> (String, [UInt8]) {
        switch item {
        case .text(let bytes): ("text", bytes)
        case .binary(let bytes): ("binary", bytes)
        case .ping(let bytes): ("ping", bytes)
        case .pong(let bytes): ("pong", bytes)
        case .close(_, let reason): ("close", reason)
        }
    }

    private static func shown(_ item: Item) -> JSON {
        let (name, bytes) = nameAndBytes(item)
        if case .close(let code, _) = item {
            return ["close": code.map { JSON($0) } ?? .null, "reason": JSON(showing: bytes)]
        }
        return .object(JSONObject(name, JSON(showing: bytes)))
    }

    private static func words(_ item: Item) -> String {
        let (name, bytes) = nameAndBytes(item)
        guard case .close(let code, _) = item else { return name + WebSocketFrame.shown(bytes) }
        return "close \(code.map(String.init) ?? "without a code")\(WebSocketFrame.shown(bytes))"
    }
}

extension JSONObject {
    fileprivate init(_ name: String, _ value: JSON) {
        self.init()
        self[name] = value
    }
}

extension Step {
    fileprivate var expectsPing: Bool {
        switch self {
        case .expect(let json): json["ping"] != nil
        case .repeat(let steps, _): steps.contains(where: \.expectsPing)
        default: false
        }
    }
}
