import BridgeJSON
import BridgeWebSocket

/// One message a WebSocket text message. Pings are answered.
final class WebSocketChannel: MessageChannel {
    private let connection: ByteConnection
    private var machine: WebSocketMachine
    private var arrived: [ChannelEvent] = []
    private var closing: ChannelEvent?

    private static let limits = WebSocketLimits(message: ByteConnection.longest)

    /// The server's side of a connection whose handshake was answered.
    init(accepted connection: ByteConnection) {
        self.connection = connection
        machine = WebSocketMachine(role: .server, limits: Self.limits)
    }

    /// The client's side of one, after the handshake.
    /// - Parameter rest: what came with the answer to it.
    init(opened connection: ByteConnection, rest: [UInt8]) async {
        self.connection = connection
        machine = WebSocketMachine(role: .client, limits: Self.limits)
        await take(rest)
    }

    func send(_ text: [UInt8], chop: Int?) async throws(StepFailure) {
        var frame: [UInt8] = []
        guard text.withUnsafeBytes({ machine.writeText($0, into: &frame) }) else {
            throw StepFailure("nothing can be sent after a close frame")
        }
        await connection.write(frame, chop: chop)
    }

    func next(until deadline: ContinuousClock.Instant) async -> ChannelEvent {
        while true {
            if !arrived.isEmpty { return arrived.removeFirst() }
            if let closing { return closing }
            switch await connection.read(until: deadline) {
            case .timedOut: return .timedOut
            case .bytes(let bytes): await take(bytes)
            case .end(let isReset):
                closing = .closed(
                    .init(reason: isReset ? "the target broke it" : "the target ended it without a close frame"))
            }
        }
    }

    private func take(_ bytes: [UInt8]) async {
        var bytes = bytes
        var output: [UInt8] = []
        bytes.withUnsafeMutableBytes { buffer in
            var input = buffer
            while closing == nil {
                switch machine.next(&input) {
                case .needMore: return
                case .text(let text): arrived.append(.message(Array(text)))
                case .binary(let bytes): end("the target sent a binary message of \(bytes.count) bytes")
                case .ping(let payload): machine.writePong(payload, into: &output)
                case .pong: continue
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
