import BridgeHTTP
import BridgeSockets
import BridgeWebSocket
import Bridgehead

// What a whole request is answered, and how answers are written.
extension HTTPConnection {
    /// - Parameter rest: what followed the request.
    func complete(rest: UnsafeRawBufferPointer) {
        guard let request else { return }
        if let early = request.early { return send(Answer(early)) }
        switch request.route {
        case _ where request.route.isUpgrade(request.head):
            upgrade(request, rest: rest)
        case .echo:
            send(Answer(HTTPResponse(200, ["Content-Type": "application/octet-stream"], body: request.body)))
        case .rpc, .site(_, "rpc"):
            exchange(request)
        case .health:
            send(Answer(server.assumeIsolated { $0.health(originIsAllowed: request.decision.originIsAllowed) }))
        case .clientFile(let name):
            send(EmbeddedFiles.client(name).map { Answer($0, to: request.head) } ?? Answer(PlainAnswers.notFound))
        case .site(let site, let name):
            send(server.site(site)?.answer(name, request) ?? Answer(PlainAnswers.notFound))
        case .page:
            send(server.pages.answer(request.head))
        case .webSocket, .server:
            send(Answer(PlainAnswers.options(request.route)))
        }
    }

    /// Writes an answer, then goes on to the next request or closes.
    func send(_ answer: Answer, keepAlive: Bool = true) {
        let request = request
        self.request = nil
        var response = answer.response
        response.fields.append("Date", server.assumeIsolated { $0.date() })
        response.fields.append(contentsOf: CrossOrigin.always(request?.route))
        if let request { response.fields.append(contentsOf: request.decision.crossOrigin) }
        // The path alone: the query may hold the token.
        server.log(
            .debug, "http",
            [
                ("method", request?.head.method.rawValue ?? "-"), ("path", request?.head.target.path ?? "-"),
                ("status", "\(response.status)"),
            ])
        let persists = socket.withOutput {
            response.append(to: &$0, answering: request?.head, keepAlive: keepAlive)
        }
        if let file = answer.file {
            phase = .streaming(file, remaining: answer.remaining, thenCloses: !persists)
            sendMoreOfFile()
        } else {
            answered(persists: persists)
        }
    }

    private func answered(persists: Bool) {
        guard persists else { return finish() }
        phase = .reading
        goOn()
    }

    /// Never holds more than a part of the file, however slow the client reads.
    func sendMoreOfFile() {
        while case .streaming(let file, let remaining, let thenCloses) = phase {
            guard socket.unsentBytes <= server.lowWatermark else { return updateDeadline() }
            guard let bytes = file.read(min(remaining, Answer.chunk)), !bytes.isEmpty else {
                // It has become shorter than was said: only the end of the connection can tell.
                return socket.close()
            }
            socket.write(bytes)
            if remaining > bytes.count {
                phase = .streaming(file, remaining: remaining - bytes.count, thenCloses: thenCloses)
            } else {
                answered(persists: !thenCloses)
            }
        }
    }

    // MARK: Calls

    private func exchange(_ request: Request) {
        guard let bridge = server.bridge(of: request.route) else { return send(Answer(PlainAnswers.notFound)) }
        let session = server.makeSession(.exchange, of: bridge) { [self] bytes in
            let body = Array(bytes)
            assumeIsolated { $0.answer(body) }
        }
        phase = .answering(session)
        session.assumeIsolated { session in
            if server.assumeIsolated({ $0.isDraining }) { session.drain() }
            request.body.withUnsafeBytes { session.receive($0) }
            // Without an answer by then there is none: it was a notification.
            session.whenIdle { [self] in assumeIsolated { $0.exchangeIsOver(session) } }
        }
    }

    private func exchangeIsOver(_ session: BridgeSession) {
        guard case .answering(let current) = phase, current === session else { return }
        answer([])
    }

    private func answer(_ body: [UInt8]) {
        guard case .answering(let session) = phase else { return }
        phase = .reading
        session.assumeIsolated { $0.end(.clientWentAway) }
        send(Answer(HTTPResponse(200, ["Content-Type": "application/json"], body: body)))
    }

    // MARK: WebSocket

    private func upgrade(_ request: Request, rest: UnsafeRawBufferPointer) {
        let isEcho = request.route == .echo
        let bridge = server.bridge(of: request.route)
        guard isEcho || bridge != nil else { return send(Answer(PlainAnswers.notFound)) }
        switch WebSocketHandshake.answer(
            request.head, subprotocols: isEcho ? [] : ["bridgehead.\(BridgeProtocol.version)"])
        {
        case .refuse(let response):
            send(Answer(response))
        case .accept(var response, _):
            response.fields.append(contentsOf: CrossOrigin.always(request.route))
            socket.withOutput { _ = response.append(to: &$0, answering: request.head, keepAlive: true) }
            letGo()
            if request.route == .webSocket, let take = server.sites.compactMap(\.takeSocket).first {
                server.assumeIsolated { $0.remove(ticket) }
                return take(socket, Array(rest))
            }
            let successor = WebSocketConnection(socket, ticket: ticket, server: server, bridge: bridge)
            server.assumeIsolated { $0.replace(with: successor) }
            let rest = LoopBytes(rest)
            successor.assumeIsolated { $0.start(with: rest.bytes) }
        }
    }
}
