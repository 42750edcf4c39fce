import Bridgehead
import Dispatch

/// A serial queue as a session's executor, for sessions without sockets.
final class QueueExecutor: BridgeExecutor {
    private let queue = DispatchQueue(label: "session")
    private let key = DispatchSpecificKey<ObjectIdentifier>()

    init() {
        queue.setSpecific(key: key, value: ObjectIdentifier(self))
    }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == ObjectIdentifier(self) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    func execute(_ job: @escaping @Sendable () -> Void) {
        queue.async(execute: job)
    }

    func after(_ delay: Duration, _ job: @escaping @Sendable () -> Void) -> any BridgeTimer {
        let item = DispatchWorkItem(block: job)
        let (seconds, attoseconds) = delay.components
        queue.asyncAfter(
            deadline: .now() + .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)), execute: item)
        return Timer(item: item)
    }

    // Cancelling a work item is safe from any thread; Dispatch does not mark it Sendable on Linux.
    private struct Timer: BridgeTimer, @unchecked Sendable {
        let item: DispatchWorkItem

        func cancel() {
            item.cancel()
        }
    }
}
