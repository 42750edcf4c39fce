import Bridgehead
import Synchronization

/// Handlers of every kind, and the replies that some of them hold back until they are let go.
final class FuzzBridge: Sendable {
    let bridge = Bridge()
    private let held = Mutex<[BridgeReply<JSON>]>([])
    private let sleepers = Mutex<[AsyncStream<Never>.Continuation]>([])

    struct Hold: BridgeEvent {
        static let name = "hold"
        typealias Reply = JSON
    }

    struct Forget: BridgeEvent {
        static let name = "forget"
        typealias Reply = JSON
    }

    struct Typed: BridgeEvent {
        static let name = "typed"
        typealias Reply = Int
        var n: Int
        var a: String?
    }

    struct Plain: Error {}

    /// - Parameter holdsBack: whether there are handlers that go on only when they are told to.
    init(holdsBack: Bool = true) {
        bridge.on("echo") { payload, _ in payload }
        bridge.on("fail") { payload, _ -> JSON in
            guard let code = payload["n"]?.int else { throw Plain() }
            throw BridgeFailure(code, "failed", data: payload["a"])
        }
        bridge.on("progress") { payload, call in
            for _ in 0..<3 { call.report(payload) }
            return JSON.null
        }
        bridge.on(Hold.self, deadline: .seconds(1)) { [weak self] _, _, reply in
            if holdsBack { self?.held.withLock { $0.append(reply) } } else { reply("at once") }
        }
        bridge.on(Forget.self) { _, _, _ in }
        bridge.on(Typed.self) { event, _ in event.n &+ 1 }
        bridge.on("unencodable") { _, _ in Double.nan }
        bridge.on("task") { payload, _ in
            await Task.yield()
            return payload
        }
        bridge.on("ask") { payload, call in try await call.page.request("question", payload) }
        bridge.on("sleep") { [weak self] _, _ -> JSON in
            guard holdsBack else { return .null }
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            self?.sleepers.withLock { $0.append(continuation) }
            // Ends when the request is taken back, too.
            for await _ in stream {}
            return "awake"
        }
        bridge.onMessage("store") { (body: JSON, _) in body }
    }

    /// Answers the oldest reply that is held; false where there is none.
    func releaseOne(twice: Bool = false) -> Bool {
        let reply = held.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let reply else { return false }
        reply("released")
        if twice { reply.fail(Plain()) }
        return true
    }

    /// Lets go of all replies without answering, and wakes who sleeps.
    func forgetAll() {
        let replies = held.withLock { held in
            let all = held
            held = []
            return all
        }
        withExtendedLifetime(replies) {}
        for sleeper in sleepers.withLock({ $0 }) { sleeper.finish() }
    }
}
