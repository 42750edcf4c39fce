import BridgeServer
import BridgeSockets
import Bridgehead

/// A server on free ports, for the time of a closure.
struct TestServer: Sendable {
    let bridge: Bridge
    let server: BridgeServer
    let addresses: BridgeServer.Addresses
    /// What it logged, `level: message key=value`.
    let log: Box<[String]>

    var port: UInt16 { addresses.port }

    static func run<Result: Sendable>(
        _ bridge: Bridge = behaviourBridge(), _ configure: (inout BridgeServer.Configuration) -> Void = { _ in },
        _ body: @Sendable (TestServer) async throws -> Result
    ) async throws -> Result {
        let log = Box<[String]>([])
        var configuration = BridgeServer.Configuration()
        configuration.port = 0
        configuration.servesConformance = true
        // On a busy machine a test may take long enough for one, which its clients would take for what they wait for.
        configuration.limits.pingInterval = .seconds(3600)
        configuration.log = BridgeLog(minimum: .debug) { level, message, fields in
            let text = fields.map { " \($0.key)=\($0.value)" }.joined()
            log.update { $0.append("\(level): \(message)\(text)") }
        }
        configure(&configuration)
        let server = BridgeServer(bridge, configuration: configuration)
        let addresses = try await server.start()
        do {
            let result = try await body(
                TestServer(bridge: bridge, server: server, addresses: addresses, log: log))
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    func client() async throws -> RawClient { try await RawClient.connect(port) }

    func webSocket(_ target: String = "/_bridge/ws", _ fields: [String] = []) async throws -> WebSocketClient {
        try await WebSocketClient.connect(port, target, fields)
    }

    func lines() async throws -> LinesClient { try await LinesClient.connect(addresses.linesPort ?? 0) }
}
