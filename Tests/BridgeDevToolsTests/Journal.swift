import BridgeDevTools
import BridgeJSON
import Synchronization

/// What was told, in the order in which it was.
final class Journal: Sendable {
    private struct State {
        var entries: [String] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<[String], Never>)] = []
    }

    private let state = Mutex(State())

    var entries: [String] { state.withLock(\.entries) }

    func note(_ entry: String) {
        let ready = state.withLock { state in
            state.entries.append(entry)
            let entries = state.entries
            defer { state.waiting.removeAll { $0.count <= entries.count } }
            return state.waiting.filter { $0.count <= entries.count }.map { ($0.continuation, entries) }
        }
        for (continuation, entries) in ready { continuation.resume(returning: entries) }
    }

    /// The entries, once there are that many.
    @discardableResult
    func entries(atLeast count: Int) async -> [String] {
        await withCheckedContinuation { continuation in
            let entries: [String]? = state.withLock { state in
                if state.entries.count >= count { return state.entries }
                state.waiting.append((count, continuation))
                return nil
            }
            if let entries { continuation.resume(returning: entries) }
        }
    }

    /// Notes each event by its method and its parameter `n`, and the end.
    func sink(_ name: String) -> @Sendable (DevToolsMessage) -> Void {
        { [self] message in
            switch message {
            case .event(let method, let params): note("\(name) \(method) \(params["n"]?.int ?? 0)")
            case .ended(let failure): note("\(name) ended: \(failure)")
            }
        }
    }

    /// Notes a result by its member `n`, or why there is none.
    func completion(_ name: String) -> DevToolsConnection.Completion {
        { [self] result in
            switch result {
            case .success(let value): note("\(name) = \(value["n"]?.int ?? 0)")
            case .failure(let failure): note("\(name) failed: \(failure)")
            }
        }
    }
}
