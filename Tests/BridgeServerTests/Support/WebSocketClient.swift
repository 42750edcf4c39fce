import BridgeHTTP
import BridgeWebSocket

/// What a WebSocket brought.
enum WebSocketNews: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    case close(UInt16?)
    /// The connection ended without a close frame.
    case end
}

/// A WebSocket's client over raw bytes. Answers nothing by itself.
actor WebSocketClient: BehaviourConnection {
    nonisolated let raw: RawClient
    let reply: HTTPReply
    private var machine = WebSocketMachine(role: .client, limits: WebSocketLimits(message: 64 << 20))
    private var news: [WebSocketNews] = []

    private init(_ raw: RawClient, _ reply: HTTPReply) {
        self.raw = raw
        self.reply = reply
    }

    /// Shakes hands; the answer has to be 101.
    static func connect(
        _ port: UInt16, _ target: String = "/_bridge/ws", _ fields: [String] = []
    ) async throws -> WebSocketClient {
        let raw = try await RawClient.connect(port)
        let reply = try await raw.request("GET \(target)", RequestText.upgrade + fields)
        guard reply.status == 101 else { throw RawClient.Closed(received: "\(reply.status) \(reply.text)") }
        return WebSocketClient(raw, reply)
    }

    func send(_ text: String) async {
        await raw.send(bytes: Self.frame(0x1, Array(text.utf8)))
    }

    func close(_ code: UInt16) async {
        await raw.send(bytes: Self.frame(0x8, [UInt8(code >> 8), UInt8(code & 255)]))
    }

    /// The next message, which has to be text.
    func next() async throws -> String {
        var news = await receive()
        while case .ping = news { news = await receive() }
        guard case .text(let text) = news else { throw RawClient.Closed(received: "\(news)") }
        return text
    }

    func receive() async -> WebSocketNews {
        while news.isEmpty {
            var bytes = await raw.some()
            guard !bytes.isEmpty else { return .end }
            bytes.withUnsafeMutableBytes { read($0) }
        }
        return news.removeFirst()
    }

    private func read(_ bytes: UnsafeMutableRawBufferPointer) {
        var input = bytes
        while true {
            switch machine.next(&input) {
            case .needMore: return
            case .text(let bytes): news.append(.text(String(decoding: bytes, as: UTF8.self)))
            case .binary(let bytes): news.append(.binary(Array(bytes)))
            case .ping(let bytes): news.append(.ping(Array(bytes)))
            case .pong(let bytes): news.append(.pong(Array(bytes)))
            case .close(let code, _): news.append(.close(code?.rawValue))
            case .failure: return
            }
        }
    }

    /// A frame with an all-zero mask, which is one.
    static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        var frame = [opcode | (isFinal ? 0x80 : 0)]
        switch payload.count {
        case ..<126: frame.append(0x80 | UInt8(payload.count))
        case ..<65_536: frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: frame += [0x80 | 127] + (0..<8).reversed().map { UInt8(payload.count >> ($0 * 8) & 255) }
        }
        return frame + [0, 0, 0, 0] + payload
    }
}
