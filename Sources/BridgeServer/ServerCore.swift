import BridgeHTTP
import BridgeSockets
import Bridgehead

/// What the connections of a server share, isolated to its loop as they are.
actor ServerCore {
    /// Long enough for what has reached this machine to be read before the last goodbye.
    private static let settlingTime = Duration.milliseconds(20)
    private static let originsRemembered = 1_000
    /// How long a peer that was told goodbye may be silent without ending its side, when the server leaves.
    private static let partingTime = Duration.milliseconds(250)

    nonisolated let bridge: Bridge
    nonisolated let loop: EventLoop
    nonisolated let limits: BridgeLimits
    nonisolated let policy: AccessPolicy
    nonisolated let pages: PageSource
    nonisolated let sites: [MountedSite]
    nonisolated let log: BridgeLog

    private var listeners: [Listener] = []
    private var table = ConnectionTable()
    private var sessionCount = 0
    private var nextSlot = 0
    private var clock = HTTPDate()
    private var refusedOrigins: Set<String> = []
    private var connectionsWait = false
    private var stage = Stage.serving
    /// Connections with requests in flight, while draining.
    private var undrained: Set<ConnectionTicket> = []
    private var ends: [CheckedContinuation<Void, Never>] = []

    private enum Stage { case serving, draining, leaving, ending, ended }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(bridge: Bridge, loop: EventLoop, configuration: BridgeServer.Configuration, pages: PageSource) {
        self.bridge = bridge
        self.loop = loop
        self.pages = pages
        limits = configuration.limits
        log = configuration.bridgeLog
        sites = configuration.sites
        policy = AccessPolicy(
            hosts: configuration.allowedHosts, origins: configuration.allowedOrigins, token: configuration.token)
    }

    /// Unsent output at which a socket is ready for more; never above what makes its reader a slow one, or nobody would
    /// hear when it has caught up.
    nonisolated var lowWatermark: Int { min(64 << 10, limits.slowReader) }

    /// Accepts from here on.
    func serve(web: [Listener], lines: [Listener]) {
        listeners = web + lines
        for listener in web { accept(from: listener) { core, socket in core.acceptWeb(socket) } }
        for listener in lines { accept(from: listener) { core, socket in core.acceptLines(socket) } }
        schedulePings()
    }

    private func accept(
        from listener: Listener, _ take: @escaping @Sendable (isolated ServerCore, StreamSocket) -> Void
    ) {
        listener.start(
            paused: { reason in self.assumeIsolated { $0.noteWait(reason) } },
            accepted: { socket in
                self.assumeIsolated {
                    $0.connectionsWait = false
                    take($0, socket)
                }
            })
    }

    /// Accepting rests again and again while descriptors are short; that is said once.
    private func noteWait(_ reason: SocketError) {
        if !connectionsWait { log(.warning, "connections have to wait", [("reason", "\(reason)")]) }
        connectionsWait = true
    }

    private func acceptWeb(_ socket: StreamSocket) {
        let isFull = table.count >= limits.connections
        let connection = HTTPConnection(socket, ticket: table.nextTicket(), server: self)
        table.insert(connection)
        connection.assumeIsolated { $0.start(refusal: isFull ? PlainAnswers.tooManyConnections : nil) }
    }

    private func acceptLines(_ socket: StreamSocket) {
        guard table.count < limits.connections else { return }
        let connection = LinesConnection(socket, ticket: table.nextTicket(), server: self)
        table.insert(connection)
        connection.assumeIsolated { $0.start() }
    }

    // MARK: For connections

    var isDraining: Bool { stage != .serving }

    /// How long a connection whose last byte is sent waits for a silent peer to end its side.
    nonisolated func rest(isLeaving: Bool) -> Duration {
        isLeaving ? min(Self.partingTime, limits.lingerTimeout) : limits.lingerTimeout
    }

    nonisolated func site(_ name: MountedSite.Name) -> MountedSite? { sites.first { $0.name == name } }

    /// The bridge that is reached there.
    nonisolated func bridge(of route: Route) -> Bridge? {
        switch route {
        case .webSocket, .rpc: bridge
        case .site(let name, "ws"), .site(let name, "rpc"): site(name)?.bridge
        case .site, .health, .echo, .clientFile, .page, .server: nil
        }
    }

    /// What a tool of ours says to its own bridge is not shown among the app's messages.
    nonisolated func makeSession(
        _ kind: BridgeSession.Kind, of bridge: Bridge, output: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) -> BridgeSession {
        BridgeSession(
            bridge: bridge, executor: loop, kind: kind, limits: limits,
            log: bridge === self.bridge ? log : BridgeLog.none, output: output)
    }

    func date() -> String { clock.now() }

    func sessionBegan() { sessionCount += 1 }

    func sessionEnded() { sessionCount -= 1 }

    /// The connection of that ticket has become another.
    func replace(with connection: any ServedConnection) { table.insert(connection) }

    func remove(_ ticket: ConnectionTicket) {
        table.remove(ticket)
        hasDrained(ticket)
        if stage == .leaving, table.count == 0 { end() }
    }

    func health(originIsAllowed: Bool) -> HTTPResponse {
        let state: JSON = [
            "status": isDraining ? "draining" : "ok", "version": JSON(BridgeProtocol.release),
            "protocol": JSON(BridgeProtocol.version), "sessions": JSON(sessionCount),
            "originAllowed": .bool(originIsAllowed),
        ]
        return HTTPResponse(
            isDraining ? 503 : 200, ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: Array(state.text.utf8))
    }

    /// What a request's head alone is answered; nil when it is to be served.
    func refusal(of head: HTTPRequestHead, route: Route, decision: AccessPolicy.Decision) -> HTTPResponse? {
        switch decision.verdict {
        case .refused(let status, let reason, let fields):
            if let origin = decision.refusedOrigin { note(refused: origin) }
            return PlainAnswers.text(status, reason, fields)
        case .signIn(let location, let cookie):
            return HTTPResponse(303, ["Location": location, "Set-Cookie": cookie, "Cache-Control": "no-store"])
        case .allowed:
            break
        }
        guard route.serves(head.method) else { return PlainAnswers.methodNotAllowed(route) }
        switch route {
        case .rpc, .health, .clientFile, .site(_, "rpc"):
            if head.method == .options { return PlainAnswers.options(route) }
        case .webSocket, .echo, .site, .page, .server: break
        }
        switch route {
        case .rpc, .site(_, "rpc"), .site(_, MountedSite.result):
            if !ContentType.isJSON(head.fields) { return PlainAnswers.wrongContentType }
        default: break
        }
        return route.isUpgrade(head) && isDraining ? PlainAnswers.draining : nil
    }

    /// Once an origin, with the cure.
    private func note(refused origin: String) {
        guard refusedOrigins.count < Self.originsRemembered, refusedOrigins.insert(origin).inserted else { return }
        let help = AccessPolicy.cure(forOrigin: origin).map { [("help", "to allow it, start with \($0)")] } ?? []
        log(.warning, "a page was refused", [("origin", origin)] + help)
    }

    // MARK: Pings

    private func schedulePings() {
        let pause = limits.pingInterval / ConnectionTable.slotCount
        loop.after(pause) { [weak self] in self?.assumeIsolated { $0.pingNextSlot() } }
    }

    private func pingNextSlot() {
        guard stage != .ending, stage != .ended else { return }
        for connection in table.connections(inSlot: nextSlot) { connection.notify(.pingIsDue) }
        nextSlot = (nextSlot + 1) % ConnectionTable.slotCount
        schedulePings()
    }

    // MARK: The end

    /// Takes no more connections and requests, waits for those in flight, says goodbye.
    func drain(timeout: Duration) async {
        if stage == .serving {
            stage = .draining
            for listener in listeners { listener.close() }
            let connections = table.all
            undrained = Set(connections.map(\.ticket))
            for connection in connections { connection.notify(.drain) }
            loop.after(Self.settlingTime) { self.assumeIsolated { $0.leaveIfDrained() } }
            loop.after(timeout) { self.assumeIsolated { $0.cancelRequests() } }
        }
        await untilEnded()
    }

    /// Closes everything at once.
    func stop() async {
        end()
        await untilEnded()
    }

    private func untilEnded() async {
        guard stage != .ended else { return }
        await withCheckedContinuation { ends.append($0) }
    }

    /// The connection's requests are answered.
    func hasDrained(_ ticket: ConnectionTicket) {
        guard stage == .draining, undrained.remove(ticket) != nil, undrained.isEmpty else { return }
        loop.after(Self.settlingTime) { self.assumeIsolated { $0.leaveIfDrained() } }
    }

    private func leaveIfDrained() {
        if stage == .draining, undrained.isEmpty { leave() }
    }

    private func cancelRequests() {
        guard stage == .draining else { return }
        for connection in table.all { connection.notify(.cancelRequests) }
        leave()
    }

    private func leave() {
        stage = .leaving
        for connection in table.all { connection.notify(.leave) }
        guard table.count > 0 else { return end() }
        // Whoever is too slow to take the goodbye goes without.
        loop.after(limits.lingerTimeout * 2) { self.assumeIsolated { $0.end() } }
    }

    private func end() {
        guard stage != .ending, stage != .ended else { return }
        stage = .ending
        loop.stop()
        // Behind the loop's own job, which closes all sockets and listeners.
        loop.execute { self.assumeIsolated { $0.ended() } }
    }

    private func ended() {
        stage = .ended
        let ends = ends
        self.ends = []
        for end in ends { end.resume() }
    }
}
