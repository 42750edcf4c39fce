package import BridgeSockets
import Synchronization

/// Where pages that have connected wait until a vector takes them.
package final class PageLobby: Sendable {
    private struct State {
        var waiting: [ByteConnection] = []
        var reader: CheckedContinuation<ByteConnection?, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Takes a socket whose upgrade was answered, on its loop.
    /// - Parameter rest: what came with the handshake.
    package func enter(_ socket: StreamSocket, rest: [UInt8]) {
        let connection = ByteConnection.takeOver(socket, rest: rest)
        let reader = state.withLock { state in
            let reader = state.reader
            state.reader = nil
            if reader == nil { state.waiting.append(connection) }
            return reader
        }
        reader?.resume(returning: connection)
    }

    /// The next page to connect, or one that has; nil when none does in time. For one caller at a time.
    func next(until deadline: ContinuousClock.Instant) async -> ByteConnection? {
        let timer = Task {
            try? await Task.sleep(until: deadline, clock: .continuous)
            giveUp()
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let first: ByteConnection?? = state.withLock { state in
                    if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                    if Task.isCancelled { return .some(nil) }
                    state.reader = continuation
                    return nil
                }
                if let first { continuation.resume(returning: first) }
            }
        } onCancel: {
            giveUp()
        }
    }

    private func giveUp() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// Sends away those that no vector has taken: their pages are gone.
    func clear() async {
        let left = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for connection in left { await connection.cut() }
    }
}
