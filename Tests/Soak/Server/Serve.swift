import BridgeServer
import Bridgehead
import Dispatch
import Foundation

/// The server's process: serves until SIGTERM, drains, and closes its ledger.
enum Serve {
    /// Low enough to be met in seconds.
    static var limits: BridgeLimits {
        var limits = BridgeLimits()
        limits.message = 64 << 10
        limits.inFlight = 32
        limits.slowReader = 64 << 10
        limits.unreadOutput = 768 << 10
        limits.pingInterval = .seconds(4)
        limits.unansweredPings = 10
        return limits
    }

    /// What is in flight has so long to be answered.
    static let drainTimeout = Duration.seconds(1)

    /// - Returns: the exit code.
    static func run(ledger path: String) async throws -> Int32 {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        signal(SIGTERM, SIG_IGN)
        let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
        termination.setEventHandler { stop.yield() }
        termination.resume()
        // The load's process is gone when this ends.
        let parent = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        parent.setEventHandler { exit(1) }
        parent.resume()

        let ledger = try LedgerFile(appendingTo: path)
        let bridge = SoakBridge.make(ledger)
        var configuration = BridgeServer.Configuration()
        configuration.port = 0
        configuration.linesPort = 0
        configuration.limits = limits
        configuration.drainTimeout = drainTimeout
        configuration.log = BridgeLog.none
        let server = BridgeServer(bridge, configuration: configuration)
        let addresses = try await server.start()
        try FileHandle.standardOutput.write(
            contentsOf: Data("\(addresses.port) \(addresses.linesPort ?? 0)\n".utf8))

        var iterator = stops.makeAsyncIterator()
        await iterator.next()
        await server.drain()
        // Handlers that were cancelled need a moment to notice; one that never does is what the last line tells.
        for _ in 0..<6_000 where ledger.pending != (0, 0) { try await Task.sleep(for: .milliseconds(10)) }
        ledger.finish(pages: bridge.pages.count)
        withExtendedLifetime((termination, parent)) {}
        return 0
    }
}
