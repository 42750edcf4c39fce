// Listening and connecting.

import BridgeSockets
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite(.timeLimit(.minutes(5))) struct ListenerTests {
    @Test(arguments: EventLoop.Mode.allCases, ["127.0.0.1", "::1", "localhost", "unix"])
    func clientsConnectByLiteralNameAndPath(_ mode: EventLoop.Mode, host name: String) async throws {
        try await withLoop(mode) { loop in
            let directory = try TemporaryDirectory()
            let listening = SocketAddress(literal: name, port: 0) ?? .ipv4(.loopback, port: 0)
            let host = try Host(name == "unix" ? .unix(path: directory.path("s")) : listening, on: loop)
            let socket =
                if let port = host.listener.address.port {
                    try await StreamSocket.connect(host: name, port: port, on: loop)
                } else {
                    try await StreamSocket.connect(to: host.listener.address, on: loop)
                }
            let client = Peer(socket)
            await client.start()
            let server = Peer(try await host.accept(), .echo)
            await server.start()
            await client.use { $0.write([1, 2, 3]) }
            #expect(await client.received(3).bytes == [1, 2, 3])
            #expect(server.socket.peerAddress.isLoopback)
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func aConnectionNobodyStartsIsClosed(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let listener = try Listener(.ipv4(.loopback, port: 0), on: loop)
            listener.start { _ in }
            let client = Peer(try await StreamSocket.connect(to: listener.address, on: loop))
            await client.start()
            await client.endOfInput()
        }
    }

    /// Libdispatch lets go of a descriptor in its own time; until then the kernel still takes connections.
    @Test(.timeLimit(.minutes(5)), arguments: EventLoop.Mode.allCases)
    func aClosedListenerRefuses(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            // By path: a port that is given back goes to whoever asks next, and this would knock there.
            let directory = try TemporaryDirectory()
            let host = try Host(.unix(path: directory.path("s")), on: loop)
            let address = host.listener.address
            host.listener.close()
            // A connection taken meanwhile is reset. The time limit is for a listener that never closes.
            var isRefused = false
            while !isRefused {
                do throws(SocketError) {
                    _ = try await StreamSocket.connect(to: address, on: loop)
                } catch {
                    isRefused = error == .connectionRefused(address) || error == .noSuchPath(address)
                }
            }
            #expect(isRefused)
        }
    }

    @Test func failuresSayWhatWasRefused() async throws {
        try await withLoop(.poll) { loop in
            let directory = try TemporaryDirectory()
            let missing = SocketAddress.unix(path: directory.path("s"))
            await #expect(throws: SocketError.noSuchPath(missing)) {
                try await StreamSocket.connect(to: missing, on: loop)
            }
            let long = String(repeating: "x", count: 200)
            await #expect(throws: SocketError.pathTooLong(long)) {
                try await StreamSocket.connect(to: .unix(path: long), on: loop)
            }
            await #expect(throws: SocketError.self) {
                try await StreamSocket.connect(host: "no such name.invalid", port: 1, on: loop)
            }
            let elsewhere = try #require(SocketAddress(literal: "192.0.2.1", port: 0))
            #expect(throws: SocketError.addressUnavailable(elsewhere)) { try Listener(elsewhere, on: loop) }
        }
    }

    /// A backlog that is full leaves the client waiting.
    @Test(arguments: EventLoop.Mode.allCases)
    func connectingEndsAtItsTimeout(_ mode: EventLoop.Mode) async throws {
        let directory = try TemporaryDirectory()
        let full = try FullBacklog(path: directory.path("s"))
        defer { full.close() }
        try await withLoop(mode) { loop in
            await #expect(throws: SocketError.timedOut(full.address)) {
                try await StreamSocket.connect(to: full.address, on: loop, timeout: .milliseconds(30))
            }
        }
    }

    /// Before it waits, and while it does.
    @Test(arguments: EventLoop.Mode.allCases)
    func connectingEndsWithItsTask(_ mode: EventLoop.Mode) async throws {
        let directory = try TemporaryDirectory()
        let full = try FullBacklog(path: directory.path("s"))
        defer { full.close() }
        let address = full.address
        try await withLoop(mode) { loop in
            for isEarly in [true, false] {
                let task = Task {
                    if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
                    _ = try await StreamSocket.connect(to: address, on: loop, timeout: .seconds(3_600))
                }
                if !isEarly {
                    await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
                    task.cancel()
                }
                await #expect(throws: SocketError.cancelled) { try await task.value }
            }
        }
    }

    @Test func portZeroIsFreeOnBothFamilies() async throws {
        try await withLoop(.poll) { loop in
            let listeners = try LoopbackListeners(port: 0, on: loop)
            #expect(listeners.port != 0)
            #expect(listeners.ipv4.address == .ipv4(.loopback, port: listeners.port))
            let ipv6 = try #require(listeners.ipv6)
            #expect(ipv6.address == .ipv6(.loopback, port: listeners.port))
            #expect(throws: SocketError.addressInUse(listeners.ipv4.address)) {
                try LoopbackListeners(port: listeners.port, on: loop)
            }
            #expect("\(SocketError.addressInUse(ipv6.address))" == "[::1]:\(listeners.port) is in use")
        }
    }

    @Test func aPortThatIsTakenOnOneFamilyIsTaken() async throws {
        try await withLoop(.poll) { loop in
            let ipv6 = try Listener(.ipv6(.loopback, port: 0), on: loop)
            let port = try #require(ipv6.address.port)
            let failure = #expect(throws: SocketError.self) { try LoopbackListeners(port: port, on: loop) }
            // On 127.0.0.1 somebody else may have it: that comes first then.
            let either: [SocketError] = [.addressInUse(ipv6.address), .addressInUse(.ipv4(.loopback, port: port))]
            #expect(failure.map(either.contains) == true)
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func aUnixSocketIsPrivateAndRemovedWhenClosed(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let directory = try TemporaryDirectory()
            let address = SocketAddress.unix(path: directory.path("s"))
            let listener = try Listener(address, on: loop)
            #expect(listener.address == address)
            #expect(directory.mode("s") == UInt32(S_IFSOCK) | 0o600)
            #expect(throws: SocketError.addressInUse(address)) { try Listener(address, on: loop) }
            listener.close()
            await loop.barrier()
            #expect(directory.mode("s") == nil)
        }
    }

    @Test func aDeadSocketFileIsReplacedAndNoOther() async throws {
        try await withLoop(.poll) { loop in
            let directory = try TemporaryDirectory()
            try FullBacklog(path: directory.path("s")).close()
            #expect(directory.mode("s") != nil)
            let host = try Host(.unix(path: directory.path("s")), on: loop)
            _ = try await host.pair()

            let file = SocketAddress.unix(path: directory.path("file"))
            close(open(file.host, O_CREAT | O_WRONLY, 0o644))
            #expect(throws: SocketError.addressInUse(file)) { try Listener(file, on: loop) }
            #expect(directory.mode("file") == UInt32(S_IFREG) | 0o644)

            let link = SocketAddress.unix(path: directory.path("link"))
            symlink(file.host, link.host)
            #expect(throws: SocketError.addressInUse(link)) { try Listener(link, on: loop) }
        }
    }

    @Test func aListenerLeavesTheFileOfItsSuccessor() async throws {
        try await withLoop(.poll) { loop in
            let directory = try TemporaryDirectory()
            let first = try Listener(.unix(path: directory.path("s")), on: loop)
            unlink(directory.path("s"))
            let second = try Host(.unix(path: directory.path("s")), on: loop)
            first.close()
            await loop.barrier()
            _ = try await second.pair()
        }
    }

    #if compiler(>=6.2)
        /// In a process of its own each: the limit holds for the whole process.
        @Test func withoutDescriptorsAPollingListenerRestsAndGoesOn() async throws {
            await #expect(processExitsWith: .success) { try await acceptWithoutDescriptors(.poll) }
        }

        @Test func withoutDescriptorsAListenerOverSourcesRestsAndGoesOn() async throws {
            await #expect(processExitsWith: .success) { try await acceptWithoutDescriptors(.sources) }
        }

        /// libdispatch needs one now and then, and ends the process when there is none.
        @Test(.timeLimit(.minutes(5))) func aFewDescriptorsAreLeftToTheRestOfTheProcess() async throws {
            await #expect(processExitsWith: .success) { try await acceptWithoutDescriptors(.poll, leavingEighth: true) }
        }
    #endif
}

/// Leaves one descriptor, for the client, until accepting has failed twice; or that and an eighth of all (16 at most).
private func acceptWithoutDescriptors(_ mode: EventLoop.Mode, leavingEighth: Bool = false) async throws {
    let loop = try EventLoop(mode)
    let listener = try Listener(.ipv4(.loopback, port: 0), on: loop)
    let (accepted, connection) = AsyncStream<StreamSocket>.makeStream()
    let (pauses, pause) = AsyncStream<SocketError>.makeStream()
    listener.start(paused: { pause.yield($0) }, accepted: { connection.yield($0) })
    await loop.sleep(.milliseconds(1))  // libdispatch has the descriptors that it needs for itself.

    #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
    #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    // Above all that are open, inherited ones too, so that the highest are ours to close.
    let highest = (0..<4_096).last { fcntl($0, F_GETFD) >= 0 } ?? 0
    limit.rlim_cur = rlim_t(highest) + 21
    var reserved: [Int32] = []
    setrlimit(resource, &limit)
    while let next = Optional(dup(0)), next >= 0 { reserved.append(next) }
    for _ in 0...(leavingEighth ? min(16, Int(limit.rlim_cur) / 8) : 0) { close(reserved.removeLast()) }

    let client = try await StreamSocket.connect(to: listener.address, on: loop)
    for await error in pauses.prefix(2) { try #require(error == .noDescriptors) }
    for descriptor in reserved { close(descriptor) }
    for await socket in accepted.prefix(1) { try #require(socket.peerAddress.isLoopback) }
    withExtendedLifetime(client) {}
}

/// A Unix-domain listener that accepts nobody and has no more room.
private struct FullBacklog {
    let address: SocketAddress
    private let descriptors: [Int32]

    init(path: String) throws {
        address = .unix(path: path)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let listening = Self.socket()
        var descriptors = [listening]
        func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
            withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
        try #require(call { bind(listening, $0, $1) } == 0)
        try #require(listen(listening, 0) == 0)
        var result: Int32 = 0
        while result == 0 {
            let client = Self.socket()
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            descriptors.append(client)
            result = call { connect(client, $0, $1) }
        }
        self.descriptors = descriptors
    }

    func close() {
        for descriptor in descriptors { closeAny(descriptor) }
    }

    private static func socket() -> Int32 {
        #if canImport(Darwin)
            Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
        #else
            Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #endif
    }
}

private func closeAny(_ descriptor: Int32) { close(descriptor) }
