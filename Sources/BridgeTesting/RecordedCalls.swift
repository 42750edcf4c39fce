internal import BridgeWire
public import Bridgehead
internal import Synchronization

/// One call of an event, as a page sent it.
public struct RecordedCall: Sendable, Hashable, CustomStringConvertible {
    /// The event's name.
    public let name: String
    /// `{}` if there was none.
    public let payload: JSON
    /// Whether the page awaits no answer.
    public let isNotification: Bool

    /// Name and payload.
    public var description: String { "\(name) \(payload)" }
}

/// The calls a test server has received, handled or not, in order. The protocol's own messages are left out.
public final class RecordedCalls: Sendable {
    private struct State {
        var calls: [RecordedCall] = []
        /// Where in `calls` those of each event are.
        var places: [JSONString: [Int]] = [:]
        /// How many calls of each event `next` has handed out.
        var taken: [JSONString: Int] = [:]
        var waiters: [(ticket: Int, name: JSONString, continuation: CheckedContinuation<RecordedCall, any Error>)] = []
        var lastTicket = 0
    }

    private let state = Mutex(State())

    /// All calls so far.
    public var all: [RecordedCall] { state.withLock { $0.calls } }

    /// The calls of one event so far.
    public func all(of name: String) -> [RecordedCall] {
        state.withLock { state in state.places[JSONString(name), default: []].map { state.calls[$0] } }
    }

    /// The first call of an event that was not handed out before; waits until there is one.
    ///
    /// - Throws: ``BridgeTestFailure`` when it does not come in time, saying what did arrive.
    public func next(_ name: String, within deadline: Duration = .seconds(5)) async throws -> RecordedCall {
        do {
            return try await withDeadline(deadline) { try await self.take(JSONString(name)) }
        } catch is DeadlinePassed {
            throw BridgeTestFailure("no call of \(name) within \(deadline)", self)
        }
    }

    /// The same for a declared event, decoded.
    public func next<E: BridgeEvent>(_ event: E.Type, within deadline: Duration = .seconds(5)) async throws -> E {
        try await JSON.decode(E.self, from: next(E.name, within: deadline).payload)
    }

    private func take(_ name: JSONString) async throws -> RecordedCall {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let known: Result<RecordedCall, any Error>? = state.withLock { state in
                    // The handler below may have run already, and found nothing.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    let taken = state.taken[name, default: 0]
                    if let places = state.places[name], taken < places.count {
                        state.taken[name] = taken + 1
                        return .success(state.calls[places[taken]])
                    }
                    state.waiters.append((ticket, name, continuation))
                    return nil
                }
                if let known { continuation.resume(with: known) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.ticket == ticket }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Takes note of a message that a page has sent.
    func record(_ text: UnsafeRawBufferPointer) {
        guard let json = try? JSON(parsing: text, maximumDepth: JSON.highestMaximumDepth) else { return }
        switch json {
        case .object(let object): record(Inbound(object))
        case .array(let elements): for case .object(let object) in elements { record(Inbound(object, inBatch: true)) }
        case .null, .bool, .number, .string: break
        }
    }

    private func record(_ inbound: Inbound) {
        guard case .event(let name, let payload, let address, _) = inbound, !name.string.hasPrefix("$/") else { return }
        let call = RecordedCall(name: name.string, payload: payload ?? [:], isNotification: address == nil)
        let waiter = state.withLock { state in
            state.places[name, default: []].append(state.calls.count)
            state.calls.append(call)
            return state.waiters.firstIndex { $0.name == name }.map { index in
                state.taken[name, default: 0] += 1
                return state.waiters.remove(at: index)
            }
        }
        waiter?.continuation.resume(returning: call)
    }
}
