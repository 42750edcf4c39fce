// Connecting to someone who listens.

import Dispatch

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension StreamSocket {
    /// Connects to `address`. The socket is to be started by its owner; what arrives before waits in the kernel. A task
    /// that is cancelled gives up.
    package static func connect(
        to address: SocketAddress, on loop: EventLoop, timeout: Duration = .seconds(10)
    ) async throws(SocketError) -> StreamSocket {
        let attempt = LoopConfined(ConnectionAttempt(), to: loop.reactor.identity)
        let result: Result<StreamSocket, SocketError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute {
                    let connector = Connector.begin(address, loop: loop, timeout: timeout) {
                        continuation.resume(returning: $0)
                    }
                    attempt.value.begun(connector)
                }
            }
        } onCancel: {
            loop.execute { attempt.value.cancel() }
        }
        return try result.get()
    }

    /// Connects to the first address of `host`, a name or a literal without brackets, that takes the connection. Throws
    /// the failure of the last one. `timeout` is for each address.
    package static func connect(
        host: String, port: UInt16, on loop: EventLoop, timeout: Duration = .seconds(10)
    ) async throws(SocketError) -> StreamSocket {
        if let literal = SocketAddress(literal: host, port: port) {
            return try await connect(to: literal, on: loop, timeout: timeout)
        }
        var failure = SocketError.unknownHost(host, reason: "no address")
        for address in try await resolve(host, port: port) {
            do throws(SocketError) {
                return try await connect(to: address, on: loop, timeout: timeout)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// getaddrinfo(3) blocks, so it does that elsewhere.
    private static func resolve(_ host: String, port: UInt16) async throws(SocketError) -> [SocketAddress] {
        let result: Result<[SocketAddress], SocketError> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: addresses(of: host, port: port))
            }
        }
        return try result.get()
    }

    private static func addresses(of host: String, port: UInt16) -> Result<[SocketAddress], SocketError> {
        var hints = addrinfo()
        #if canImport(Darwin)
            hints.ai_socktype = SOCK_STREAM
        #else
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            return .failure(.unknownHost(host, reason: String(cString: gai_strerror(code))))
        }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        for info in sequence(first: list, next: { $0?.pointee.ai_next }) {
            guard let info = info?.pointee, let address = info.ai_addr else { break }
            var storage = sockaddr_storage()
            let length = min(Int(info.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: length))
            }
            found.append(SocketAddress(storage, length: socklen_t(length)))
        }
        return .success(found)
    }
}

/// What gives up a connection that is being made, whichever of the two is heard of first. Confined to its loop.
private final class ConnectionAttempt {
    private weak var connector: Connector?
    private var isCancelled = false

    func begun(_ connector: Connector?) {
        self.connector = connector
        if isCancelled { cancel() }
    }

    func cancel() {
        isCancelled = true
        connector?.finish(.failure(.cancelled))
    }
}

/// A connection that is being made, confined to its loop.
private final class Connector: Channel {
    /// A Unix-domain listener whose backlog is full says EAGAIN, and nothing when there is room.
    private static let retryDelay = Duration.milliseconds(5)

    private let address: SocketAddress
    private let loop: EventLoop
    private var completion: ((Result<StreamSocket, SocketError>) -> Void)?
    private var outcome: Result<Void, SocketError> = .success(())
    private var timer: LoopTimer?

    /// - Returns: nil when it failed at once.
    static func begin(
        _ address: SocketAddress, loop: EventLoop, timeout: Duration,
        completion: @escaping (Result<StreamSocket, SocketError>) -> Void
    ) -> Connector? {
        guard !loop.reactor.value.isStopped else {
            completion(.failure(.loopStopped))
            return nil
        }
        do throws(SocketError) {
            let descriptor = try makeSocket(address)
            configureConnection(descriptor, family: address.family)
            let connector = Connector(descriptor, address, loop, completion)
            connector.setTimeout(timeout)
            connector.attempt()
            return connector
        } catch {
            completion(.failure(error))
            return nil
        }
    }

    init(
        _ descriptor: Int32, _ address: SocketAddress, _ loop: EventLoop,
        _ completion: @escaping (Result<StreamSocket, SocketError>) -> Void
    ) {
        self.address = address
        self.loop = loop
        self.completion = completion
        super.init(descriptor: descriptor, reactor: loop.reactor.value)
    }

    private func setTimeout(_ timeout: Duration) {
        let connector = LoopConfined(self, to: reactor.identity)
        timer = loop.after(timeout) { [address] in connector.value.finish(.failure(.timedOut(address))) }
    }

    private func attempt() {
        guard completion != nil else { return }
        do throws(SocketError) {
            let code = try address.withSystemAddress { systemConnect(descriptor, $0, $1) == 0 ? 0 : errno }
            switch code {
            case 0:
                finish(.success(()))
            case EINPROGRESS, EINTR:
                interest = .write
                reactor.register(self)
            case EAGAIN:
                // Registered, so that it hears of the loop's end; poll(2) has nothing new to say of it.
                reactor.register(self)
                reactor.watcher.mute(self)
                let connector = LoopConfined(self, to: reactor.identity)
                loop.after(Self.retryDelay) { connector.value.attempt() }
            default:
                throw SocketError(call: "connect", address: address, code: code)
            }
        } catch {
            finish(.failure(error))
        }
    }

    override func ready(_ readiness: Readiness) {
        let code = pendingError(descriptor)
        finish(code == 0 ? .success(()) : .failure(SocketError(call: "connect", address: address, code: code)))
    }

    override func loopStopped() {
        finish(.failure(.loopStopped))
    }

    fileprivate func finish(_ outcome: Result<Void, SocketError>) {
        guard timer != nil else { return }
        timer?.cancel()
        timer = nil
        self.outcome = outcome
        reactor.unregister(self)
    }

    /// Only now may another channel have the descriptor.
    override func unwatched() {
        let descriptor = takeDescriptor()
        let completion = completion
        self.completion = nil
        switch outcome {
        case .success:
            completion?(.success(StreamSocket(descriptor: descriptor, peer: address, loop: loop, reactor: reactor)))
        case .failure(let error):
            closeDescriptor(descriptor)
            completion?(.failure(error))
        }
    }
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}
