internal import BridgeJSON
internal import Synchronization

/// What a page has said about itself, readable from any thread.
final class PageObservations: Sendable {
    private struct State {
        var info = JSONObject()
        var watching: [UInt64: AsyncStream<(name: String, payload: JSON)>.Continuation] = [:]
        var lastWatcher: UInt64 = 0
        var ended = false
    }

    private let state = Mutex(State())

    var info: JSON { .object(state.withLock { $0.info }) }

    func changes() -> AsyncStream<(name: String, payload: JSON)> {
        AsyncStream { continuation in
            let watcher: UInt64? = state.withLock { state in
                guard !state.ended else { return nil }
                state.lastWatcher += 1
                state.watching[state.lastWatcher] = continuation
                return state.lastWatcher
            }
            guard let watcher else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.watching.removeValue(forKey: watcher) }
            }
        }
    }

    func greeted(_ page: JSON?) {
        state.withLock { $0.info = page?.object ?? JSONObject() }
    }

    /// `$/page.state` replaces what it names; `$/page.url` changes the URL.
    func changed(_ name: String, _ payload: JSON) {
        let watching = state.withLock { state in
            for member in payload.object ?? JSONObject() where name == "$/page.state" || member.name == "url" {
                state.info[member.name] = member.value
            }
            return Array(state.watching.values)
        }
        // Called by one session only, one after the other: the order stays.
        for continuation in watching { continuation.yield((name, payload)) }
    }

    func end() {
        let watching = state.withLock { state in
            state.ended = true
            return Array(state.watching.values)
        }
        for continuation in watching { continuation.finish() }
    }
}
