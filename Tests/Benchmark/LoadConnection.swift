import BridgeHTTP
import BridgeSockets
import BridgeWebSocket

/// How a connection of the load speaks.
enum Transport: String, Sendable {
    case webSocket, lines, http
}

/// One connection that keeps `depth` requests in flight until it is told to stop. Isolated to the load's loop.
actor LoadConnection: StreamSocketOwner {
    private let socket: StreamSocket
    private let transport: Transport
    private let payload: [UInt8]
    private let depth: Int
    private let handshake: WebSocketClientHandshake
    private var machine = WebSocketMachine(role: .client)
    private var parser = HTTPResponseParser(answering: .get)
    private var isOpen = false
    private var isRunning = false
    private var line: [UInt8] = []
    private var unparsed: [UInt8] = []
    /// When each request in flight was sent; answers come in order.
    private var sent: [ContinuousClock.Instant] = []
    private var oldest = 0
    private(set) var latencies: [Duration] = []
    private var whenOpen: CheckedContinuation<Void, any Error>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { socket.loop.asUnownedSerialExecutor() }

    init(_ socket: StreamSocket, _ transport: Transport, port: UInt16, payload: [UInt8], depth: Int) {
        self.socket = socket
        self.transport = transport
        self.depth = depth
        let authority = "127.0.0.1:\(port)"
        handshake = WebSocketClientHandshake(authority: authority, target: "/_bridge/ws", subprotocols: [])
        switch transport {
        case .webSocket: self.payload = payload
        case .lines: self.payload = payload + [0x0A]
        case .http:
            let head =
                "POST /_bridge/rpc HTTP/1.1\r\nHost: \(authority)\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(payload.count)\r\n\r\n"
            self.payload = Array(head.utf8) + payload
        }
    }

    /// Connects, with the handshake done.
    func open() async throws {
        socket.start(owner: self)
        guard transport == .webSocket else { return isOpen = true }
        try socket.withOutput { output throws in try handshake.request.append(to: &output) }
        try await withCheckedThrowingContinuation { whenOpen = $0 }
    }

    func run() {
        latencies.removeAll(keepingCapacity: true)
        isRunning = true
        for _ in 0..<depth { send() }
    }

    func stop() { isRunning = false }

    func close() { socket.close() }

    private func send() {
        sent.append(.now)
        socket.withOutput { output in
            if transport == .webSocket {
                _ = payload.withUnsafeBytes { machine.writeText($0, into: &output) }
            } else {
                output.append(contentsOf: payload)
            }
        }
    }

    private func answered() {
        latencies.append(ContinuousClock.now - sent[oldest])
        oldest += 1
        if oldest == 1024 {
            sent.removeFirst(oldest)
            oldest = 0
        }
        if isRunning { send() }
    }

    // MARK: StreamSocketOwner

    func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        var input = bytes
        if !isOpen {
            var head = UnsafeRawBufferPointer(bytes)
            guard case .head = parser.next(&head) else { return }
            isOpen = true
            whenOpen?.resume()
            whenOpen = nil
            input = UnsafeMutableRawBufferPointer(rebasing: bytes[(bytes.count - head.count)...])
        }
        switch transport {
        case .webSocket:
            while true {
                switch machine.next(&input) {
                case .text: answered()
                case .ping(let payload): socket.withOutput { _ = machine.writePong(payload, into: &$0) }
                case .binary, .pong: break
                case .needMore, .close, .failure: return
                }
            }
        case .lines:
            for byte in input where byte == 0x0A { answered() }
        case .http:
            // Every answer here is as long as its Content-Length says, in one read or several.
            unparsed.append(contentsOf: input)
            unparsed.withUnsafeBytes { all in
                var rest = UnsafeRawBufferPointer(all)
                reading: while true {
                    switch parser.next(&rest) {
                    case .end:
                        answered()
                        parser = HTTPResponseParser(answering: .post)
                    case .needMore, .failure: break reading
                    case .head, .body: continue
                    }
                }
            }
            unparsed.removeAll(keepingCapacity: true)
        }
    }

    func socketDidEndInput() {}
    func socketDidDrain() {}
    func socketDidClose(_ reason: SocketCloseReason) {
        whenOpen?.resume(throwing: SocketError.loopStopped)
        whenOpen = nil
    }
}
