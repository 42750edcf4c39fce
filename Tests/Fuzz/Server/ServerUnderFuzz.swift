import BridgeServer
import Bridgehead
import Foundation
import Synchronization

/// A server on loopback, in this process, and what must hold for it after whatever was sent to it.
package final class ServerUnderFuzz: Sendable {
    let port: UInt16
    let linesPort: UInt16
    private let server: BridgeServer
    private let handlers: FuzzBridge
    private let checked = Atomic(0)
    private let descriptorsAtStart: Int

    static let limits: BridgeLimits = {
        var limits = BridgeLimits()
        (limits.message, limits.nesting, limits.batch, limits.inFlight) = (8_192, 64, 8, 16)
        (limits.requestLine, limits.headerBlock, limits.headerFields) = (512, 2_048, 20)
        return limits
    }()

    /// Nothing else in this process may open descriptors from now on: they are counted.
    package init() async throws {
        handlers = FuzzBridge(holdsBack: false)
        var configuration = BridgeServer.Configuration()
        configuration.port = 0
        configuration.linesPort = 0
        configuration.limits = Self.limits
        configuration.warn = { _ in }
        server = BridgeServer(handlers.bridge, configuration: configuration)
        let addresses = try await server.start()
        port = addresses.port
        linesPort = addresses.linesPort ?? 0
        descriptorsAtStart = Self.descriptors
    }

    package func stop() async { await server.stop() }

    /// Now and then: it answers others, and nothing is left of those who are gone.
    func checkNowAndThen() throws(FuzzFault) {
        if checked.add(1, ordering: .relaxed).newValue.isMultiple(of: 100) { try checkHealth() }
    }

    package func checkHealth() throws(FuzzFault) {
        let request = Array("GET /_bridge/health HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        let end = ContinuousClock.now + .seconds(30)
        while true {
            let answer = String(decoding: try Exchange(port: port, sending: [request[...]]).received, as: UTF8.self)
            try require(answer.hasPrefix("HTTP/1.1 200 "), "the server is not well: \(answer)")
            let isLeft = !answer.contains("\"sessions\":0,")
            let more = Self.descriptors - descriptorsAtStart
            // The server's end of this exchange may not be closed yet.
            if !isLeft, more <= 1 { return }
            try require(ContinuousClock.now < end, "left behind: \(more) descriptors; \(answer)")
        }
    }

    /// How many descriptors this process has open.
    private static var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count) ?? 0
    }

    /// The memory this process holds, in bytes; 0 where nothing says so.
    package static var memory: Int {
        guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        return (status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }
}
