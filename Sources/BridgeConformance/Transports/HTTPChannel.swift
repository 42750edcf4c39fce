import BridgeClient
import BridgeHTTP

/// One message a POST, each on a connection of its own: what the body of the answer says is what arrives.
final class HTTPChannel: MessageChannel {
    private let endpoint: Endpoint
    private let timeout: Duration
    private var arrived: [ChannelEvent] = []

    init(_ endpoint: Endpoint, timeout: Duration) {
        self.endpoint = endpoint
        self.timeout = timeout
    }

    /// Returns when the answer is there, so that answers come in the order of what was sent.
    func send(_ text: [UInt8], chop: Int?) async throws(StepFailure) {
        guard case .http(_, _, let authority, let target) = endpoint.address else {
            throw StepFailure("there is no HTTP at \(endpoint.label)")
        }
        var fields: HTTPFields = ["Content-Type": "application/json", "Connection": "close"]
        if let token = endpoint.token { fields.append("Authorization", "Bearer \(token)") }
        var request: [UInt8] = []
        do throws(HTTPFailure) {
            try HTTPRequest(.post, target, authority: authority, fields: fields, body: text).append(to: &request)
        } catch {
            throw StepFailure("the request cannot be sent: \(error)")
        }
        let connection = try await connect(endpoint, timeout: timeout)
        await connection.write(request, chop: chop)
        let answer = await Self.answer(connection, within: timeout)
        await connection.cut()
        switch answer {
        case .failure(let failure): throw failure
        case .success((200, let body)): if !body.isEmpty { arrived.append(.message(body)) }
        case .success((let status, _)): arrived.append(.refused(status: status))
        }
    }

    private static func answer(
        _ connection: ByteConnection, within timeout: Duration
    ) async -> Result<(status: Int, body: [UInt8]), StepFailure> {
        var wait = Wait(timeout)
        var parser = HTTPResponseParser(answering: .post, limits: HTTPLimits(body: ByteConnection.longest))
        var status = 0
        var body: [UInt8] = []
        while true {
            switch await connection.read(&wait) {
            case .timedOut:
                wait.passOver(.interimAnswer, parser.interimAnswers)
                return .failure(wait.failure(waitingFor: "the answer to the POST"))
            case .end:
                if case .end = parser.finish() { return .success((status, body)) }
                return .failure(StepFailure("the connection ended before the POST was answered", isRefusal: true))
            case .bytes(let bytes):
                let outcome: Result<Bool, StepFailure> = bytes.withUnsafeBytes { buffer in
                    var rest = buffer
                    while true {
                        switch parser.next(&rest) {
                        case .needMore: return .success(false)
                        case .head(let head): status = head.status
                        case .body(let part): body += part
                        case .end: return .success(true)
                        case .failure(let failure):
                            return .failure(StepFailure("the answer is no HTTP: \(failure.reason)"))
                        }
                    }
                }
                switch outcome {
                case .success(true): return .success((status, body))
                case .success(false): continue
                case .failure(let failure): return .failure(failure)
                }
            }
        }
    }

    /// Everything that will come has come.
    func next(_ wait: inout Wait) async -> ChannelEvent {
        arrived.isEmpty ? .nothing : arrived.removeFirst()
    }

    func hangUp(_ how: Step.HangUp) async throws(StepFailure) {
        throw StepFailure("over HTTP there is no session to end")
    }

    func close() async {}
}

/// - Throws: what a vector says when there is no connection.
func connect(_ endpoint: Endpoint, timeout: Duration) async throws(StepFailure) -> ByteConnection {
    do {
        return try await ByteConnection.connect(to: endpoint.address, timeout: timeout)
    } catch {
        throw StepFailure("there is no connection: \(error)", isRefusal: true)
    }
}
