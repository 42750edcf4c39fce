import Synchronization

/// Values in the order in which they came, waited for one at a time.
final class Inbox<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiting: [CheckedContinuation<Value, Never>] = []
    }

    private let state = Mutex(State())

    func put(_ value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.values.append(value)
            return nil
        }
        waiting?.resume(returning: value)
    }

    func next() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                if !state.values.isEmpty { return state.values.removeFirst() }
                state.waiting.append(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }

    /// What came and was not waited for.
    var left: [Value] { state.withLock { $0.values } }
}

/// A door that opens once: for handlers that go on when the test says so.
final class Gate: Sendable {
    private let inbox = Inbox<Void>()

    func open() {
        inbox.put(())
    }

    func passed() async {
        await inbox.next()
    }
}

/// A value that several threads change.
final class Box<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) {
        state = Mutex(value)
    }

    var value: Value { state.withLock { $0 } }

    func update(_ body: (inout Value) -> Void) {
        state.withLock { body(&$0) }
    }
}
