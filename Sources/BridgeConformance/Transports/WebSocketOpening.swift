import BridgeClient
import BridgeHTTP
import BridgeWebSocket

/// The handshake where what comes after it is the subject.
enum WebSocketOpening {
    static func open(_ stream: ByteStream, _ context: VectorContext) async throws(StepFailure) {
        var fields = HTTPFields()
        if let token = context.endpoint.token { fields.append("Authorization", "Bearer \(token)") }
        var target = "/_bridge/ws"
        if case .webSocket(_, _, _, let own) = context.endpoint.address { target = own }
        let handshake = WebSocketClientHandshake(
            authority: context.endpoint.authority, target: context.vector.path ?? target,
            subprotocols: ["bridgehead.1"], fields: fields)
        var request: [UInt8] = []
        do throws(HTTPFailure) {
            try handshake.request.append(to: &request)
        } catch {
            throw StepFailure("the handshake cannot be sent: \(error.reason)")
        }
        await stream.connection.write(request)
        let what = "the answer to the WebSocket handshake"
        var wait = context.wait
        var parser = HTTPResponseParser(answering: .get)
        while true {
            let event = stream.consume { bytes in
                var input = UnsafeRawBufferPointer(bytes)
                defer { bytes = UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(input.count)) }
                return parser.next(&input)
            }
            switch event {
            case .head(let head):
                do throws(WebSocketClientHandshake.Failure) {
                    _ = try handshake.check(head)
                } catch {
                    throw StepFailure("the target refuses the WebSocket: \(error.reason)", isRefusal: true)
                }
                return
            case .failure(let failure): throw StepFailure("the target does not speak HTTP: \(failure.reason)")
            case .needMore, .body, .end: break
            }
            guard await stream.more(&wait) else {
                guard let end = stream.end else {
                    wait.passOver(.interimAnswer, parser.interimAnswers)
                    throw wait.failure(waitingFor: what)
                }
                throw StepFailure("\(end.words); waited for \(what)", isRefusal: true)
            }
        }
    }
}
