import BridgeHTTP
import BridgeSockets
import BridgeWebSocket

/// A web server that says what a test wants said, whatever it is asked: at once over HTTP, and after the handshake, to the
/// first thing that comes, over WebSocket.
enum CannedServer {
    /// - Parameters:
    ///   - answer: bytes, as they are.
    ///   - ends: whether the connection ends after them.
    static func run<Result: Sendable>(
        _ answer: [UInt8], ends: Bool, afterHandshake: Bool = false, _ body: (UInt16) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop(.sources)
        let listener = try Listener(.ipv4(.loopback, port: 0), on: loop)
        listener.start { socket in
            let connection = Connection(socket, answer, ends, afterHandshake)
            connection.assumeIsolated { $0.start() }
        }
        defer { loop.stop() }
        return try await body(listener.address.port ?? 0)
    }

    /// One that says it without end.
    /// - Parameter body: gets the port, and an event each time a part of the flood was taken.
    static func run<Result: Sendable>(
        flooding flood: [UInt8], afterHandshake: Bool = false,
        _ body: (UInt16, AsyncStream<Void>) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop(.sources)
        let listener = try Listener(.ipv4(.loopback, port: 0), on: loop)
        let (taken, takes) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let part = [[UInt8]](repeating: flood, count: (1 << 20) / flood.count).flatMap(\.self)
        listener.start { socket in
            let connection = Connection(socket, part, false, afterHandshake, floods: takes)
            connection.assumeIsolated { $0.start() }
        }
        defer { loop.stop() }
        return try await body(listener.address.port ?? 0, taken)
    }

    private actor Connection: StreamSocketOwner {
        private let socket: StreamSocket
        private let answer: [UInt8]
        private let ends: Bool
        private var parser: HTTPRequestParser?
        private let takes: AsyncStream<Void>.Continuation?
        private var hasSpoken = false

        nonisolated var unownedExecutor: UnownedSerialExecutor { socket.loop.asUnownedSerialExecutor() }

        init(
            _ socket: StreamSocket, _ answer: [UInt8], _ ends: Bool, _ afterHandshake: Bool,
            floods takes: AsyncStream<Void>.Continuation? = nil
        ) {
            self.socket = socket
            self.answer = answer
            self.ends = ends
            self.takes = takes
            if afterHandshake { parser = HTTPRequestParser() }
        }

        func start() { socket.start(owner: self) }

        func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
            var input = UnsafeRawBufferPointer(bytes)
            guard parser != nil else { return say() }
            while case .head(let head)? = parser?.next(&input) {
                parser = nil
                guard case .accept(let response, _) = WebSocketHandshake.answer(head, subprotocols: ["bridgehead.1"])
                else { return socket.close() }
                socket.withOutput { _ = response.append(to: &$0, answering: head, keepAlive: true) }
            }
        }

        private func say() {
            // What comes during a flood, such as pongs, does not add to it.
            guard takes == nil || !hasSpoken else { return }
            hasSpoken = true
            socket.write(answer)
            if ends { socket.closeAfterFlush() }
        }

        func socketDidEndInput() { socket.closeAfterFlush() }
        func socketDidDrain() {
            guard let takes else { return }
            takes.yield()
            // In another turn, for the loop has other sockets.
            socket.loop.execute { self.assumeIsolated { $0.socket.write($0.answer) } }
        }
        func socketDidClose(_ reason: SocketCloseReason) {}
    }
}
