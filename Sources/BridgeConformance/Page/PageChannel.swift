import BridgeJSON

/// A page's session, seen from the native side. What a vector is not about is kept from it: the greeting is answered, and
/// what the page tells of itself passed over.
final class PageChannel: MessageChannel {
    private let channel: WebSocketChannel
    /// The protocol's own names that the vector expects.
    private let expected: Set<String>
    /// What came before the greeting was answered: a page may send at any time (D13).
    private var early: ArraySlice<[UInt8]> = []

    private init(_ channel: WebSocketChannel, expected: Set<String>) {
        self.channel = channel
        self.expected = expected
    }

    /// Waits for the page to connect and, unless the vector does so, greets it. A connection that ends before anything came
    /// was an earlier page's.
    static func connect(
        _ lobby: PageLobby, expecting names: Set<String>, within time: Duration
    ) async throws(StepFailure) -> PageChannel {
        var wait = Wait(time)
        while wait.goesOn(), let connection = await lobby.next(until: wait.deadline) {
            let channel = PageChannel(WebSocketChannel(accepted: connection), expected: names)
            if try await channel.begin(&wait) { return channel }
            await channel.close()
        }
        throw StepFailure("the page did not connect")
    }

    private func begin(_ wait: inout Wait) async throws(StepFailure) -> Bool {
        var hasSpoken = false
        var earlySize = 0
        while true {
            switch await channel.next(&wait) {
            case .message(let text):
                hasSpoken = true
                let message = Arrived(text).json
                if !expected.contains("$/hello"), message?.eventName == "$/hello",
                    let answer = message.flatMap(Self.welcome)
                {
                    try await channel.send(Array(answer.text.utf8), chop: nil)
                    return true
                }
                early.append(text)
                earlySize += text.count
                guard earlySize <= ByteConnection.longest else {
                    throw StepFailure("the page sent \(early.count) messages and no $/hello")
                }
                if expected.contains("$/hello") { return true }
            case .closed(let closing):
                guard hasSpoken else { return false }
                throw StepFailure("\(closing.reason); waited for $/hello")
            case .refused, .nothing, .timedOut:
                throw StepFailure("the page sent no $/hello")
            }
        }
    }

    /// The answer to `$/hello`, in its dialect.
    static func welcome(_ hello: JSON) -> JSON? {
        let result: JSON = [
            "protocol": 1, "server": ["name": "bridgehead-conformance", "version": "1"], "session": "conformance",
            "events": [], "messageHandlers": ["bridge": "reply"], "limits": [:],
        ]
        if let id = hello["requestId"] { return ["requestId": id, "response": result] }
        if let id = hello["id"] { return ["jsonrpc": "2.0", "result": result, "id": id] }
        return nil
    }

    func send(_ text: [UInt8], chop: Int?) async throws(StepFailure) { try await channel.send(text, chop: chop) }

    func next(_ wait: inout Wait) async -> ChannelEvent {
        while true {
            let event = early.isEmpty ? await channel.next(&wait) : .message(early.removeFirst())
            guard case .message(let text) = event, let name = Arrived(text).json?.eventName,
                name.hasPrefix("$/page."), !expected.contains(name)
            else { return event }
            wait.passOver(.pageEvent)
        }
    }

    func hangUp(_ how: Step.HangUp) async throws(StepFailure) { try await channel.hangUp(how) }

    func close() async { await channel.close() }
}

extension JSON {
    /// The name of an event, in either dialect.
    fileprivate var eventName: String? { (self["eventName"] ?? self["method"])?.string }
}

extension Step {
    /// The names of events that are expected.
    var expectedNames: [String] {
        switch self {
        case .expect(let message): [message.eventName].compactMap(\.self)
        case .anyOrder(let steps), .repeat(let steps, _): steps.flatMap(\.expectedNames)
        default: []
        }
    }
}
