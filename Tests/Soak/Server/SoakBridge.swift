import Bridgehead
import Dispatch

/// What every message says of itself: its session's tag and its number there.
struct SoakMessage: Sendable {
    let tag: String
    let number: Int

    init(_ payload: JSON) throws(BridgeFailure) {
        guard let tag = payload["s"]?.string, let number = payload["n"]?.int else {
            throw BridgeFailure(4000, "a message of the soak has s and n")
        }
        self.tag = tag
        self.number = number
    }

    /// An answer that says whose it is.
    func reply(_ members: JSONObject = [:]) -> JSON {
        var object: JSONObject = ["s": JSON(tag), "n": JSON(number)]
        for member in members { object[member.name.string] = member.value }
        return .object(object)
    }
}

/// The handlers that are asked; each writes down that it runs.
enum SoakBridge {
    static func make(_ ledger: LedgerFile) -> Bridge {
        let bridge = Bridge()
        registerPlain(on: bridge, ledger)
        registerFailing(on: bridge, ledger)
        registerCalls(on: bridge, ledger)
        registerFigures(on: bridge, ledger)
        return bridge
    }

    private static func registerPlain(on bridge: Bridge, _ ledger: LedgerFile) {
        for name in ["soak.echo", "soak.note"] {
            bridge.on(name) { payload, _ -> JSON in
                let message = try SoakMessage(payload)
                ledger.begin(message)
                defer { ledger.end() }
                return payload
            }
        }
        bridge.on("soak.wait") { payload, _ async throws -> JSON in
            let message = try SoakMessage(payload)
            ledger.begin(message)
            defer { ledger.end() }
            try await Task.sleep(for: milliseconds(payload))
            return message.reply()
        }
        bridge.on("soak.grow") { payload, _ async throws -> JSON in
            let message = try SoakMessage(payload)
            ledger.begin(message)
            defer { ledger.end() }
            try await Task.sleep(for: milliseconds(payload))
            return message.reply(["text": JSON(Text.make(message.number, payload["size"]?.int ?? 0))])
        }
        bridge.on("soak.progress") { payload, call async throws -> JSON in
            let message = try SoakMessage(payload)
            ledger.begin(message)
            defer { ledger.end() }
            for step in 0..<(payload["steps"]?.int ?? 0) {
                call.report(message.reply(["step": JSON(step)]))
                if step % 4 == 3 { try await Task.sleep(for: .milliseconds(1)) }
            }
            return message.reply()
        }
        bridge.on(Later.self) { event, _, reply in
            ledger.begin(try SoakMessage(["s": JSON(event.s), "n": JSON(event.n)]))
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(event.ms)) {
                ledger.end()
                reply(Numbered(s: event.s, n: event.n))
            }
        }
    }

    /// What the load asks between its phases.
    private static func registerFigures(on bridge: Bridge, _ ledger: LedgerFile) {
        bridge.on("soak.pending") { [unowned bridge] _, _ -> JSON in
            let (handlers, calls) = ledger.pending
            return ["handlers": JSON(handlers), "calls": JSON(calls), "pages": JSON(bridge.pages.count)]
        }
        bridge.on("soak.memory") { _, _ -> JSON in
            Heap.trim()
            return ["heap": Heap.inUse.map { JSON($0) } ?? .null]
        }
    }

    private static func registerFailing(on bridge: Bridge, _ ledger: LedgerFile) {
        bridge.on("soak.fail") { payload, _ -> JSON in
            let message = try SoakMessage(payload)
            ledger.begin(message)
            defer { ledger.end() }
            throw BridgeFailure(4001, "As asked", data: message.reply())
        }
        bridge.on(Forget.self) { event, _, _ in
            ledger.begin(try SoakMessage(["s": JSON(event.s), "n": JSON(event.n)]))
            ledger.end()
        }
        bridge.on("soak.deadline", deadline: .milliseconds(30)) { payload, _ async throws -> JSON in
            let message = try SoakMessage(payload)
            ledger.begin(message)
            defer { ledger.end() }
            try await Task.sleep(for: milliseconds(payload))
            return message.reply()
        }
    }

    private static func registerCalls(on bridge: Bridge, _ ledger: LedgerFile) {
        bridge.on("soak.ask") { payload, call async throws -> JSON in
            let message = try SoakMessage(payload)
            ledger.begin(message)
            defer { ledger.end() }
            return message.reply(["outcome": JSON(await ask(call.page, message, payload, ledger))])
        }
        bridge.on("soak.poke") { payload, call async throws -> Void in
            let message = try SoakMessage(payload)
            ledger.begin(message)
            defer { ledger.end() }
            _ = await ask(call.page, message, payload, ledger)
        }
    }

    /// Calls the page: what the load is to do there is in the payload.
    private static func ask(
        _ page: BridgePage, _ message: SoakMessage, _ payload: JSON, _ ledger: LedgerFile
    ) async -> String {
        ledger.beginCall(message)
        var outcome = "ok"
        do {
            let question = message.reply(["mode": payload["mode"] ?? .null, "text": payload["text"] ?? .null])
            let timeout = payload["timeout"]?.int.map { Duration.milliseconds($0) }
            let answer = try await page.request("page.work", question, timeout: timeout)
            if answer != question { outcome = "wrong" }
        } catch let failure as BridgeFailure {
            outcome = "\(failure.code)"
        } catch {
            outcome = "cancelled"
        }
        ledger.endCall(message, outcome)
        return outcome
    }

    private static func milliseconds(_ payload: JSON) -> Duration {
        .milliseconds(payload["ms"]?.int ?? 0)
    }

    private struct Numbered: Codable, Sendable {
        var s: String
        var n: Int
    }

    private struct Later: BridgeEvent {
        static let name = "soak.later"
        typealias Reply = Numbered
        var s: String
        var n: Int
        var ms: Int
    }

    private struct Forget: BridgeEvent {
        static let name = "soak.forget"
        typealias Reply = Numbered
        var s: String
        var n: Int
    }
}
