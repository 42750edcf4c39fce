import BridgeSockets
import Bridgehead

/// A connection of the lines transport: one JSON text a line, either way. Isolated to the server's loop.
actor LinesConnection: ServedConnection {
    nonisolated let ticket: ConnectionTicket
    nonisolated let server: ServerCore
    private nonisolated let socket: StreamSocket
    private var framer: LineFramer
    /// nil before the start, and once it has ended.
    private var session: BridgeSession?
    /// What was read and not yet taken; more than a run of it while the client is slow to read.
    private var unread: [BridgeSession.Message] = []
    private var inputHasEnded = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { server.loop.asUnownedSerialExecutor() }

    init(_ socket: StreamSocket, ticket: ConnectionTicket, server: ServerCore) {
        self.socket = socket
        self.ticket = ticket
        self.server = server
        framer = LineFramer(limit: server.limits.message)
    }

    func start() {
        let limit = server.limits.unreadOutput
        let session = server.makeSession(.stream, of: server.bridge) { [self, socket] text in
            Self.write(text, to: socket)
            if socket.unsentBytes > limit { assumeIsolated { $0.finish() } }
        }
        self.session = session
        server.assumeIsolated { $0.sessionBegan() }
        server.log(.info, "connected", [("session", session.label)])
        socket.start(owner: self, lowWatermark: server.lowWatermark)
    }

    func handle(_ notice: ServerNotice) {
        switch notice {
        case .pingIsDue: break
        case .drain:
            session?.assumeIsolated { session in
                session.drain()
                session.whenIdle { [self] in server.assumeIsolated { $0.hasDrained(ticket) } }
            }
        case .cancelRequests: session?.assumeIsolated { $0.cancelAll() }
        case .leave: finish(isLeaving: true)
        }
    }

    private func take(_ event: LineFramer.Event) {
        guard let session else { return }
        switch event {
        case .line(let text):
            unread.append(session.read(text))
            if unread.count == BridgeSession.longestRun { carryOut() }
        case .tooLong:
            carryOut(waiting: false)
            let limit = server.limits.message
            let refusal = BridgeFailure.invalidRequest("a line has at most \(limit) bytes (message)")
            refusal.unaddressedText.withUnsafeBytes { Self.write($0, to: socket) }
            finish()
        case .webRequest:
            carryOut(waiting: false)
            server.log(.warning, "a web request on the lines port was refused", [("session", session.label)])
            finish()
        }
    }

    /// Takes the messages that were read.
    ///
    /// - Parameter waiting: whether those for which the client reads too slowly go on waiting.
    private func carryOut(waiting: Bool = true) {
        var run = unread
        unread = []
        guard !run.isEmpty, let session else { return }
        let taken = session.assumeIsolated { [socket, server] session in
            session.take(&run) { !waiting || socket.unsentBytes <= server.limits.slowReader }
        }
        guard taken < run.count, self.session != nil else { return }
        unread = Array(run[taken...])
        socket.pauseReading()
    }

    private static func write(_ message: UnsafeRawBufferPointer, to socket: StreamSocket) {
        socket.withOutput { output in
            output.append(contentsOf: message)
            output.append(UInt8(ascii: "\n"))
        }
    }

    /// Sends what was written and closes.
    private func finish(isLeaving: Bool = false) {
        endSession()
        socket.closeAfterFlush(lingering: server.limits.lingerTimeout, rest: server.rest(isLeaving: isLeaving))
        server.assumeIsolated { $0.hasDrained(ticket) }
    }

    private func endSession() {
        guard let session else { return }
        self.session = nil
        session.assumeIsolated { $0.end(.connectionLost) }
        server.assumeIsolated { $0.sessionEnded() }
        server.log(.info, "disconnected", [("session", session.label)])
    }
}

extension LinesConnection: StreamSocketOwner {
    func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        framer.feed(UnsafeRawBufferPointer(bytes)) { take($0) }
        carryOut()
    }

    func socketDidDrain() {
        carryOut()
        guard unread.isEmpty else { return }
        socket.resumeReading()
        if inputHasEnded { endInput() }
    }

    func socketDidEndInput() {
        framer.finish { take($0) }
        carryOut()
        inputHasEnded = true
        if unread.isEmpty { endInput() }
    }

    /// After a half-close what is pending is still answered.
    func endInput() {
        session?.assumeIsolated { session in
            session.inputEnded()
            session.whenIdle { [self] in assumeIsolated { $0.finish() } }
        }
    }

    func socketDidClose(_ reason: SocketCloseReason) {
        endSession()
        server.assumeIsolated { $0.remove(ticket) }
    }
}
