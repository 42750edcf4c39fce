import BridgeSockets

/// Each measurement, and what it is compared with. Runs of the two sides alternate, so that both see the same machine.
struct Measurements: Sendable {
    let tools: Tools
    let options: Options
    let load: Load

    func run(_ emit: (Result) -> Void) async throws {
        for scenario in Scenario.all where options.wants(scenario.name) {
            emit(try await throughput(scenario))
        }
        if options.wants("idle crowd") { emit(try await idleCrowd(2000)) }
        if options.wants("idle sessions") { emit(try await idleSessions(2000)) }
        for count in [2000, 5000] where options.wants("idle memory") {
            for result in try await idleMemory(count, "bridgehead", tools.startBridgehead) { emit(result) }
        }
        if options.wants("idle memory"), tools.hasNodeServer {
            for result in try await idleMemory(2000, "node", tools.startNode) { emit(result) }
        }
        if options.wants("start") { emit(try start()) }
        if tools.chromium != nil {
            if options.wants("page call") { emit(try await PageMeasurements(options: options).call()) }
            if options.wants("page start") {
                for result in try await PageMeasurements(options: options).start() { emit(result) }
            }
        }
        if options.wants("in-page"), tools.node != nil, tools.chromium != nil { emit(try inPage()) }
    }

    /// CPU a request as a share of Node's; ours alone where there is no Node.
    private func throughput(_ scenario: Scenario) async throws -> Result {
        let server = try tools.startBridgehead()
        defer { server.stop() }
        let node = tools.hasNodeServer ? try tools.startNode() : nil
        defer { node?.stop() }
        var ours: [Sample] = []
        var theirs: [Sample] = []
        for _ in 0..<options.rounds {
            ours.append(try await load.run(scenario, on: server, seconds: options.seconds))
            if let node { theirs.append(try await load.run(scenario, on: node, seconds: options.seconds)) }
        }
        var result =
            theirs.isEmpty
            ? Result(scenario.name, "µs of CPU", ours.map(\.cpu))
            : Result(scenario.name, "x Node's CPU", zip(ours, theirs).map { $0.cpu / $1.cpu }, target: scenario.target)
        result.ours = Result.Side(ours)
        if !theirs.isEmpty { result.reference = Result.Side(theirs) }
        return result
    }

    /// CPU a request beside `count` connections that do nothing, as a share of that without them.
    private func idleCrowd(_ count: Int) async throws -> Result {
        let sides = try await besideIdle(count, .active)
        let ratios = zip(sides.beside, sides.without).map { $0.cpu / $1.cpu }
        return result("idle crowd of \(count)", "x CPU without", ratios, target: 1.2, sides)
    }

    /// The time that all but the slowest hundredth of the answers take beside `count` pages that have said hello and do
    /// nothing, as a share of that without them.
    private func idleSessions(_ count: Int) async throws -> Result {
        let sides = try await besideIdle(count, .page)
        let ratios = zip(sides.beside, sides.without).map { $0.p99 / $1.p99 }
        return result("idle sessions, \(count)", "x p99 without", ratios, target: 2, sides)
    }

    private typealias Sides = (beside: [Sample], without: [Sample])

    /// The active connections on a server with a crowd and on one without, in turn. Those of the crowd have each had one
    /// answer.
    private func besideIdle(_ count: Int, _ crowd: Scenario) async throws -> Sides {
        let (crowded, quiet) = (try tools.startBridgehead(), try tools.startBridgehead())
        defer {
            crowded.stop()
            quiet.stop()
        }
        let crowd = try await load.open(count, to: crowded, messages: Messages(crowd))
        for connection in crowd { try await connection.exchange() }
        var sides: Sides = ([], [])
        for _ in 0..<options.rounds {
            sides.beside.append(try await load.run(.active, on: crowded, seconds: options.seconds))
            sides.without.append(try await load.run(.active, on: quiet, seconds: options.seconds))
        }
        try await load.close(crowd)
        return sides
    }

    private func result(
        _ name: String, _ unit: String, _ ratios: [Double], target: Double, _ sides: Sides
    ) -> Result {
        var result = Result(name, unit, ratios, target: target)
        result.ours = Result.Side(sides.beside)
        result.reference = Result.Side(sides.without)
        return result
    }

    /// Memory an idle connection: after its handshake, and after a request.
    private func idleMemory(
        _ count: Int, _ name: String, _ start: () throws -> ServerProcess
    ) async throws -> [Result] {
        var opened: [Double] = []
        var used: [Double] = []
        for _ in 0..<min(options.rounds, 3) {
            let server = try start()
            defer { server.stop() }
            let messages = try Messages(.active)
            // What is paid once is paid before.
            let first = try await load.open(50, to: server, messages: messages)
            for connection in first { try await connection.exchange() }
            let before = try await settled(server)
            let connections = try await load.open(count, to: server, messages: messages)
            opened.append((try await settled(server) - before) / Double(count) / 1024)
            for connection in connections { try await connection.exchange() }
            used.append((try await settled(server) - before) / Double(count) / 1024)
            try await load.close(first + connections)
        }
        let target: Double? = name == "bridgehead" ? 8 : nil
        return [
            Result("idle memory \(count) \(name)", "KiB", opened, target: target),
            Result(" … after a request", "KiB", used, target: target),
        ]
    }

    /// Resident bytes, once what just happened is over.
    private func settled(_ server: ServerProcess) async throws -> Double {
        try await Task.sleep(for: .milliseconds(500))
        return Double(try await server.figures().residentBytes)
    }

    /// From exec to the line that says it listens.
    private func start() throws -> Result {
        var times: [Double] = []
        for _ in 0..<10 {
            let server = try tools.startBridgehead()
            server.stop()
            times.append(server.startSeconds * 1000)
        }
        return Result("start", "ms", times, target: 100)
    }

    /// A round trip through the client, as a share of a bare WebSocket echo's.
    private func inPage() throws -> Result {
        let trips = try tools.tripsInPage(blocks: options.rounds * 4, trips: 300)
        return Result("in-page round trip", "x bare echo", zip(trips.bridge, trips.bare).map { $0 / $1 }, target: 1.3)
    }
}
