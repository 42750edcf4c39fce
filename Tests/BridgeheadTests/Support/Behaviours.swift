import BridgeJSON
import Testing

/// A session as a client sees it, over whatever transport.
protocol BehaviourConnection: Sendable {
    func send(_ text: String) async throws
    /// The next message from the other side.
    func next() async throws -> String
}

/// What every transport of one message after another does the same: sent texts, and the texts that come back.
///
/// The bridge behind it has the handlers of `BehaviourBridge`. `error.data` is left aside, for it explains in words.
struct Behaviour: Sendable, CustomTestStringConvertible {
    let rule: String
    let sent: [String]
    let answers: [String]

    var testDescription: String { rule }

    init(_ rule: String, _ sent: String..., gives answers: [String] = []) {
        self.rule = rule
        self.sent = sent
        self.answers = answers
    }

    func check(on connection: any BehaviourConnection) async throws {
        for text in sent { try await connection.send(text) }
        for answer in answers {
            #expect(try withoutData(await connection.next()) == withoutData(answer), "\(rule)")
        }
        // Nothing else came: the next thing that does is the answer to this.
        try await connection.send(#"{"requestId":"end","eventName":"echo"}"#)
        #expect(try await connection.next() == #"{"requestId":"end","response":{}}"#, "\(rule)")
    }

    private func withoutData(_ text: String) throws -> String {
        strip(try JSON(parsing: text)).text
    }

    private func strip(_ json: JSON) -> JSON {
        switch json {
        case .array(let answers):
            return .array(answers.map(strip))
        case .object(var answer):
            guard var error = answer["error"]?.object else { return json }
            error["data"] = nil
            answer["error"] = .object(error)
            return .object(answer)
        default:
            return json
        }
    }
}
