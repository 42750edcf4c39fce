import BridgeHTTP
import BridgeWebSocket

/// Every request of a scenario, framed and ready to be sent, with the answer it must get. Requests differ in their slot, of
/// which a connection has one a request in flight; so the generator costs next to nothing.
struct Messages: Sendable {
    /// The slot's digits in an answer: after `{"requestId":"`.
    private static let slotDigits = 14..<18

    let wire: Wire
    /// By slot.
    private(set) var requests: [[UInt8]] = []
    /// Whole, but for that to a greeting, of which this is the beginning.
    private(set) var answers: [[UInt8]] = []
    private let answersBegin: Bool

    init(_ scenario: Scenario) throws {
        wire = scenario.wire
        answersBegin = scenario.work == .hello
        var machine = WebSocketMachine(role: .client)
        let text = String(repeating: "x", count: scenario.textLength)
        for slot in 0..<scenario.inFlight {
            let digits = String(10_000 + slot).dropFirst()
            let (event, payload, result) =
                switch scenario.work {
                case .echo: ("echo", #""text":"\#(text)""#, #"{"text":"\#(text)"}"#)
                case .typed:
                    (
                        "addToCart", #""id":\#(slot),"price":12.5,"note":"\#(text)""#,
                        #"{"id":\#(slot),"total":12.5,"note":"\#(text)"}"#
                    )
                case .hello:
                    (
                        "$/hello", #""protocol":1,"client":{"name":"load","version":"1"},"page":{"url":"about:blank"}"#,
                        #"{"protocol":1,"server":{"#
                    )
                }
            let message = Array(#"{"requestId":"\#(digits)","eventName":"\#(event)",\#(payload)}"#.utf8)
            let end = answersBegin ? "" : "}"
            answers.append(Array(#"{"requestId":"\#(digits)","response":\#(result)\#(end)"#.utf8))
            var framed: [UInt8] = []
            switch scenario.wire {
            case .webSocket: _ = message.withUnsafeBytes { machine.writeText($0, into: &framed) }
            case .lines: framed = message + [0x0A]
            case .http:
                let request = HTTPRequest(
                    .post, "/_bridge/rpc", authority: "localhost", fields: ["Content-Type": "application/json"],
                    body: message)
                try request.append(to: &framed)
            }
            requests.append(framed)
        }
    }

    /// The slot whose answer `bytes` is, to the letter; nil when it is none.
    func slot(of bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count > Self.slotDigits.upperBound else { return nil }
        let slot = bytes[Self.slotDigits].reduce(0) { $0 * 10 + Int($1) - 48 }
        guard answers.indices.contains(slot) else { return nil }
        let isAnswer = answersBegin ? bytes.starts(with: answers[slot]) : answers[slot].elementsEqual(bytes)
        return isAnswer ? slot : nil
    }
}
