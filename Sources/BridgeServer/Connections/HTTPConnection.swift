import BridgeHTTP
import BridgeSockets
import Bridgehead

/// A connection that speaks HTTP/1.1: one request after the other is read, routed and answered, in order, until it is
/// closed or becomes a WebSocket. Isolated to the server's loop.
actor HTTPConnection: ServedConnection {
    /// What the connection does. Requests are read in `reading` alone; what comes meanwhile waits.
    enum Phase {
        case reading
        /// Handlers are at work on the answer.
        case answering(BridgeSession)
        /// A file is on its way out.
        case streaming(OpenFile, remaining: Int, thenCloses: Bool)
        /// The client is slow to read its answers.
        case waitingForReader
        /// The last answer was written, or the connection is a WebSocket now.
        case over
    }

    /// The request that is being read or answered.
    struct Request {
        let head: HTTPRequestHead
        let route: Route
        let decision: AccessPolicy.Decision
        /// What the head alone has decided; sent when the request was read.
        let early: HTTPResponse?
        var body: [UInt8] = []
        var wasToldToContinue = false
    }

    /// What its deadline is for.
    private enum Wait { case request, head, body, reader }

    /// What is read at most while an answer is made, so that the end of the input is seen.
    private static let readAhead = 64 << 10

    nonisolated let ticket: ConnectionTicket
    nonisolated let server: ServerCore
    nonisolated let socket: StreamSocket
    var phase = Phase.reading
    var request: Request?
    private var parser: HTTPRequestParser
    /// What was received and not yet looked at.
    private var waiting: [UInt8] = []
    private var isProcessing = false
    /// This end's, which does not change.
    private lazy var address = socket.localAddress
    private var inputHasEnded = false
    private var isDraining = false
    private var isLeaving = false
    private var wait: Wait?
    private var deadline = Deadline()

    nonisolated var unownedExecutor: UnownedSerialExecutor { server.loop.asUnownedSerialExecutor() }

    init(_ socket: StreamSocket, ticket: ConnectionTicket, server: ServerCore) {
        self.socket = socket
        self.ticket = ticket
        self.server = server
        let limits = server.limits
        parser = HTTPRequestParser(
            limits: HTTPLimits(
                requestLine: limits.requestLine, fieldBlock: limits.headerBlock, fields: limits.headerFields,
                body: limits.message))
    }

    /// Begins to serve; with `refusal`, that is answered to whatever comes.
    func start(refusal: HTTPResponse? = nil) {
        socket.start(owner: self, lowWatermark: server.lowWatermark)
        if let refusal { send(Answer(refusal), keepAlive: false) }
        updateDeadline()
    }

    func handle(_ notice: ServerNotice) {
        switch notice {
        case .pingIsDue: break
        case .drain:
            isDraining = true
            if case .answering(let session) = phase { session.assumeIsolated { $0.drain() } }
            tellWhenDrained()
        case .cancelRequests:
            if case .answering(let session) = phase { session.assumeIsolated { $0.cancelAll() } }
        case .leave:
            isLeaving = true
            // Whoever is in the middle of a request hears why it is not served.
            if case .reading = phase, parser.stage != .idle { send(Answer(PlainAnswers.draining), keepAlive: false) }
            finish()
        }
    }

    /// A request that has not come whole was not taken: it is not waited for.
    private func tellWhenDrained() {
        guard isDraining else { return }
        switch phase {
        case .reading, .over: server.assumeIsolated { $0.hasDrained(ticket) }
        case .answering, .streaming, .waitingForReader: break
        }
    }

    // MARK: Reading

    private func process(_ bytes: UnsafeRawBufferPointer) {
        isProcessing = true
        var input = bytes
        reading: while case .reading = phase {
            guard socket.unsentBytes <= server.limits.slowReader else {
                phase = .waitingForReader
                break
            }
            switch parser.next(&input) {
            case .needMore:
                askForBody()
                break reading
            case .head(let head):
                wait = nil
                begin(head)
            case .body(let part): request?.body.append(contentsOf: part)
            case .end: complete(rest: input)
            case .failure(let failure): send(Answer(PlainAnswers.failure(failure)), keepAlive: false)
            }
        }
        isProcessing = false
        if case .over = phase { return }
        waiting.append(contentsOf: input)
        if waiting.count > Self.readAhead { socket.pauseReading() }
        updateDeadline()
    }

    private func begin(_ head: HTTPRequestHead) {
        let route = Route(head.target)
        let decision = server.policy.decide(
            head, route: route, localHost: address?.hostInURL ?? "", port: address?.port ?? 0)
        let early = server.assumeIsolated { $0.refusal(of: head, route: route, decision: decision) }
        request = Request(head: head, route: route, decision: decision, early: early)
        // A body that nobody wants is not waited for.
        if let early, head.body != .length(0) { send(Answer(early), keepAlive: false) }
    }

    /// A client that waits for leave to send the body gets it, once.
    private func askForBody() {
        guard let request, request.head.expectsContinue, request.body.isEmpty, !request.wasToldToContinue else {
            return
        }
        self.request?.wasToldToContinue = true
        socket.withOutput { HTTPResponse.appendContinue(to: &$0) }
    }

    /// The answer is out: looks at what came while it was made.
    func goOn() {
        guard !isProcessing, case .reading = phase else { return }
        let bytes = waiting
        waiting = []
        socket.resumeReading()
        bytes.withUnsafeBytes { process($0) }
        if inputHasEnded { finishReading() }
        tellWhenDrained()
    }

    /// The input has ended: what is whole was answered.
    private func finishReading() {
        guard case .reading = phase else { return }
        if parser.stage == .idle {
            finish()
        } else {
            send(Answer(PlainAnswers.failure(PlainAnswers.cutRequest)), keepAlive: false)
        }
    }

    // MARK: Ending

    /// Sends what was written and closes. Closing while input is unread would reset the connection and destroy the last
    /// answer (RFC 9112, section 9.6), which the socket sees to.
    func finish() {
        if case .answering(let session) = phase { session.assumeIsolated { $0.end(.clientWentAway) } }
        phase = .over
        waiting = []
        deadline.cancel()
        socket.closeAfterFlush(lingering: server.limits.lingerTimeout, rest: server.rest(isLeaving: isLeaving))
        tellWhenDrained()
    }

    /// The socket is another's now.
    func letGo() {
        phase = .over
        deadline.cancel()
    }

    // MARK: Deadlines

    func updateDeadline() {
        let limits = server.limits
        let (next, delay): (Wait?, Duration?) =
            switch phase {
            case .reading:
                switch parser.stage {
                case .idle, .failed: (.request, limits.idleTimeout)
                case .head: (.head, limits.headTimeout)
                case .body: (.body, limits.bodyTimeout)
                }
            case .streaming, .waitingForReader: (.reader, limits.idleTimeout)
            case .answering, .over: (nil, nil)
            }
        // The head has to come within the time; the others begin anew with each sign of life.
        if next == .head, wait == .head { return }
        wait = next
        deadline.set(delay, on: server.loop) { [self] in assumeIsolated { $0.deadlineFired() } }
    }

    private func deadlineFired() {
        guard deadline.isDue(on: server.loop, { [self] in assumeIsolated { $0.deadlineFired() } }) else { return }
        switch wait {
        case .head: send(Answer(PlainAnswers.failure(PlainAnswers.slowHead)), keepAlive: false)
        case .body: send(Answer(PlainAnswers.failure(PlainAnswers.slowBody)), keepAlive: false)
        case .request: finish()
        case .reader: socket.close()
        case nil: break
        }
    }
}

extension HTTPConnection: StreamSocketOwner {
    func socketDidRead(_ bytes: UnsafeMutableRawBufferPointer) {
        switch phase {
        case .reading:
            process(UnsafeRawBufferPointer(bytes))
            tellWhenDrained()
        case .answering, .streaming, .waitingForReader:
            waiting.append(contentsOf: bytes)
            if waiting.count > Self.readAhead { socket.pauseReading() }
        case .over:
            break
        }
    }

    func socketDidEndInput() {
        inputHasEnded = true
        switch phase {
        case .reading: finishReading()
        // Nobody waits for the answer (PROTOCOL.md, section 10).
        case .answering: finish()
        case .streaming, .waitingForReader, .over: break
        }
    }

    func socketDidDrain() {
        switch phase {
        case .streaming: sendMoreOfFile()
        case .waitingForReader:
            phase = .reading
            goOn()
        case .reading, .answering, .over: break
        }
    }

    func socketDidClose(_ reason: SocketCloseReason) {
        if case .answering(let session) = phase { session.assumeIsolated { $0.end(.clientWentAway) } }
        phase = .over
        deadline.cancel()
        server.assumeIsolated { $0.remove(ticket) }
    }
}
