import BridgeClient
import BridgeConformance
import BridgeJSON
import Testing

/// Which vectors are run where.
@Suite struct PlanTests {
    private static let endpoints: [String: Endpoint] = [
        "ws": Endpoint(.webSocket(host: "127.0.0.1", port: 1, authority: "127.0.0.1:1", target: "/_bridge/ws")),
        "http": Endpoint(.http(host: "127.0.0.1", port: 1, authority: "127.0.0.1:1", target: "/_bridge/rpc")),
        "lines": Endpoint(.lines(host: "127.0.0.1", port: 2)),
        "unix": Endpoint(.unix(path: "/x")),
        "guarded": Endpoint(
            .http(host: "127.0.0.1", port: 1, authority: "127.0.0.1:1", target: "/_bridge/rpc"), token: "t"),
        "elsewhere": Endpoint(.http(host: "10.0.0.1", port: 1, authority: "10.0.0.1:1", target: "/_bridge/rpc")),
    ]

    struct Case: Sendable {
        var file = ""
        var vector = ""
        var step = #"{"quiet":true}"#
        var on: [String]
        /// The transports it is run over, or why it is not.
        var result: [String]
    }

    @Test(arguments: [
        Case(on: ["ws", "http", "lines", "unix"], result: ["ws", "http", "lines", "unix"]),
        Case(vector: #""needs":"session","#, on: ["ws", "http", "lines"], result: ["ws", "lines"]),
        Case(vector: #""needs":"session","#, on: ["http"], result: ["it needs a session, which HTTP does not have"]),
        Case(step: #"{"expect-close":{}}"#, on: ["ws", "http"], result: ["ws"]),
        Case(step: #"{"hang-up":1000}"#, on: ["ws", "lines"], result: ["ws"]),
        Case(step: #"{"hang-up":1000}"#, on: ["lines"], result: ["it needs WebSocket"]),
        Case(file: #""over":"http","#, on: ["ws", "http", "lines"], result: ["http"]),
        Case(file: #""over":"http","#, on: ["ws"], result: ["ws"]),
        Case(file: #""over":"websocket","#, on: ["http", "ws"], result: ["ws"]),
        Case(file: #""over":"websocket","#, on: ["lines"], result: ["it needs WebSocket"]),
        Case(file: #""over":"lines","#, on: ["ws", "lines", "unix"], result: ["lines", "unix"]),
        Case(file: #""over":"lines","#, on: ["ws"], result: ["it needs the lines transport"]),
        Case(file: #""over":"http","#, vector: #""needs":"token","#, on: ["guarded"], result: ["http"]),
        Case(
            file: #""over":"http","#, vector: #""needs":"token","#, on: ["http"],
            result: ["it needs a target that asks for a token"]),
        Case(file: #""over":"http","#, on: ["guarded"], result: ["the target asks for a token"]),
        Case(file: #""over":"http","#, vector: #""at":"::1","#, on: ["http"], result: ["http"]),
        Case(
            file: #""over":"http","#, vector: #""at":"::1","#, on: ["elsewhere"],
            result: ["it needs a target on a loopback address"]),
    ])
    func aVectorIsRunWhereItCanBe(_ test: Case) throws {
        let endpoints = test.on.compactMap { Self.endpoints[$0] }
        #expect(
            try Self.plan(test.file, test.vector, test.step, Target(endpoints: endpoints), .seconds(5)) == test.result)
    }

    struct Limit: Sendable {
        var name: String
        var value: JSON?
        var seconds: Double = 5
        var isTested: Bool
    }

    @Test(arguments: [
        Limit(name: "inFlight", value: 8, isTested: true),
        Limit(name: "inFlight", value: nil, isTested: false),
        Limit(name: "inFlight", value: "8", isTested: false),
        Limit(name: "headTimeout", value: 0.5, isTested: true),
        Limit(name: "headTimeout", value: 10, isTested: false),
        Limit(name: "headTimeout", value: 10, seconds: 60, isTested: true),
        Limit(name: "message", value: 1_048_576, isTested: true),
        Limit(name: "message", value: 16_777_216, isTested: false),
        Limit(name: "message", value: 16_777_216, seconds: 60, isTested: true),
        Limit(name: "connections", value: 8192, isTested: false),
        Limit(name: "connections", value: 32, isTested: true),
        Limit(name: "pingInterval", value: 1e300, isTested: false),
        // How long it takes depends on another limit, which is not told here.
        Limit(name: "unansweredPings", value: 2, isTested: false),
    ])
    func aLimitIsTestedWhereItFits(_ limit: Limit) throws {
        var limits = JSONObject()
        limits[limit.name] = limit.value
        let target = Target(endpoints: [try #require(Self.endpoints["ws"])], limits: limits)
        let result = try Self.plan(
            "", "\"limit\":\"\(limit.name)\",", #"{"quiet":true}"#, target, .seconds(limit.seconds))
        #expect((result == ["ws"]) == limit.isTested)
        if !limit.isTested { #expect(result.first?.contains(limit.name) == true) }
    }

    private static func plan(
        _ file: String, _ vector: String, _ step: String, _ target: Target, _ timeout: Duration
    ) throws -> [String] {
        let text = """
            {"concern":"c","profile":"transport",\(file)"vectors":[{"name":"n","rule":"L1",\(vector)"steps":[\(step)]}]}
            """
        let vectors = try VectorFile(name: "f.json", contents: Array(text.utf8)).vectors
        return Plan(vectors, timeout: timeout) { _ in target }.entries.map { entry in
            switch entry {
            case .run(let job): job.endpoint.label
            case .skip(_, let reason): reason
            }
        }
    }
}
