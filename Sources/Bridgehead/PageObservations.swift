internal import BridgeJSON
internal import Synchronization

/// What a page has said about itself, readable from any thread.
final class PageObservations: Sendable {
    /// What a state has (PROTOCOL.md, P3). A page that names ever more would fill the memory.
    private static let stateNames: [JSONString] = [
        "url", "title", "isLoading", "estimatedProgress", "canGoBack", "canGoForward",
    ]

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
    func changed(_ event: JSONString, _ payload: JSON) {
        let watching = state.withLock { state in
            for name in event == "$/page.state" ? Self.stateNames : ["url"] {
                if let value = payload.object?[name] { state.info[name] = value }
            }
            return Array(state.watching.values)
        }
        // Called by one session only, one after the other: the order stays.
        for continuation in watching { continuation.yield((event.string, payload)) }
    }

    func end() {
        let watching = state.withLock { state in
            state.ended = true
            return Array(state.watching.values)
        }
        for continuation in watching { continuation.finish() }
    }
}
