import BridgeSockets
import Dispatch

/// What one run showed.
struct Sample: Sendable {
    /// The server's own, user and system, in microseconds a request.
    var cpu: Double
    /// Requests a second.
    var rate: Double
    /// Microseconds.
    var p50: Double
    var p99: Double
}

/// The load generator: one loop for all connections, so that it leaves the server a core.
struct Load: Sendable {
    private static let warmUp: UInt64 = 250_000_000

    let loop: EventLoop

    func open(_ count: Int, to server: ServerProcess, messages: Messages) async throws -> [LoadConnection] {
        let address = SocketAddress.ipv4(.loopback, port: messages.wire == .lines ? server.linesPort : server.port)
        var connections: [LoadConnection] = []
        for _ in 0..<count {
            let socket = try await StreamSocket.connect(to: address, on: loop)
            let connection = LoadConnection(socket, messages: messages)
            try await connection.open()
            connections.append(connection)
        }
        return connections
    }

    func close(_ connections: [LoadConnection]) async throws {
        for connection in connections { _ = try await connection.finish() }
    }

    func run(_ scenario: Scenario, on server: ServerProcess, seconds: Double) async throws -> Sample {
        let connections = try await open(scenario.connections, to: server, messages: Messages(scenario))
        let start = DispatchTime.now().uptimeNanoseconds + Self.warmUp
        let window = Window(start: start, end: start + UInt64(seconds * 1e9))
        for connection in connections { await connection.begin(window) }
        let before = try await server.figures(at: window.start)
        let after = try await server.figures(at: window.end)
        var latencies: [UInt32] = []
        for connection in connections { latencies += try await connection.finish() }
        guard !latencies.isEmpty else { throw BenchmarkError("\(scenario.name): no answers") }
        latencies.sort()
        func percentile(_ share: Double) -> Double {
            Double(latencies[min(Int(Double(latencies.count) * share), latencies.count - 1)]) / 1000
        }
        let rate = Double(latencies.count) / seconds
        // The figures are read a little after the moments they are meant for.
        let load = (after.cpuSeconds - before.cpuSeconds) / (Double(after.time - before.time) / 1e9)
        return Sample(cpu: load / rate * 1e6, rate: rate, p50: percentile(0.5), p99: percentile(0.99))
    }
}
