internal import BridgeClient
public import Bridgehead
internal import Synchronization

/// A page without a browser: a session over a real WebSocket, after its greeting.
///
/// What it waits for fails after five seconds unless told otherwise, so that a test never hangs.
public final class TestPage: Sendable {
    private let session: ClientSession
    private let calls: RecordedCalls
    private let functions = Mutex<[String: @Sendable ([JSON]) async throws -> JSON]>([:])

    init(session: ClientSession, calls: RecordedCalls) {
        self.session = session
        self.calls = calls
    }

    func greet(url: String, title: String) async throws {
        session.handle("$/page.callFunction") { [weak self] call in try await self?.callFunction(call) ?? .null }
        let hello: JSON = [
            "protocol": 1, "client": ["name": "BridgeTesting", "version": "1"],
            "page": ["url": JSON(url), "title": JSON(title), "isMainFrame": true],
        ]
        _ = try await request("$/hello", hello)
    }

    // MARK: Page → native

    /// Sends an event and waits for its reply.
    ///
    /// - Throws: the `BridgeFailure` that was answered; ``BridgeTestFailure`` if none came in time.
    public func request<E: BridgeEvent>(
        _ event: E, within deadline: Duration = .seconds(5), onProgress: (@Sendable (E.Progress) -> Void)? = nil
    ) async throws -> E.Reply where E.Reply: Codable {
        let answer = try await send(event, deadline, onProgress)
        return try JSON.decode(E.Reply.self, from: answer)
    }

    /// Sends an event without a reply and waits until it was handled.
    public func request<E: BridgeEvent>(
        _ event: E, within deadline: Duration = .seconds(5), onProgress: (@Sendable (E.Progress) -> Void)? = nil
    ) async throws where E.Reply == Void {
        _ = try await send(event, deadline, onProgress)
    }

    /// Sends an event by name.
    @discardableResult
    public func request(
        _ name: String, _ payload: JSON = [:], within deadline: Duration = .seconds(5),
        onProgress: (@Sendable (JSON) -> Void)? = nil
    ) async throws -> JSON {
        do {
            return try await withDeadline(deadline) {
                try await self.session.request(name, payload, onProgress: onProgress)
            }
        } catch is DeadlinePassed {
            throw BridgeTestFailure("no answer to \(name) within \(deadline)", calls)
        } catch let failure as ClientFailure {
            throw BridgeTestFailure("\(name) was not answered: \(failure)", calls)
        }
    }

    /// Sends an event that is not answered.
    public func notify<E: BridgeEvent>(_ event: E) async throws {
        try await notify(E.name, JSON.encode(event))
    }

    /// Sends an event by name that is not answered.
    public func notify(_ name: String, _ payload: JSON = [:]) async throws {
        do {
            try await session.notify(name, payload)
        } catch let failure as ClientFailure {
            throw BridgeTestFailure("\(name) was not sent: \(failure)", calls)
        }
    }

    // MARK: Native → page

    /// Handles an event that the native side sends, as `bridge.handle` does in a page.
    public func handle<E: BridgeEvent>(
        _ event: E.Type, _ handler: @escaping @Sendable (E) async throws -> E.Reply
    ) where E.Reply: Codable {
        session.handle(E.name) { payload in
            try JSON.encode(try await handler(JSON.decode(E.self, from: payload ?? [:])))
        }
    }

    /// Handles an event without a reply.
    public func handle<E: BridgeEvent>(
        _ event: E.Type, _ handler: @escaping @Sendable (E) async throws -> Void
    ) where E.Reply == Void {
        session.handle(E.name) { payload in
            try await handler(JSON.decode(E.self, from: payload ?? [:]))
            return .null
        }
    }

    /// Handles an event by name.
    public func handle(_ name: String, _ handler: @escaping @Sendable (JSON) async throws -> JSON) {
        session.handle(name) { try await handler($0 ?? [:]) }
    }

    /// Defines a function that the native side calls with `callFunction`, by its path on `window`.
    public func define(_ function: String, _ body: @escaping @Sendable ([JSON]) async throws -> JSON) {
        functions.withLock { $0[function] = body }
    }

    private func callFunction(_ call: JSON?) async throws -> JSON {
        let name = call?["name"]?.string ?? ""
        guard let body = functions.withLock({ $0[name] }) else {
            throw BridgeFailure(
                BridgeFailure.Code.scriptException, "\(name) is not a function",
                data: ["name": "TypeError", "message": JSON("\(name) is not a function")])
        }
        return try await body(call?["arguments"]?.array ?? [])
    }

    // MARK: Leaving

    /// Leaves as a page does that navigates away: what the native side awaits of it fails with −32005.
    public func close() async {
        try? await session.close()
    }

    /// Loses the connection: what the native side awaits of the page fails with −32004.
    public func disconnect() async {
        await session.abort()
    }

    private func send<E: BridgeEvent>(
        _ event: E, _ deadline: Duration, _ onProgress: (@Sendable (E.Progress) -> Void)?
    ) async throws -> JSON {
        let report = onProgress.map { onProgress in
            { @Sendable (value: JSON) in
                // What does not decode is seen by its absence.
                if let progress = try? JSON.decode(E.Progress.self, from: value) { onProgress(progress) }
            }
        }
        return try await request(E.name, JSON.encode(event), within: deadline, onProgress: report)
    }
}
