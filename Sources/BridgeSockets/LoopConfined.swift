// Which thread a loop is running on, and values that only that thread touches.

import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The thread a loop occupies right now; zero while it is on none.
final class LoopIdentity: Sendable {
    private let thread = Atomic<UInt>(0)

    var isCurrent: Bool { thread.load(ordering: .relaxed) == Self.callingThread }

    func enter() { thread.store(Self.callingThread, ordering: .relaxed) }

    func leave() { thread.store(0, ordering: .relaxed) }

    private static var callingThread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            pthread_self()
        #endif
    }
}

/// A handle to state that belongs to one loop.
///
/// The handle goes anywhere; the state is reached on the loop only. `@unchecked Sendable` because the precondition in
/// `value` protects it: a loop is on one thread at a time, and Dispatch orders its visits to different threads.
final class LoopConfined<Value>: @unchecked Sendable {
    let identity: LoopIdentity
    private let confined: Value

    init(_ value: Value, to identity: LoopIdentity) {
        self.identity = identity
        confined = value
    }

    /// Traps when the caller is not on the loop: a programming error, never an input.
    var value: Value {
        precondition(identity.isCurrent, "Used outside its event loop")
        return confined
    }

    /// More state of the same loop. Off the loop too, so `make` may keep the value, but not look into it.
    func map<Other>(_ make: (Value) -> Other) -> LoopConfined<Other> {
        LoopConfined<Other>(make(confined), to: identity)
    }

    /// Makes the calling thread the loop's for the time of `body`. For the loop's own queue and nobody else.
    func visit(_ body: (Value) -> Void) {
        identity.enter()
        defer { identity.leave() }
        body(confined)
    }
}
