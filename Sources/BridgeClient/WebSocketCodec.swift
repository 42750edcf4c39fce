import BridgeHTTP
import BridgeWebSocket

/// One message a WebSocket text message.
final class WebSocketCodec: ClientCodec {
    private enum State { case handshake, open, ended }

    private let handshake: WebSocketClientHandshake
    private var parser = HTTPResponseParser(answering: .get)
    // What a test or a user's own server sends is not limited by the client.
    private var machine = WebSocketMachine(role: .client, limits: WebSocketLimits(message: 1 << 30))
    private var state = State.handshake

    var opensAtOnce: Bool { false }

    init(authority: String, target: String, fields: HTTPFields) {
        handshake = WebSocketClientHandshake(
            authority: authority, target: target, subprotocols: ["bridgehead.1"], fields: fields)
    }

    func start(_ output: inout [UInt8]) {
        // It can be sent: the endpoint was checked when it was parsed.
        try? handshake.request.append(to: &output)
    }

    func send(_ message: [UInt8], _ output: inout [UInt8]) {
        _ = message.withUnsafeBytes { machine.writeText($0, into: &output) }
    }

    func receive(_ input: UnsafeMutableRawBufferPointer, _ output: inout [UInt8]) -> [ClientEvent] {
        var events: [ClientEvent] = []
        var rest = input
        // Of pings that come together the last is answered, so that a flood of them makes none (RFC 6455, 5.5.3).
        var pong: [UInt8] = []
        if state == .handshake {
            var head = UnsafeRawBufferPointer(input)
            switch parser.next(&head) {
            case .head(let response):
                do throws(WebSocketClientHandshake.Failure) {
                    _ = try handshake.check(response)
                } catch {
                    state = .ended
                    return [.refused(error.reason)]
                }
                state = .open
                events.append(.opened)
                rest = UnsafeMutableRawBufferPointer(rebasing: input[(input.count - head.count)...])
            case .failure(let failure):
                state = .ended
                return [.refused("it does not speak HTTP: \(failure.reason)")]
            case .needMore, .body, .end:
                return []
            }
        }
        while state == .open {
            switch machine.next(&rest) {
            case .needMore:
                output += pong
                return events
            case .text(let bytes): events.append(.message(Array(bytes)))
            case .binary(let bytes):
                machine.writeClose(.unsupportedData, into: &output)
                state = .ended
                events.append(.refused("it sent a binary message of \(bytes.count) bytes"))
            case .ping(let bytes):
                pong.removeAll(keepingCapacity: true)
                machine.writePong(bytes, into: &pong)
            case .pong: continue
            case .close(let code, let reason):
                machine.writeClose(code, into: &output)
                state = .ended
                let text = String(decoding: reason, as: UTF8.self)
                let number = code.map { "with code \($0.rawValue)" } ?? "without a code"
                events.append(.closed("the server closed \(number)\(text.isEmpty ? "" : ": \(text)")"))
            case .failure(let failure):
                machine.writeClose(failure.code, reason: failure.reason, into: &output)
                state = .ended
                events.append(.closed("the server broke the WebSocket protocol: \(failure.reason)"))
            }
        }
        return events
    }

    func finish() -> [ClientEvent] {
        switch state {
        case .handshake: [.refused("it ended the connection during the handshake")]
        case .open: [.closed("the connection ended without a close frame")]
        case .ended: []
        }
    }

    func close(_ output: inout [UInt8]) {
        if state == .open { machine.writeClose(.normal, into: &output) }
    }
}
