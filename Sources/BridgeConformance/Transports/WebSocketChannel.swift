import BridgeJSON
import BridgeWebSocket

/// One message a WebSocket text message. Pings are answered: of those that come together the last (RFC 6455, 5.5.3), so
/// that a flood of them makes none.
final class WebSocketChannel: MessageChannel {
    private let connection: ByteConnection
    private var machine: WebSocketMachine
    private var arrived: ArraySlice<ChannelEvent> = []
    private var closing: ChannelEvent?
    /// What came with the answer to the handshake.
    private var rest: [UInt8] = []

    private static let limits = WebSocketLimits(message: ByteConnection.longest)

    /// The server's side of a connection whose handshake was answered.
    init(accepted connection: ByteConnection) {
        self.connection = connection
        machine = WebSocketMachine(role: .server, limits: Self.limits)
    }

    /// The client's side of one, after the handshake.
    /// - Parameter rest: what came with the answer to it.
    init(opened connection: ByteConnection, rest: [UInt8]) {
        self.connection = connection
        machine = WebSocketMachine(role: .client, limits: Self.limits)
        self.rest = rest
    }

    func send(_ text: [UInt8], chop: Int?) async throws(StepFailure) {
        var frame: [UInt8] = []
        guard text.withUnsafeBytes({ machine.writeText($0, into: &frame) }) else {
            throw StepFailure("nothing can be sent after a close frame")
        }
        await connection.write(frame, chop: chop)
    }

    func next(_ wait: inout Wait) async -> ChannelEvent {
        if !rest.isEmpty {
            await take(rest, &wait)
            rest = []
        }
        while true {
            if let event = arrived.popFirst() { return event }
            if let closing { return closing }
            switch await connection.read(&wait) {
            case .timedOut: return .timedOut
            case .bytes(let bytes): await take(bytes, &wait)
            case .end(let isReset):
                closing = .closed(
                    .init(reason: isReset ? "the target broke it" : "the target ended it without a close frame"))
            }
        }
    }

    private func take(_ bytes: [UInt8], _ wait: inout Wait) async {
        var bytes = bytes
        var (pings, pongs) = (0, 0)
        var pong: [UInt8] = []
        var output: [UInt8] = []
        bytes.withUnsafeMutableBytes { buffer in
            var input = buffer
            while closing == nil {
                switch machine.next(&input) {
                case .needMore: return
                case .text(let text): arrived.append(.message(Array(text)))
                case .binary(let bytes): end("the target sent a binary message of \(bytes.count) bytes")
                case .ping(let payload):
                    pings += 1
                    pong.removeAll(keepingCapacity: true)
                    machine.writePong(payload, into: &pong)
                case .pong: pongs += 1
                case .close(let code, let reason):
                    machine.writeClose(code, into: &output)
                    let text = String(decoding: reason, as: UTF8.self)
                    end(
                        "the target closed it \(code.map { "with \($0.rawValue)" } ?? "without a code")"
                            + (text.isEmpty ? "" : " (\(text))"), code: code.map { JSON(Int($0.rawValue)) } ?? .null)
                case .failure(let failure):
                    machine.writeClose(failure.code, reason: failure.reason, into: &output)
                    end("the target broke the WebSocket protocol: \(failure.reason)")
                }
            }
        }
        wait.passOver(.ping, pings)
        wait.passOver(.pong, pongs)
        // Before a close frame, after which there is nothing.
        output = pong + output
        if !output.isEmpty { await connection.write(output) }
    }

    private func end(_ reason: String, code: JSON? = nil) {
        closing = .closed(.init(code: code, reason: reason))
    }

    func hangUp(_ how: Step.HangUp) async throws(StepFailure) {
        switch how {
        case .halfClose: await connection.shutdownWrite()
        case .cut: await connection.cut()
        case .close(let code):
            var frame: [UInt8] = []
            guard let code = UInt16(exactly: code) else { throw StepFailure("\(code) is no close code") }
            machine.writeClose(WebSocketCloseCode(rawValue: code), into: &frame)
            await connection.write(frame)
        }
    }

    func close() async {
        var frame: [UInt8] = []
        machine.writeClose(.normal, into: &frame)
        await connection.write(frame)
        await connection.closeAfterFlush()
    }
}
