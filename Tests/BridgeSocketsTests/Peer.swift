// One end of a connection, whose events a test awaits.

import BridgeSockets
import Testing

/// Notes what its socket tells, and lets tests wait for it.
actor Peer: StreamSocketOwner {
    struct Seen: Sendable {
        var bytes: [UInt8] = []
        var byteCount = 0
        var isInputEnded = false
        var drains = 0
        var closed: [SocketCloseReason] = []
    }

    /// What a peer does on its own.
    enum Habit: Sendable {
        case keep, count, echo
        /// Sends this many bytes, more whenever the socket has drained, then ends its output.
        case produce(Int)
    }

    let socket: StreamSocket
    private let habit: Habit
    private(set) var seen = Seen()
    private(set) var mostUnsent = 0
    private var produced = 0
    private var waiting: [(isMet: @Sendable (Seen) -> Bool, continuation: CheckedContinuation<Seen, Never>)] = []

    init(_ socket: StreamSocket, _ habit: Habit = .keep) {
        self.socket = socket
        self.habit = habit
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { socket.loop.asUnownedSerialExecutor() }

    func start(paused: Bool = false) {
        if paused { socket.pauseReading() }
        socket.start(owner: self, lowWatermark: 65_536)
        produce()
    }

    // Closures inside `#expect` are avoided: this compiler may confuse them with others of the same function.

    /// What there is once at least `count` bytes have arrived.
    @discardableResult
    func received(_ count: Int) async -> Seen { await first { $0.byteCount >= count } }

    /// What there is once the other side has ended its output.
    @discardableResult
    func endOfInput() async -> Seen { await first { $0.isInputEnded } }

    /// What was told of the end, once it was.
    @discardableResult
    func closeReasons() async -> [SocketCloseReason] { await first { !$0.closed.isEmpty }.closed }

    var unsentBytes: Int { socket.unsentBytes }

    /// The first state that meets the condition, which the present one may.
    private func first(_ isMet: @escaping @Sendable (Seen) -> Bool) async -> Seen {
        if isMet(seen) { return seen }
        return await withCheckedContinuation { waiting.append((isMet, $0)) }
    }

    func use<Result: Sendable>(_ body: @Sendable (StreamSocket) -> Result) -> Result { body(socket) }

    private func notify() {
        let met = waiting.filter { $0.isMet(seen) }
        waiting.removeAll { $0.isMet(seen) }
        for waiter in met { waiter.continuation.resume(returning: seen) }
    }

    /// The n-th byte of a stream is n modulo 251, so that losses and repetitions show.
    static func pattern(_ start: Int, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 251)
        var next = start % 251
        while bytes.count < count {
            bytes += period[next...]
            next = 0
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private static let period = (0..<251).map { UInt8($0) }

    private func produce() {
        guard case .produce(let total) = habit else { return }
        while produced < total, socket.unsentBytes <= 1 << 20 {
            let count = min(100_000, total - produced)
            socket.write(Self.pattern(produced, count))
            produced += count
            mostUnsent = max(mostUnsent, socket.unsentBytes)
        }
        if produced == total { socket.shutdownWrite() }
    }

    // MARK: StreamSocketOwner

    func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        seen.byteCount += bytes.count
        switch habit {
        case .keep: seen.bytes += bytes
        case .count, .produce: break
        case .echo:
            socket.write(UnsafeRawBufferPointer(bytes))
            if socket.unsentBytes > 1 << 20 { socket.pauseReading() }
            mostUnsent = max(mostUnsent, socket.unsentBytes)
        }
        notify()
    }

    func socketDidEndInput() {
        seen.isInputEnded = true
        if case .echo = habit { socket.shutdownWrite() }
        notify()
    }

    func socketDidDrain() {
        seen.drains += 1
        if case .echo = habit { socket.resumeReading() }
        produce()
        notify()
    }

    func socketDidClose(_ reason: SocketCloseReason) {
        seen.closed.append(reason)
        notify()
    }
}

/// A listener whose connections a test takes one by one.
struct Host: Sendable {
    let listener: Listener
    private let connections: AsyncStream<StreamSocket>

    init(_ address: SocketAddress, on loop: EventLoop) throws {
        listener = try Listener(address, on: loop)
        let (stream, continuation) = AsyncStream<StreamSocket>.makeStream()
        connections = stream
        listener.start { continuation.yield($0) }
    }

    init(on loop: EventLoop) throws {
        try self.init(.ipv4(.loopback, port: 0), on: loop)
    }

    func accept() async throws -> StreamSocket {
        var iterator = connections.makeAsyncIterator()
        return try #require(await iterator.next())
    }

    /// Both ends of a new connection, started.
    func pair(
        client: Peer.Habit = .keep, server: Peer.Habit = .keep, clientPaused: Bool = false, serverPaused: Bool = false
    ) async throws -> (client: Peer, server: Peer) {
        async let accepted = accept()
        let connected = try await StreamSocket.connect(to: listener.address, on: listener.loop)
        let pair = (client: Peer(connected, client), server: Peer(try await accepted, server))
        await pair.client.start(paused: clientPaused)
        await pair.server.start(paused: serverPaused)
        return pair
    }
}
