import BridgeJSON
import BridgeWire
import Synchronization

/// Keeps account of what a session was asked and what it answered.
final class SessionLedger: Sendable {
    private struct State {
        var owed: [Expectation: Int] = [:]
        var owedArrays = 0
        var fault: FuzzFault?
        var isClosed = false
        var isGreeted = false
    }

    private let state = Mutex(State())
    private let limits: BridgeLimits
    private let isStream: Bool

    init(limits: BridgeLimits, isStream: Bool) {
        self.limits = limits
        self.isStream = isStream
    }

    /// A message is about to be handed to the session.
    func asked(_ text: [UInt8]) {
        let owed = Expectation.owed(to: text, nesting: limits.nesting, batch: limits.batch)
        state.withLock { state in
            for answer in owed.answers { state.owed[answer, default: 0] += 1 }
            if owed.isArray { state.owedArrays += 1 }
            if text.contains(Array("$/hello" as StaticString)) { state.isGreeted = true }
        }
    }

    /// The session may say nothing from now on.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    func answered(_ text: [UInt8]) {
        state.withLock { state in
            do throws(FuzzFault) {
                try take(text, &state)
            } catch {
                if state.fault == nil { state.fault = error }
            }
        }
    }

    /// Everything was answered, and nothing else was said.
    func settle() throws(FuzzFault) {
        let (fault, owed, arrays) = state.withLock { ($0.fault, $0.owed.filter { $0.value != 0 }, $0.owedArrays) }
        if let fault { throw fault }
        try require(owed.isEmpty, "not answered: \(owed)")
        try require(arrays == 0, "\(arrays) batches were not answered")
    }

    private func take(_ text: [UInt8], _ state: inout State) throws(FuzzFault) {
        let shown = String(decoding: text, as: UTF8.self)
        try require(!state.isClosed, "said after the end: \(shown)")
        guard let json = try? JSON(parsing: text, maximumDepth: JSON.highestMaximumDepth) else {
            throw FuzzFault("what is sent is not JSON: \(shown)")
        }
        if let object = json.object {
            try take(object, shown, &state)
        } else if let elements = json.array {
            try require(text.count <= limits.message || elements.count > 1, "an array over the limit")
            state.owedArrays -= 1
            try require(state.owedArrays >= 0, "an array that nobody asked for: \(shown)")
            for element in elements {
                guard let object = element.object, object["jsonrpc"] != nil else {
                    throw FuzzFault("no answer in an array: \(shown)")
                }
                try settle(object, shown, &state)
            }
        } else {
            throw FuzzFault("no message: \(shown)")
        }
    }

    private func take(_ object: JSONObject, _ shown: String, _ state: inout State) throws(FuzzFault) {
        let name = object[object["jsonrpc"] == nil ? "eventName" : "method"]?.string
        if name == "$/progress" || (name == nil && object["progress"] != nil && object["response"] == nil) {
            let id = (object["requestId"] ?? object["params"]?["id"])?.text ?? "none"
            let address = Expectation(isRPC: object["jsonrpc"] != nil, id: id)
            try require(isStream && state.owed[address, default: 0] > 0, "progress after the answer: \(shown)")
        } else if let name {
            let ours = ["question", "$/cancelRequest", "$/eventsChanged", "$/messageHandlersChanged"]
            try require(isStream && state.isGreeted && ours.contains(name), "a message nobody sends: \(shown)")
        } else {
            try settle(object, shown, &state)
        }
    }

    private func settle(_ object: JSONObject, _ shown: String, _ state: inout State) throws(FuzzFault) {
        let isRPC = object["jsonrpc"] != nil
        let id = (isRPC ? object["id"] : object["requestId"])?.text ?? "none"
        let outcomes = ["result", "response", "error"].count { object[$0] != nil }
        try require(outcomes == 1, "an answer with \(outcomes) outcomes: \(shown)")
        let address = Expectation(isRPC: isRPC, id: id)
        state.owed[address, default: 0] -= 1
        try require(state.owed[address, default: 0] >= 0, "answered once more than asked: \(shown)")
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool { firstRange(of: part) != nil }
}
