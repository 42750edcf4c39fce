import BridgeHTTP

/// One message a POST, all on one connection; the answers come in order.
final class HTTPCodec: ClientCodec {
    private let authority: String
    private let target: String
    private let fields: HTTPFields
    private var parser = HTTPResponseParser(answering: .post, limits: HTTPLimits(body: 1 << 30))
    private var status = 0
    private var body: [UInt8] = []
    private var keepsAlive = true
    private var outstanding = 0

    var isOrdered: Bool { true }
    var isIdle: Bool { outstanding == 0 }

    init(authority: String, target: String, fields: HTTPFields) {
        self.authority = authority
        self.target = target
        self.fields = fields
    }

    func start(_ output: inout [UInt8]) {}

    func send(_ message: [UInt8], _ output: inout [UInt8]) {
        outstanding += 1
        var all: HTTPFields = ["Content-Type": "application/json"]
        all.append(contentsOf: fields)
        // It can be sent: the endpoint was checked when it was parsed.
        try? HTTPRequest(.post, target, authority: authority, fields: all, body: message).append(to: &output)
    }

    func receive(_ input: UnsafeMutableRawBufferPointer, _ output: inout [UInt8]) -> [ClientEvent] {
        var rest = UnsafeRawBufferPointer(input)
        var events: [ClientEvent] = []
        while true {
            switch parser.next(&rest) {
            case .needMore:
                return events
            case .head(let head):
                status = head.status
                keepsAlive = head.keepsAlive
                body = []
            case .body(let part):
                body += part
            case .end:
                outstanding -= 1
                guard status == 200 else { return events + [refusal] }
                events.append(.answer(body))
                if !keepsAlive { return events + [.closed("the server ended the connection")] }
            case .failure(let failure):
                return events + [.refused("it does not speak HTTP: \(failure.reason)")]
            }
        }
    }

    func finish() -> [ClientEvent] {
        switch parser.finish() {
        case .end where status == 200: [.answer(body), .closed("the server ended the connection")]
        case .end: [refusal]
        case .failure(let failure): [.refused(failure.reason)]
        case .needMore, .head, .body: [.closed("the server ended the connection")]
        }
    }

    func close(_ output: inout [UInt8]) {}

    private var refusal: ClientEvent {
        .refused("answered with status \(status)\(body.isEmpty ? "" : ": \(excerpt(of: body))")")
    }
}
