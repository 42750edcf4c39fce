import BridgeClient
import BridgeConformance
import BridgeJSON
import BridgeSockets
import BridgeWire

/// A target over the lines transport that does what a test says, right or wrong.
struct ScriptedTarget: Sendable {
    /// What it does about a message.
    enum Reaction: Sendable {
        case line(String)
        case close
        /// Bytes without end, and no line among them.
        case flood
    }

    typealias Script = @Sendable (_ message: JSON) -> [Reaction]

    /// - Parameter script: called for each message, of whatever connection.
    static func run<Result: Sendable>(
        _ script: @escaping Script, _ body: (Endpoint) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop(.sources)
        let listener = try Listener(.ipv4(.loopback, port: 0), on: loop)
        listener.start { socket in
            let conversation = Conversation(socket, script)
            conversation.assumeIsolated { $0.start() }
        }
        defer { loop.stop() }
        return try await body(Endpoint(.lines(host: "127.0.0.1", port: listener.address.port ?? 0)))
    }

    /// What a right one answers to `conformance.echo`; nothing to anything else.
    static func honest(_ message: JSON) -> [Reaction] {
        guard message["eventName"] == "conformance.echo", let id = message["requestId"] else { return [] }
        return [.line(answer(id, payload(message)))]
    }

    static func payload(_ message: JSON) -> JSON {
        var payload = message.object ?? JSONObject()
        payload["eventName"] = nil
        payload["requestId"] = nil
        return .object(payload)
    }

    static func answer(_ id: JSON, _ response: JSON) -> String {
        JSON.object(["requestId": id, "response": response]).text
    }
}

private actor Conversation: StreamSocketOwner {
    private let socket: StreamSocket
    private let script: ScriptedTarget.Script
    private var framer = LineFramer(limit: 1 << 20)
    private var isFlooding = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { socket.loop.asUnownedSerialExecutor() }

    init(_ socket: StreamSocket, _ script: @escaping ScriptedTarget.Script) {
        self.socket = socket
        self.script = script
    }

    func start() { socket.start(owner: self) }

    func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        framer.feed(UnsafeRawBufferPointer(bytes)) { event in
            guard case .line(let line) = event else { return }
            for reaction in script((try? JSON(parsing: line)) ?? .null) {
                switch reaction {
                case .line(let text): socket.write(Array((text + "\n").utf8))
                case .close: socket.closeAfterFlush()
                case .flood:
                    isFlooding = true
                    socketDidDrain()
                }
            }
        }
    }

    func socketDidEndInput() { socket.closeAfterFlush() }
    func socketDidDrain() {
        if isFlooding { socket.write([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)) }
    }
    func socketDidClose(_ reason: SocketCloseReason) { isFlooding = false }
}
