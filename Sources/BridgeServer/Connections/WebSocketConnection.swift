import BridgeSockets
import BridgeWebSocket
import Bridgehead

/// A connection after its upgrade: messages in, answers out, pings and the closing handshake (RFC 6455). Isolated to
/// the server's loop. While nothing happens it holds no buffer.
actor WebSocketConnection: ServedConnection {
    enum Phase {
        case open
        /// The client is slow to read: what it sends waits.
        case waitingForReader
        /// Our close frame is written, the peer's is awaited.
        case closing
        case over
    }

    nonisolated let ticket: ConnectionTicket
    nonisolated let server: ServerCore
    private nonisolated let socket: StreamSocket
    private var phase = Phase.open
    /// Unchecked, because the exclusivity checks cost as much as a step. The actor protects it from other threads, and each use
    /// is one call of a machine that calls nobody.
    @exclusivity(unchecked) private var machine: WebSocketMachine
    /// nil for an echo, and once it has ended.
    private var session: BridgeSession?
    /// Of its session; an echo has none.
    private let bridge: Bridge?
    /// What was received and waits for the client to read: messages that were read, and bytes not yet looked at.
    private var unread = (messages: [BridgeSession.Message](), bytes: [UInt8]())
    private var unansweredPings = 0
    private var closingTimer: LoopTimer?
    private var isLeaving = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { server.loop.asUnownedSerialExecutor() }

    init(_ socket: StreamSocket, ticket: ConnectionTicket, server: ServerCore, bridge: Bridge?) {
        self.socket = socket
        self.ticket = ticket
        self.server = server
        self.bridge = bridge
        machine = WebSocketMachine(
            role: .server,
            limits: WebSocketLimits(message: server.limits.message, emptyFragments: server.limits.emptyFragments),
            refusesBinary: bridge != nil)
    }

    /// - Parameter rest: what came together with the handshake.
    func start(with rest: UnsafeRawBufferPointer) {
        socket.handOver(to: self)
        if let bridge {
            let limit = server.limits.unreadOutput
            // Straight to the socket: the session ends with every close frame, so that no message follows one. The actor
            // is held until the session is let go.
            let session = server.makeSession(.stream, of: bridge) { [self, socket] text in
                socket.withOutput { WebSocketMachine.appendText(text, to: &$0) }
                if socket.unsentBytes > limit { assumeIsolated { $0.outputIsUnread() } }
            }
            self.session = session
            if isOfServer {
                server.assumeIsolated { $0.sessionBegan() }
                server.log(.info, "connected", [("session", session.label)])
            }
        }
        var rest = Array(rest)
        rest.withUnsafeMutableBytes { process($0) }
        if server.assumeIsolated({ $0.isDraining }) { handle(.drain) }
    }

    func handle(_ notice: ServerNotice) {
        switch notice {
        case .pingIsDue: ping()
        case .drain:
            guard let session else { return server.assumeIsolated { $0.hasDrained(ticket) } }
            session.assumeIsolated { session in
                session.drain()
                session.whenIdle { [self] in server.assumeIsolated { $0.hasDrained(ticket) } }
            }
        case .cancelRequests: session?.assumeIsolated { $0.cancelAll() }
        case .leave:
            isLeaving = true
            close(.goingAway, "the server is going away")
        }
    }

    // MARK: Reading

    /// Handles every message that is there; all that is answered goes out with one write at the end of the turn.
    private func process(_ bytes: UnsafeMutableRawBufferPointer) {
        var input = bytes
        var run: [BridgeSession.Message] = []
        while true {
            switch machine.next(&input) {
            case .needMore:
                return carryOut(&run)
            case .text(let text):
                guard let session else {
                    socket.withOutput { _ = machine.writeText(text, into: &$0) }
                    break
                }
                run.append(session.read(text))
                // What can follow is another of these, a part of one, or a failure.
                if run.count < BridgeSession.longestRun, input.first == WebSocketMachine.wholeText { continue }
                carryOut(&run)
            case .binary(let bytes):
                socket.withOutput { _ = machine.writeBinary(bytes, into: &$0) }
            case .ping(let payload):
                socket.withOutput { _ = machine.writePong(payload, into: &$0) }
            case .pong:
                unansweredPings = 0
            case .close(let code, _):
                socket.withOutput { _ = machine.writeClose(code, into: &$0) }
                return finish(code == .normal || code == .goingAway ? .documentGone : .connectionLost)
            case .failure(let failure):
                carryOut(&run, waiting: false)
                return fail(failure.code, failure.reason)
            }
            if case .open = phase { waitForReader() }
            switch phase {
            case .open, .closing: continue
            case .waitingForReader: return unread.bytes.append(contentsOf: input)
            case .over: return
            }
        }
    }

    /// Takes the messages, which are gone then.
    ///
    /// - Parameter waiting: whether those for which the client reads too slowly wait in `unread`.
    private func carryOut(_ run: inout [BridgeSession.Message], waiting: Bool = true) {
        // Without a session they come after the end; one that ends meanwhile takes no more.
        if !run.isEmpty, let session {
            let taken = session.assumeIsolated { [socket, server] session in
                session.take(&run) { !waiting || socket.unsentBytes <= server.limits.slowReader }
            }
            if waiting, case .open = phase, waitForReader() { unread.messages = Array(run[taken...]) }
        }
        run.removeAll(keepingCapacity: true)
    }

    /// Whether the client has so much to read that its messages wait from now on.
    @discardableResult
    private func waitForReader() -> Bool {
        guard socket.unsentBytes > server.limits.slowReader else { return false }
        phase = .waitingForReader
        socket.pauseReading()
        return true
    }

    // MARK: Writing

    private func outputIsUnread() { fail(.tryAgainLater, "too much output was not read") }

    private func ping() {
        switch phase {
        case .open: break
        // What the peer sends is not read, a pong neither.
        case .waitingForReader, .closing, .over: return
        }
        guard unansweredPings < server.limits.unansweredPings else {
            server.log(.info, "gone: pings are not answered", [("session", session?.label ?? "echo")])
            return fail(.policyViolation, "pings were not answered")
        }
        unansweredPings += 1
        socket.withOutput { _ = machine.writePing(into: &$0) }
    }

    // MARK: Ending

    /// Begins the closing handshake.
    private func close(_ code: WebSocketCloseCode, _ reason: String) {
        switch phase {
        case .open, .waitingForReader: break
        case .closing: return
        case .over: return closeSocket()
        }
        socket.withOutput { _ = machine.writeClose(code, reason: reason, into: &$0) }
        endSession(.connectionLost)
        phase = .closing
        unread = ([], [])
        socket.resumeReading()
        closingTimer = server.loop.after(server.rest(isLeaving: isLeaving)) { [weak self] in
            self?.assumeIsolated { $0.finish(.connectionLost) }
        }
    }

    /// Closes with a code without waiting for the peer's agreement.
    private func fail(_ code: WebSocketCloseCode, _ reason: String) {
        socket.withOutput { _ = machine.writeClose(code, reason: reason, into: &$0) }
        finish(.connectionLost)
    }

    /// All that there is to say was written.
    private func finish(_ reason: BridgeSession.EndReason) {
        if case .over = phase { return }
        phase = .over
        unread = ([], [])
        closingTimer?.cancel()
        endSession(reason)
        closeSocket()
        server.assumeIsolated { $0.hasDrained(ticket) }
    }

    private func closeSocket() {
        socket.closeAfterFlush(lingering: server.limits.lingerTimeout, rest: server.rest(isLeaving: isLeaving))
    }

    private func endSession(_ reason: BridgeSession.EndReason) {
        guard let session else { return }
        self.session = nil
        session.assumeIsolated { $0.end(reason) }
        guard isOfServer else { return }
        server.assumeIsolated { $0.sessionEnded() }
        server.log(.info, "disconnected", [("session", session.label)])
    }

    /// A site's own sessions are not counted among the bridge's.
    private var isOfServer: Bool { bridge === server.bridge }
}

extension WebSocketConnection: StreamSocketOwner {
    func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        switch phase {
        case .open, .closing: process(bytes)
        case .waitingForReader: unread.bytes.append(contentsOf: bytes)
        case .over: break
        }
    }

    func socketDidDrain() {
        guard case .waitingForReader = phase else { return }
        phase = .open
        unansweredPings = 0
        var (run, bytes) = unread
        unread = ([], [])
        carryOut(&run)
        switch phase {
        case .waitingForReader: unread.bytes = bytes
        case .over: break
        case .open, .closing:
            socket.resumeReading()
            bytes.withUnsafeMutableBytes { process($0) }
        }
    }

    func socketDidEndInput() { finish(.connectionLost) }

    func socketDidClose(_ reason: SocketCloseReason) {
        phase = .over
        closingTimer?.cancel()
        endSession(.connectionLost)
        server.assumeIsolated { $0.remove(ticket) }
    }
}
