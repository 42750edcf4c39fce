#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import BridgeClient
import BridgeConformance
import BridgeServer
import BridgeWire
import Bridgehead

/// Servers of this program's bridge, over every transport: one as it is, one that asks for its
/// token, and two whose limits a test can reach: with its times alone, nobody is late for another limit.
struct OwnServers: Sendable {
    let endpoints: [Endpoint]
    let limitedEndpoints: [Endpoint]
    let timedEndpoints: [Endpoint]
    let guardedEndpoints: [Endpoint]
    private let servers: [BridgeServer]
    private let draining: [String: [Endpoint]]

    /// - Parameter drained: the names of the vectors that let a server drain, which each needs its own for.
    /// - Throws: `CommandFailure` when they cannot be started.
    init(_ bridge: Bridge, drained: [String]) async throws(CommandFailure) {
        try Self.checkDescriptors()
        let usual = try await Self.start(bridge, "a", limits: BridgeLimits())
        let limited = try await Self.start(bridge, "b", limits: Self.limits)
        let timed = try await Self.start(bridge, "t", limits: Self.times)
        let guarded = try await Self.start(bridge, "c", limits: BridgeLimits(), token: "of-its-own")
        endpoints = usual.endpoints
        limitedEndpoints = limited.endpoints
        timedEndpoints = timed.endpoints
        guardedEndpoints = guarded.endpoints
        var servers = [usual.server, limited.server, timed.server, guarded.server]
        var draining: [String: [Endpoint]] = [:]
        for name in drained {
            for transport in usual.endpoints.indices {
                let (server, endpoints) = try await Self.start(
                    bridge, "d\(servers.count)", limits: BridgeLimits(), isOneOfMany: true)
                servers.append(server)
                draining[name, default: []].append(Self.draining(server, endpoints[transport].address))
            }
        }
        self.servers = servers
        self.draining = draining
    }

    /// Where that vector is run: over each transport on a server that drains for it alone.
    func drainingEndpoints(_ vector: String) -> [Endpoint] { draining[vector] ?? [] }

    private static func draining(_ server: BridgeServer, _ address: ClientEndpoint) -> Endpoint {
        Endpoint(address) {
            Task { await server.drain() }
            // It has begun when nobody is let in any more.
            let deadline = ContinuousClock.now + .seconds(10)
            while .now < deadline, let connection = try? await ByteConnection.connect(to: address, timeout: .seconds(1))
            {
                await connection.cut()
            }
        }
    }

    /// Some 220 are open at once, and on another machine more may be. With too few, vectors would fail for what is no
    /// fault of the bridge.
    private static let descriptors = 512

    /// The servers themselves raise the soft limit.
    private static func checkDescriptors() throws(CommandFailure) {
        var limit = rlimit()
        #if canImport(Darwin)
            getrlimit(RLIMIT_NOFILE, &limit)
        #else
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
        guard limit.rlim_max < rlim_t(descriptors) else { return }
        throw CommandFailure(
            .systemFault,
            "'--self' needs \(descriptors) open files, and the limit (ulimit -n) is \(limit.rlim_max).")
    }

    func stop() async {
        for server in servers { await server.stop() }
    }

    /// Small counts; room for the answer to `$/hello`.
    private static var limits: BridgeLimits {
        var limits = BridgeLimits()
        limits.message = 16 << 10
        limits.nesting = 32
        limits.batch = 16
        limits.inFlight = 8
        limits.requestLine = 512
        limits.headerBlock = 2 << 10
        limits.headerFields = 16
        // On a slow machine those of vectors that are done are not all gone yet.
        limits.connections = 64
        limits.emptyFragments = 8
        limits.slowReader = 64 << 10
        limits.unreadOutput = 1 << 20
        return limits
    }

    /// Times under a second.
    private static var times: BridgeLimits {
        var limits = BridgeLimits()
        limits.headTimeout = .milliseconds(400)
        limits.bodyTimeout = .milliseconds(400)
        limits.idleTimeout = .milliseconds(900)
        limits.pingInterval = .milliseconds(300)
        limits.lingerTimeout = .milliseconds(500)
        return limits
    }

    private static func start(
        _ bridge: Bridge, _ name: String, limits: BridgeLimits, token: String? = nil, isOneOfMany: Bool = false
    ) async throws(CommandFailure) -> (server: BridgeServer, endpoints: [Endpoint]) {
        var configuration = BridgeServer.Configuration()
        configuration.port = 0
        configuration.linesPort = 0
        // A path of a socket is short, which folders for temporary files need not be.
        configuration.unixPath = "/tmp/bridgehead-\(getpid())-\(name).sock"
        configuration.servesConformance = true
        configuration.limits = limits
        configuration.token = token
        configuration.drainTimeout = .seconds(3)
        configuration.occupiesThread = !isOneOfMany
        // What vectors do wrong is not news.
        configuration.warn = { _ in }
        let server = BridgeServer(bridge, configuration: configuration)
        do throws(BridgeServer.StartFailure) {
            return (server, endpoints(try await server.start(), token))
        } catch {
            throw CommandFailure(.configuration, "\(error).")
        }
    }

    private static func endpoints(_ addresses: BridgeServer.Addresses, _ token: String?) -> [Endpoint] {
        let host = "127.0.0.1"
        let authority = "\(host):\(addresses.port)"
        var all: [ClientEndpoint] = [
            .webSocket(host: host, port: addresses.port, authority: authority, target: "/_bridge/ws"),
            .http(host: host, port: addresses.port, authority: authority, target: "/_bridge/rpc"),
        ]
        if let port = addresses.linesPort { all.append(.lines(host: host, port: port)) }
        if let path = addresses.unixPath { all.append(.unix(path: path)) }
        return all.map { Endpoint($0, token: token) }
    }
}
