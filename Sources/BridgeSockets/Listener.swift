// A socket that listens.

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A listening socket, bound when it is made, accepting once it is started.
package final class Listener: Sendable {
    /// Where it listens; the port that the system chose when 0 was asked for.
    package let address: SocketAddress
    package let loop: EventLoop
    private let core: LoopConfined<ListenerCore>

    /// Binds and listens: from here on connections succeed and wait. From any thread.
    ///
    /// IPv6 takes IPv6 only. A Unix-domain socket gets mode 0600; one that nobody listens on any more is replaced, any
    /// other file is not; it is unlinked when the listener closes.
    package init(_ address: SocketAddress, on loop: EventLoop) throws(SocketError) {
        let bound = try BoundSocket(address)
        self.address = bound.address
        self.loop = loop
        core = loop.reactor.map { ListenerCore(bound, loop: loop, reactor: $0) }
    }

    /// Accepts from here on, from any thread. Both closures are called on the loop.
    ///
    /// - Parameters:
    ///   - paused: there are no descriptors left but a few for the rest of the process (or a failure like it), for which
    ///     accepting rests for 100 ms. Called for each such rest; connections wait meanwhile.
    ///   - accepted: a connection, to be started, or let go and so closed.
    package func start(
        paused: @escaping @Sendable (SocketError) -> Void = { _ in },
        accepted: @escaping @Sendable (StreamSocket) -> Void
    ) {
        loop.execute { [core] in
            core.value.start(ListenerCore.Handlers(paused: paused, accepted: accepted))
        }
    }

    /// Stops listening; connections that were not accepted are reset. From any thread, done in the order of the loop's jobs.
    package func close() {
        loop.execute { [core] in core.value.close() }
    }
}

/// The state of a listener, confined to its loop.
final class ListenerCore: Channel {
    /// Connections accepted in one turn; more would starve those that are there.
    private static let acceptsPerTurn = 32
    private static let rest = Duration.milliseconds(100)

    struct Handlers {
        let paused: @Sendable (SocketError) -> Void
        let accepted: @Sendable (StreamSocket) -> Void
    }

    private let loop: EventLoop
    private let family: Int32
    private let file: SocketFile?
    private var handlers: Handlers?
    private var isClosed = false

    init(_ bound: BoundSocket, loop: EventLoop, reactor: Reactor) {
        self.loop = loop
        family = bound.address.family
        file = bound.file
        super.init(descriptor: bound.descriptor, reactor: reactor)
    }

    deinit {
        if !isClosed { file?.unlink() }
    }

    func start(_ handlers: Handlers) {
        guard self.handlers == nil, !isClosed else { return }
        self.handlers = handlers
        interest = .read
        reactor.register(self)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        handlers = nil
        file?.unlink()
        reactor.unregister(self)
    }

    override func loopStopped() {
        close()
    }

    override func ready(_ readiness: Readiness) {
        for _ in 0..<Self.acceptsPerTurn {
            guard let handlers, !isClosed else { return }
            guard hasDescriptorsToSpare(descriptor) else {
                return pause(handlers, SocketError(call: "accept", code: EMFILE))
            }
            if let (connection, peer) = SocketAddress.reading({ accept(descriptor, $0, $1) }) {
                configureConnection(connection, family: family)
                handlers.accepted(StreamSocket(descriptor: connection, peer: peer, loop: loop, reactor: reactor))
                continue
            }
            switch errno {
            case EAGAIN, EWOULDBLOCK:
                return
            // The connection was given up while it waited (Linux: also by an error of its network), not the listener.
            case ECONNABORTED, EINTR, EPROTO, ENETDOWN, EHOSTUNREACH, ENETUNREACH, ETIMEDOUT:
                continue
            default:
                return pause(handlers, SocketError(call: "accept", code: errno))
            }
        }
    }

    /// The connection that cannot be accepted stays ready: without a rest the loop would spin.
    private func pause(_ handlers: Handlers, _ error: SocketError) {
        setInterest([])
        let core = LoopConfined(self, to: reactor.identity)
        loop.after(Self.rest) { core.value.setInterest(.read) }
        handlers.paused(error)
    }
}
