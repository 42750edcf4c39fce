import BridgeHTTP
import BridgeSockets
import Foundation

/// The other end of a connection, byte by byte: sends what it is told, and waits for what is asked for.
actor RawClient: StreamSocketOwner {
    struct Closed: Error {
        let received: String
    }

    private static let loop = Result { () throws(SocketError) in try EventLoop() }

    private nonisolated let loop: EventLoop
    private nonisolated let socket: StreamSocket
    private var buffer: [UInt8] = []
    private var inputHasEnded = false
    private var closeReason: SocketCloseReason?
    private var waiters: [CheckedContinuation<Void, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(_ socket: StreamSocket, loop: EventLoop) {
        self.socket = socket
        self.loop = loop
    }

    static func connect(_ address: SocketAddress) async throws -> RawClient {
        let loop = try loop.get()
        let client = RawClient(try await StreamSocket.connect(to: address, on: loop), loop: loop)
        await client.start()
        return client
    }

    static func connect(_ port: UInt16) async throws -> RawClient {
        try await connect(.ipv4(.loopback, port: port))
    }

    private func start() { socket.start(owner: self) }

    // MARK: Sending

    func send(_ text: String) { socket.write(Array(text.utf8)) }

    func send(bytes: [UInt8]) { socket.write(bytes) }

    func halfClose() { socket.shutdownWrite() }

    /// As a program does that ends: with unread input, the other side sees a reset.
    func close() { socket.close() }

    func pauseReading() { socket.pauseReading() }

    func resumeReading() { socket.resumeReading() }

    // MARK: Receiving

    /// The first `count` bytes that come.
    func bytes(_ count: Int) async throws -> [UInt8] {
        while buffer.count < count {
            guard !isOver else { throw Closed(received: String(decoding: buffer, as: UTF8.self)) }
            await changed()
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// What comes up to the end of `mark`.
    func text(through mark: String) async throws -> String {
        let mark = Array(mark.utf8)
        var searched = 0
        while true {
            if let found = position(of: mark, from: searched) {
                return String(decoding: try await bytes(found + mark.count), as: UTF8.self)
            }
            searched = max(0, buffer.count - mark.count + 1)
            guard !isOver else { throw Closed(received: String(decoding: buffer, as: UTF8.self)) }
            await changed()
        }
    }

    /// All clients share one loop, and a search in Swift without optimisation would keep it for seconds.
    private func position(of mark: [UInt8], from start: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let first = mark.first else { return nil }
            var start = start
            while start < bytes.count, let found = memchr(base + start, Int32(first), bytes.count - start) {
                let offset = base.distance(to: found)
                if bytes[offset...].starts(with: mark) { return offset }
                start = offset + 1
            }
            return nil
        }
    }

    /// Whatever comes next, at least a byte; empty at the end.
    func some() async -> [UInt8] {
        while buffer.isEmpty, !isOver { await changed() }
        defer { buffer = [] }
        return buffer
    }

    /// All that comes until the other side has ended or closed.
    func rest() async -> String {
        while !isOver { await changed() }
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Waits for the end; nil when the other side ended its output in order.
    func ended() async -> SocketCloseReason? {
        while !isOver { await changed() }
        return inputHasEnded || closeReason == .finished ? nil : closeReason
    }

    private var isOver: Bool { inputHasEnded || closeReason != nil }

    private func changed() async {
        await withCheckedContinuation { waiters.append($0) }
    }

    private func notice() {
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
    }

    // MARK: StreamSocketOwner

    func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        buffer.append(contentsOf: bytes)
        notice()
    }

    func socketDidEndInput() {
        inputHasEnded = true
        notice()
    }

    func socketDidDrain() { notice() }

    func socketDidClose(_ reason: SocketCloseReason) {
        closeReason = reason
        notice()
    }
}
