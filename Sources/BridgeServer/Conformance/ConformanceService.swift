package import Bridgehead
import Synchronization

/// The events that a suite calls on its target (PROTOCOL.md, section 11).
package enum ConformanceService {
    /// What this target claims to speak, as `conformance.profiles` answers it.
    static let profiles: JSON = ["core", "rpc", "session", "surface", "transport"]

    package static func register(on bridge: Bridge) {
        bridge.on("conformance.profiles") { _, _ in profiles }
        bridge.on("conformance.echo") { payload, _ in payload.isNull ? [:] : payload }
        bridge.on("conformance.wait") { payload, _ in
            let wait = try JSON.decode(Wait.self, from: payload)
            try await Task.sleep(for: .milliseconds(Int64(clamping: wait.ms)))
            return ["waited": JSON(wait.ms)] as JSON
        }
        bridge.on("conformance.fail") { payload, _ -> JSON in
            let fail = try JSON.decode(Fail.self, from: payload)
            throw BridgeFailure(fail.code, fail.message ?? "", data: payload["data"])
        }
        bridge.on("conformance.throw") { payload, _ -> JSON in
            throw PlainError(description: payload["text"]?.string ?? "")
        }
        bridge.on("conformance.progress") { payload, call in
            let count = try JSON.decode(Count.self, from: payload).count
            var reported: UInt = 0
            while reported < count {
                reported += 1
                call.report(JSON(reported))
                // However many are wanted, others get their turn, and it can be cancelled.
                if reported.isMultiple(of: 64) {
                    await Task.yield()
                    try Task.checkCancellation()
                }
            }
            return ["count": JSON(count)] as JSON
        }
        bridge.on(BadProgress.self) { _, call in
            call.report(.nan)
            call.report(1)
            return Count(count: 1)
        }
        bridge.on(Forget.self) { _, _, _ in }
        bridge.on("conformance.unencodable") { _, _ in Unencodable() }
        bridge.on(Typed.self) { event, _ in event }
        bridge.relay("conformance.callPage") { payload, call in
            let event = try JSON.decode(CallPage.self, from: payload).event
            return try await call.page.request(event, payload["payload"])
        }
        let counters = SessionCounters()
        bridge.on("conformance.counter") { _, call in ["count": JSON(counters.count(call.page))] as JSON }
        SpecificationExamples.register(on: bridge)
    }

    private struct Wait: Decodable {
        let ms: UInt
    }

    private struct Fail: Decodable {
        let code: Int
        let message: String?
    }

    private struct Count: Codable, Sendable {
        let count: UInt
    }

    private struct CallPage: Decodable {
        let event: String
    }

    private struct PlainError: Error, CustomStringConvertible {
        let description: String
    }

    private struct BadProgress: BridgeEvent {
        static let name = "conformance.badProgress"
        typealias Reply = Count
        typealias Progress = Double
    }

    private struct Forget: BridgeEvent {
        static let name = "conformance.forget"
        typealias Reply = String
    }

    private struct Unencodable: Encodable, Sendable {
        var ok = true
        var bad = [1, Double.nan]
    }

    private struct Typed: BridgeEvent {
        static let name = "conformance.typed"
        typealias Reply = Typed
        var id: Int
        var price: Double
        var tags: [String]
        var note: String?
    }
}

/// A count a session, forgotten when it ends.
private final class SessionCounters: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func count(_ page: BridgePage) -> Int {
        let id = page.id
        let count = counts.withLock { counts in
            counts[id, default: 0] += 1
            return counts[id, default: 0]
        }
        if count == 1 {
            Task { [self] in
                for await _ in page.changes {}
                counts.withLock { $0[id] = nil }
            }
        }
        return count
    }
}
