import BridgeSockets

/// The lines transport over raw bytes.
struct LinesClient: BehaviourConnection {
    let raw: RawClient

    static func connect(_ port: UInt16) async throws -> LinesClient {
        LinesClient(raw: try await RawClient.connect(port))
    }

    func send(_ text: String) async { await raw.send(text + "\n") }

    func next() async throws -> String {
        var line = try await raw.text(through: "\n")
        line.removeLast()
        return line
    }
}
