import BridgeServer
import Testing

/// Each POST is a session of its own; answers that are empty are none.
private actor HTTPBehaviour: BehaviourConnection {
    private let raw: RawClient
    private var answers: [String] = []

    init(_ raw: RawClient) { self.raw = raw }

    func send(_ text: String) async throws {
        let reply = try await raw.call(text)
        guard reply.status == 200 else { throw RawClient.Closed(received: "\(reply.status)") }
        if !reply.body.isEmpty { answers.append(reply.text) }
    }

    func next() async throws -> String {
        guard !answers.isEmpty else { throw RawClient.Closed(received: "no answer") }
        return answers.removeFirst()
    }
}

@Suite(.serialized, .timeLimit(.minutes(5)))
struct BehaviourTests {
    @Test("Every behaviour over WebSocket", arguments: Behaviour.all)
    func webSocket(behaviour: Behaviour) async throws {
        try await TestServer.run(behaviourBridge(), { $0.occupiesThread = false }) { server in
            try await behaviour.check(on: try await server.webSocket())
        }
    }

    @Test("Every behaviour over HTTP", arguments: Behaviour.all)
    func http(behaviour: Behaviour) async throws {
        try await TestServer.run { server in
            try await behaviour.check(on: HTTPBehaviour(try await server.client()))
        }
    }

    /// A line without a value is no message.
    @Test(
        "Every behaviour over lines",
        arguments: Behaviour.all.filter { !$0.sent.contains { $0.allSatisfy { $0 == " " } } })
    func lines(behaviour: Behaviour) async throws {
        try await TestServer.run(behaviourBridge(), { $0.linesPort = 0 }) { server in
            try await behaviour.check(on: try await server.lines())
        }
    }
}
