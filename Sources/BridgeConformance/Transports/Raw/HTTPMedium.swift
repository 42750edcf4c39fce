import BridgeHTTP
import BridgeJSON

/// Bytes to the target, HTTP/1.1 answers from it, read strictly. After an answer 101 the connection is a WebSocket.
final class HTTPMedium: RawMedium {
    let stream: ByteStream
    private static let limits = HTTPLimits(requestLine: 8 << 10, fieldBlock: 64 << 10, fields: 200, body: 1 << 30)

    init(_ stream: ByteStream) { self.stream = stream }

    func departure(_ json: JSON, _ bindings: inout Bindings) throws(StepFault) -> Departure {
        Departure(bytes: try Content(json).bytes(&bindings))
    }

    func expect(_ expected: JSON, _ context: VectorContext) async throws(StepFailure) -> (any RawMedium)? {
        let method = HTTPMethod(rawValue: expected["to"]?.string ?? "POST")
        let answer = try await answer(to: method, context, waitingFor: "\(expected)")
        do throws(Difference) {
            try answer.match(expected, &context.bindings)
        } catch {
            throw StepFailure(
                "another answer came than was expected", difference: error, isRefusal: answer.status >= 400)
        }
        return answer.status == 101 ? WebSocketMedium(stream, for: context.vector) : nil
    }

    func expectRefusal(_ context: VectorContext) async throws(StepFailure) {
        let status = try await answer(to: .post, context, waitingFor: "a refusal").status
        guard status >= 400 else { throw StepFailure("it was answered with \(status), not refused") }
    }

    func expectClose(_ expected: JSON, _ context: VectorContext) async throws(StepFailure) {
        try await expectEnd(expected, context)
    }

    // MARK: Reading

    private func answer(
        to method: HTTPMethod, _ context: VectorContext, waitingFor what: String
    ) async throws(StepFailure) -> HTTPAnswer {
        var parser = HTTPResponseParser(answering: method, limits: Self.limits)
        var parsed = 0
        var wait = context.wait
        var answer = HTTPAnswer(status: 0, fields: HTTPFields(), body: [])
        while true {
            if parsed == 0, let interim { return take(interim.answer, interim.size, context) }
            var event = Event.needMore
            if parsed > 0 || !mayBecomeInterim {
                event = stream.bytes.withUnsafeBytes { bytes in
                    var input = UnsafeRawBufferPointer(rebasing: bytes[parsed...])
                    defer { parsed = bytes.count - input.count }
                    return step(&parser, &input, &answer)
                }
            }
            switch event {
            case .end: return take(answer, parsed, context)
            case .failure(let failure):
                context.wire.down(Array(stream.bytes))
                throw StepFailure("the answer is no HTTP: \(failure.reason); waited for \(what)")
            case .head(101): return take(answer, parsed, context)
            case .head, .more: continue
            case .needMore: break
            }
            guard await stream.more(&wait) else {
                guard let end = stream.end else {
                    context.wire.down(Array(stream.bytes))
                    throw wait.failure(waitingFor: what)
                }
                switch parser.finish() {
                case .end: return take(answer, parsed, context)
                case .failure(let failure):
                    context.wire.down(Array(stream.bytes))
                    throw StepFailure("the answer is not whole: \(failure.reason); waited for \(what)")
                default:
                    context.wire.note(end.words)
                    throw StepFailure("\(end.words); waited for \(what)", isRefusal: true)
                }
            }
        }
    }

    private enum Event { case needMore, more, head(Int), end, failure(HTTPFailure) }

    private func step(
        _ parser: inout HTTPResponseParser, _ input: inout UnsafeRawBufferPointer, _ answer: inout HTTPAnswer
    ) -> Event {
        switch parser.next(&input) {
        case .needMore: return .needMore
        case .head(let head):
            answer = HTTPAnswer(status: head.status, fields: head.fields, body: [])
            return .head(head.status)
        case .body(let part):
            answer.body += part
            return .more
        case .end: return .end
        case .failure(let failure): return .failure(failure)
        }
    }

    /// An interim answer at the beginning of what has arrived, which the parser would pass over; but 101.
    private var interim: (answer: HTTPAnswer, size: Int)? {
        let bytes = stream.bytes
        guard bytes.starts(with: Self.interimStart), !bytes.starts(with: "HTTP/1.1 101".utf8),
            let end = bytes.firstRange(of: Self.headEnd),
            let status = Int(String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self))
        else { return nil }
        return (HTTPAnswer(status: status, fields: HTTPFields(), body: []), end.upperBound - bytes.startIndex)
    }

    /// Whether more has to come before it is known whether there is one: what the parser has begun it would pass over.
    private var mayBecomeInterim: Bool {
        let bytes = stream.bytes
        guard stream.end == nil, bytes.count < Self.limits.fieldBlock else { return false }
        return Self.interimStart.starts(with: bytes.prefix(Self.interimStart.count))
            && bytes.firstRange(of: Self.headEnd) == nil
    }

    private static let interimStart = Array("HTTP/1.1 1".utf8)
    private static let headEnd = Array("\r\n\r\n".utf8)

    private func take(_ answer: HTTPAnswer, _ size: Int, _ context: VectorContext) -> HTTPAnswer {
        context.wire.down(stream.take(size))
        return answer
    }
}
