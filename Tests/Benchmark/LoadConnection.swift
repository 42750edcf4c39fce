import BridgeHTTP
import BridgeSockets
import BridgeWebSocket
import Dispatch

/// Between which moments answers count, in nanoseconds of the system's uptime.
struct Window: Sendable {
    var start: UInt64
    var end: UInt64
}

/// One connection of the load generator, on its loop.
actor LoadConnection: StreamSocketOwner {
    private let loop: EventLoop
    private let socket: StreamSocket
    private let messages: Messages
    private let handshake = WebSocketClientHandshake(authority: "localhost", target: "/_bridge/ws")
    private var isOpen: Bool
    private var machine = WebSocketMachine(role: .client)
    private var parser = HTTPResponseParser(answering: .get)
    /// An answer that came in pieces.
    private var partial: [UInt8] = []
    private var sentAt: [UInt64]
    private var window: Window?
    private var latencies: [UInt32] = []
    private var now: UInt64 = 0
    private var failure: BenchmarkError?
    private var waiter: CheckedContinuation<Void, any Error>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ socket: StreamSocket, messages: Messages) {
        self.socket = socket
        self.messages = messages
        loop = socket.loop
        isOpen = messages.wire != .webSocket
        sentAt = Array(repeating: 0, count: messages.requests.count)
        if messages.wire == .http { parser = HTTPResponseParser(answering: .post) }
    }

    // MARK: What the driver asks

    /// Starts, and waits for the WebSocket handshake where there is one.
    func open() async throws {
        socket.start(owner: self)
        guard !isOpen else { return }
        try socket.withOutput { try handshake.request.append(to: &$0) }
        try await event()
    }

    /// One request, answered.
    func exchange() async throws {
        send(0)
        try await event()
    }

    /// Keeps every slot in flight until the window ends.
    func begin(_ window: Window) {
        self.window = window
        now = DispatchTime.now().uptimeNanoseconds
        for slot in sentAt.indices { send(slot) }
    }

    /// Closes, and gives the nanoseconds that each answer of the window took.
    func finish() throws -> [UInt32] {
        if let failure { throw failure }
        window = nil
        socket.close()
        return latencies
    }

    private func event() async throws {
        if let failure { throw failure }
        let timer = loop.after(.seconds(10)) { self.assumeIsolated { $0.fail("no answer within 10 s") } }
        defer { timer.cancel() }
        try await withCheckedThrowingContinuation { waiter = $0 }
    }

    // MARK: Messages

    private func send(_ slot: Int) {
        sentAt[slot] = now
        socket.withOutput { $0.append(contentsOf: messages.requests[slot]) }
    }

    private func answered(_ bytes: UnsafeRawBufferPointer) {
        guard let slot = messages.slot(of: bytes) else {
            return fail("unexpected answer: \(String(decoding: bytes.prefix(300), as: UTF8.self))")
        }
        if let window {
            guard now < window.end else { return }
            if now >= window.start { latencies.append(UInt32(clamping: now - sentAt[slot])) }
            send(slot)
        } else {
            resume()
        }
    }

    private func resume() {
        waiter?.resume()
        waiter = nil
    }

    private func fail(_ reason: String) {
        let error = failure ?? BenchmarkError(reason)
        failure = error
        waiter?.resume(throwing: error)
        waiter = nil
        socket.close()
    }

    // MARK: The socket's notices

    func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        now = DispatchTime.now().uptimeNanoseconds
        var rest = bytes
        switch messages.wire {
        case .webSocket:
            if !isOpen { finishHandshake(&rest) }
            if isOpen { readFrames(&rest) }
        case .lines: readLines(UnsafeRawBufferPointer(bytes))
        case .http: readResponses(UnsafeRawBufferPointer(bytes))
        }
    }

    func socketDidEndInput() { fail("the server ended the connection") }
    func socketDidDrain() {}
    func socketDidClose(_ reason: SocketCloseReason) {
        if reason != .local { fail("the connection was closed: \(reason)") }
    }

    private func finishHandshake(_ input: inout UnsafeMutableRawBufferPointer) {
        var head = UnsafeRawBufferPointer(input)
        guard case .head(let response) = parser.next(&head) else { return }
        do throws(WebSocketClientHandshake.Failure) {
            _ = try handshake.check(response)
        } catch {
            return fail("no WebSocket: \(error.reason)")
        }
        input = UnsafeMutableRawBufferPointer(rebasing: input[(input.count - head.count)...])
        isOpen = true
        resume()
    }

    private func readFrames(_ input: inout UnsafeMutableRawBufferPointer) {
        while true {
            switch machine.next(&input) {
            case .needMore: return
            case .text(let bytes): answered(bytes)
            case .ping(let bytes): socket.withOutput { _ = machine.writePong(bytes, into: &$0) }
            case .pong: continue
            case .binary, .close, .failure: return fail("not a text message")
            }
        }
    }

    private func readLines(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            if partial.isEmpty {
                answered(UnsafeRawBufferPointer(rebasing: rest[..<end]))
            } else {
                partial.append(contentsOf: rest[..<end])
                partial.withUnsafeBytes { answered($0) }
                partial.removeAll(keepingCapacity: true)
            }
            rest = rest[(end + 1)...]
        }
        partial.append(contentsOf: rest)
    }

    private func readResponses(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while true {
            switch parser.next(&rest) {
            case .needMore: return
            case .head: continue
            case .body(let part): partial.append(contentsOf: part)
            case .end:
                partial.withUnsafeBytes { answered($0) }
                partial.removeAll(keepingCapacity: true)
            case .failure(let failure): return fail("not HTTP: \(failure.reason)")
            }
        }
    }
}
