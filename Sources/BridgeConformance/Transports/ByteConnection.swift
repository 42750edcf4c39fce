package import BridgeClient
package import BridgeSockets

/// A connection as bytes: what arrives is kept until somebody asks for it. For one reader.
package actor ByteConnection: StreamSocketOwner {
    package enum Input: Sendable {
        case bytes([UInt8])
        /// The other side has ended its output, or broken the connection. Said again whenever it is asked for.
        case end(isReset: Bool)
        case timedOut
    }

    /// How long a message or an answer of the target may be, in bytes: several of the default limit, not without end.
    static let longest = 1 << 26
    /// What is kept for a reader that does not ask, in bytes, before the target has to wait; with what is read at once, all
    /// that a reader gets to work on before it looks at its deadline again.
    private static let unread = 1 << 16

    /// The loop of all connections of this process; it costs no thread while nothing happens.
    private static let sharedLoop: Result<EventLoop, SocketError> = Result { () throws(SocketError) in
        try EventLoop(.sources)
    }

    private let loop: EventLoop
    private let socket: StreamSocket
    private var received: [UInt8] = []
    private var end: Input?
    private var isBroken = false
    private var isHeldBack = false
    private var reader: CheckedContinuation<Void, Never>?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(_ socket: StreamSocket) {
        loop = socket.loop
        self.socket = socket
    }

    package static func connect(
        to address: ClientEndpoint, timeout: Duration
    ) async throws(SocketError) -> ByteConnection {
        let loop = try sharedLoop.get()
        let socket: StreamSocket
        switch address {
        case .webSocket(let host, let port, _, _), .http(let host, let port, _, _), .lines(let host, let port):
            socket = try await StreamSocket.connect(host: host, port: port, on: loop, timeout: timeout)
        case .unix(let path):
            socket = try await StreamSocket.connect(to: .unix(path: path), on: loop, timeout: timeout)
        }
        let connection = ByteConnection(socket)
        await connection.start()
        return connection
    }

    /// The connection of a socket that was another's, on its loop.
    /// - Parameter rest: what was received and not looked at.
    static func takeOver(_ socket: StreamSocket, rest: [UInt8]) -> ByteConnection {
        let connection = ByteConnection(socket)
        connection.assumeIsolated { connection in
            connection.received = rest
            connection.socket.handOver(to: connection)
        }
        return connection
    }

    private func start() { socket.start(owner: self) }

    // MARK: Writing

    /// - Parameter chop: how many bytes go out at a time; nil sends them all at once.
    package func write(_ bytes: [UInt8], chop: Int? = nil) async {
        guard let chop, chop < bytes.count else { return socket.write(bytes) }
        for start in stride(from: 0, to: bytes.count, by: chop) {
            socket.write(Array(bytes[start..<min(start + chop, bytes.count)]))
            // Sent at the end of this turn of the loop.
            await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
            if Task.isCancelled { return }
        }
    }

    /// Ends the output once all that was written is sent. Reading goes on.
    package func shutdownWrite() { socket.shutdownWrite() }

    /// Closes at once; what is unsent is lost.
    package func cut() { socket.close() }

    /// Sends what was written and closes.
    package func closeAfterFlush() { socket.closeAfterFlush(lingering: .milliseconds(100)) }

    // MARK: Reading

    /// What has arrived and nobody has read, at once or when something arrives. `.timedOut` also when the task is cancelled.
    package nonisolated func read(_ wait: inout Wait) async -> Input {
        wait.goesOn() ? await read(until: wait.deadline) : .timedOut
    }

    private func read(until deadline: ContinuousClock.Instant) async -> Input {
        if received.isEmpty, end == nil { await wait(until: deadline) }
        if !received.isEmpty {
            defer {
                received = []
                if isHeldBack { socket.resumeReading() }
                isHeldBack = false
            }
            return .bytes(received)
        }
        return end ?? .timedOut
    }

    /// Whether the other side breaks the connection in that time, though it may have ended its output before.
    package func isBroken(until deadline: ContinuousClock.Instant) async -> Bool {
        while !isBroken, ContinuousClock.now < deadline, !Task.isCancelled { await wait(until: deadline) }
        return isBroken
    }

    /// Until something happens.
    private func wait(until deadline: ContinuousClock.Instant) async {
        guard !Task.isCancelled else { return }
        let timer = loop.after(ContinuousClock.now.duration(to: deadline)) { [weak self] in
            self?.assumeIsolated { $0.wake() }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                reader = continuation
                if Task.isCancelled { wake() }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.wake() } }
        }
        timer.cancel()
    }

    private func wake() {
        reader?.resume()
        reader = nil
    }

    package func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        received += bytes
        if received.count > Self.unread, !isHeldBack {
            isHeldBack = true
            socket.pauseReading()
        }
        wake()
    }

    package func socketDidEndInput() {
        end = end ?? .end(isReset: false)
        wake()
    }

    package func socketDidDrain() {}

    package func socketDidClose(_ reason: SocketCloseReason) {
        switch reason {
        case .local, .finished: end = end ?? .end(isReset: false)
        case .reset, .failed:
            end = end ?? .end(isReset: true)
            isBroken = true
        }
        wake()
    }
}
