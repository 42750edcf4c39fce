import BridgeHTTP
import BridgeWebSocket

/// What a transport makes of messages, and finds in what comes: bytes and values.
final class Framing {
    enum Event {
        /// Messages may be sent.
        case opened
        case message([UInt8])
        /// The whole answer to one POST.
        case answer(status: Int, [UInt8])
        case closed(Int?)
        case fault(String)
    }

    private let transport: SessionLedger.Transport
    private let handshake = WebSocketClientHandshake(authority: "localhost", target: "/_bridge/ws")
    private var parser: HTTPResponseParser
    private var machine = WebSocketMachine(role: .client)
    private var isOpen: Bool
    private var status = 0
    private var body: [UInt8] = []

    init(_ transport: SessionLedger.Transport) {
        self.transport = transport
        parser = HTTPResponseParser(answering: transport == .http ? .post : .get)
        isOpen = transport != .webSocket
    }

    /// What is sent before anything else.
    var greeting: [UInt8] {
        var bytes: [UInt8] = []
        if transport == .webSocket { try? handshake.request.append(to: &bytes) }
        return bytes
    }

    func wrap(_ message: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        switch transport {
        case .lines: return message + (random.isTrue(0.1) ? [0x0D, 0x0A] : [0x0A])
        case .http:
            let head = "POST /_bridge/rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            guard random.isTrue(0.2), !message.isEmpty else {
                return Array("\(head)Content-Length: \(message.count)\r\n\r\n".utf8) + message
            }
            let size = String(message.count, radix: 16)
            return Array("\(head)Transfer-Encoding: chunked\r\n\r\n\(size)\r\n".utf8) + message
                + Array("\r\n0\r\n\r\n".utf8)
        case .webSocket:
            guard message.count > 3, random.isTrue(0.15) else { return Self.frame(0x81, message) }
            let cut = random.number(1...message.count - 1)
            let ping = random.isTrue(0.5) ? Self.frame(0x89, [1, 2, 3]) : []
            return Self.frame(0x01, message[..<cut]) + ping + Self.frame(0x80, message[cut...])
        }
    }

    static func close(_ code: Int) -> [UInt8] { frame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)]) }

    /// A client's frame; its mask is always the same, and does its work all the same.
    private static func frame(_ first: UInt8, _ payload: some Collection<UInt8>) -> [UInt8] {
        var bytes = [first]
        if payload.count < 126 {
            bytes.append(0x80 | UInt8(payload.count))
        } else if payload.count <= 0xFFFF {
            bytes += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        } else {
            bytes.append(0xFF)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        bytes += mask
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index & 3]) }
        return bytes
    }

    /// - Parameter reply: takes what is to be answered at once.
    func read(_ bytes: UnsafeMutableRawBufferPointer, reply: inout [UInt8], _ take: (Event) -> Void) {
        var rest = bytes
        if transport == .webSocket {
            if !isOpen { readHandshake(&rest, take) }
            if isOpen { readFrames(&rest, reply: &reply, take) }
        } else if transport == .http {
            readAnswers(UnsafeRawBufferPointer(bytes), take)
        } else {
            readLines(UnsafeRawBufferPointer(bytes), take)
        }
    }

    private func readHandshake(_ input: inout UnsafeMutableRawBufferPointer, _ take: (Event) -> Void) {
        var head = UnsafeRawBufferPointer(input)
        switch parser.next(&head) {
        case .needMore: break
        case .head(let response) where response.status == 101:
            isOpen = true
            input = UnsafeMutableRawBufferPointer(rebasing: input[(input.count - head.count)...])
            take(.opened)
        case .head(let response): take(.answer(status: response.status, []))
        case .failure(let failure): take(.fault("no HTTP: \(failure.reason)"))
        case .body, .end: break
        }
    }

    private func readFrames(
        _ input: inout UnsafeMutableRawBufferPointer, reply: inout [UInt8], _ take: (Event) -> Void
    ) {
        while true {
            switch machine.next(&input) {
            case .needMore: return
            case .text(let bytes): take(.message(Array(bytes)))
            case .ping(let bytes): reply += Self.frame(0x8A, bytes)
            case .pong: continue
            case .close(let code, _): take(.closed(code.map { Int($0.rawValue) }))
            case .binary: return take(.fault("a binary message"))
            case .failure(let failure): return take(.fault("a broken frame: \(failure.reason)"))
            }
        }
    }

    private func readAnswers(_ input: UnsafeRawBufferPointer, _ take: (Event) -> Void) {
        var rest = input
        while true {
            switch parser.next(&rest) {
            case .needMore: return
            case .head(let head): (status, body) = (head.status, [])
            case .body(let part): body += part
            case .end: take(.answer(status: status, body))
            case .failure(let failure): return take(.fault("no HTTP: \(failure.reason)"))
            }
        }
    }

    private func readLines(_ input: UnsafeRawBufferPointer, _ take: (Event) -> Void) {
        var rest = input[...]
        while let end = rest.firstIndex(of: 0x0A) {
            take(.message(body + rest[..<end]))
            body = []
            rest = rest[(end + 1)...]
        }
        body += rest
    }
}
