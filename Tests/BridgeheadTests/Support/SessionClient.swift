import BridgeJSON
import BridgeWire
import Bridgehead
import Testing

/// The other end of a session without sockets: texts in, texts out, in order.
final class SessionClient: BehaviourConnection {
    let session: BridgeSession
    let executor = QueueExecutor()
    let logged = Box<[String]>([])
    private let received = Inbox<String>()

    init(_ bridge: Bridge, kind: BridgeSession.Kind = .stream, limits: BridgeLimits = BridgeLimits()) {
        let log = BridgeLog(minimum: .debug) { [logged] level, message, fields in
            let text = fields.map { " \($0.key)=\($0.value)" }.joined()
            logged.update { $0.append("\(level): \(message)\(text)") }
        }
        session = BridgeSession(
            bridge: bridge, executor: executor, kind: kind, limits: limits, log: log
        ) { [received] bytes in
            received.put(String(decoding: bytes, as: UTF8.self))
        }
    }

    func send(_ text: String) {
        send(bytes: Array(text.utf8))
    }

    func send(bytes: [UInt8]) {
        executor.execute { [session] in
            session.assumeIsolated { session in bytes.withUnsafeBytes { session.receive($0) } }
        }
    }

    func next() async -> String {
        await received.next()
    }

    /// The next message as JSON.
    func answer() async throws -> JSON {
        try JSON(parsing: Array(await next().utf8), maximumDepth: JSON.highestMaximumDepth)
    }

    func ask(_ text: String) async throws -> JSON {
        send(text)
        return try await answer()
    }

    /// The session has dealt with everything sent so far, and nothing came that was not waited for.
    func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) async {
        await settled()
        #expect(received.left == [], sourceLocation: sourceLocation)
    }

    /// Waits until the session has dealt with everything sent so far.
    func settled() async {
        _ = await session.pendingCount
    }

    func perform(_ body: @escaping @Sendable (isolated BridgeSession) -> Void) async {
        await withCheckedContinuation { continuation in
            executor.execute { [session] in
                session.assumeIsolated(body)
                continuation.resume()
            }
        }
    }

    func end(_ reason: BridgeSession.EndReason) async {
        await perform { $0.end(reason) }
    }

    /// Says hello, in the event dialect unless told otherwise.
    func greet(_ dialect: Dialect = .event, page: String = #"{"url":"http://localhost/"}"#) async throws -> JSON {
        switch dialect {
        case .event:
            return try await ask(#"{"requestId":"h","eventName":"$/hello","protocol":1,"page":\#(page)}"#)
        case .jsonRPC:
            return try await ask(
                #"{"jsonrpc":"2.0","id":"h","method":"$/hello","params":{"protocol":1,"page":\#(page)}}"#)
        }
    }
}
