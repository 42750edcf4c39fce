import BridgeSockets

/// What one run of a scenario came to.
struct RunResult {
    /// Processor time of the server, in microseconds a request.
    var processorTime: Double
    var requestsPerSecond: Double
    /// Microseconds.
    var p50: Double
    var p99: Double
}

/// One shape of load.
struct Scenario {
    var name: String
    var transport = Transport.webSocket
    var connections: Int
    var depth: Int
    var message: String
    /// Open connections that say nothing meanwhile.
    var idle = 0
    /// The most of Node's processor time that ours may take.
    var target: Double?
    var comparesWithNode = true

    static let text = String(repeating: "x", count: 64)
    static let echo = #"{"requestId":"r1","eventName":"conformance.echo","text":"\#(text)"}"#
    static let typed =
        #"{"requestId":"r1","eventName":"conformance.typed","id":7,"price":9.5,"tags":["a"],"note":"\#(text)"}"#
    static let large =
        #"{"requestId":"r1","eventName":"conformance.echo","text":"\#(String(repeating: "x", count: 4096))"}"#

    static let all = [
        Scenario(name: "50x16 echo", connections: 50, depth: 16, message: echo, target: 0.25),
        Scenario(name: "50x16 typed", connections: 50, depth: 16, message: typed, target: 0.25),
        Scenario(name: "50x1 echo", connections: 50, depth: 1, message: echo, target: 0.8),
        Scenario(name: "50x1 typed", connections: 50, depth: 1, message: typed, target: 0.8),
        Scenario(name: "1000x1 echo", connections: 1000, depth: 1, message: echo),
        Scenario(name: "10x4 4 KiB", connections: 10, depth: 4, message: large, target: 0.5),
        Scenario(name: "1x1 echo", connections: 1, depth: 1, message: echo),
        Scenario(
            name: "50x1 + 2000 idle", connections: 50, depth: 1, message: echo, idle: 2000, comparesWithNode: false),
        Scenario(
            name: "50x16 + 2000 idle", connections: 50, depth: 16, message: echo, idle: 2000, comparesWithNode: false),
        Scenario(
            name: "50x16 lines", transport: .lines, connections: 50, depth: 16, message: echo, comparesWithNode: false),
        Scenario(
            name: "50x1 HTTP", transport: .http, connections: 50, depth: 1, message: echo, comparesWithNode: false),
    ]
}

/// Opens connections and drives them from one loop.
struct Load {
    let loop: EventLoop

    func connect(_ count: Int, _ scenario: Scenario, to server: ServerProcess) async throws -> [LoadConnection] {
        let port = scenario.transport == .lines ? server.linesPort ?? 0 : server.port
        var connections: [LoadConnection] = []
        for _ in 0..<count {
            let socket = try await StreamSocket.connect(host: "127.0.0.1", port: port, on: loop, timeout: .seconds(10))
            let connection = LoadConnection(
                socket, scenario.transport, port: port, payload: Array(scenario.message.utf8), depth: scenario.depth)
            try await connection.open()
            connections.append(connection)
        }
        return connections
    }

    func run(_ scenario: Scenario, on server: ServerProcess, for time: Duration) async throws -> RunResult {
        let idle = try await connect(scenario.idle, scenario, to: server)
        let connections = try await connect(scenario.connections, scenario, to: server)
        // What the first requests allocate, and the parking of what is idle, is not measured.
        for connection in connections { await connection.run() }
        try await Task.sleep(for: .milliseconds(300))
        for connection in connections { await connection.stop() }
        try await Task.sleep(for: .milliseconds(50))
        let cpu = server.processorTime
        let began = ContinuousClock.now
        for connection in connections { await connection.run() }
        try await Task.sleep(for: time)
        for connection in connections { await connection.stop() }
        try await Task.sleep(for: .milliseconds(50))
        let spent = server.processorTime - cpu
        let elapsed = ContinuousClock.now - began - .milliseconds(50)
        var latencies: [Duration] = []
        for connection in connections {
            latencies += await connection.latencies
            await connection.close()
        }
        for connection in idle { await connection.close() }
        latencies.sort()
        let count = Double(max(1, latencies.count))
        return RunResult(
            processorTime: spent / count, requestsPerSecond: count / (elapsed / .seconds(1)),
            p50: latencies.isEmpty ? 0 : latencies[latencies.count / 2] / .microseconds(1),
            p99: latencies.isEmpty ? 0 : latencies[latencies.count * 99 / 100] / .microseconds(1))
    }
}
