package import Bridgehead
internal import Dispatch
internal import Synchronization

/// The main actor, as what a session runs on: the page's messages are handled where the page is, in order.
package final class MainExecutor: BridgeExecutor {
    package static let shared = MainExecutor()

    private static let mark: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// By the queue and not by the thread: where the main thread has left its queue (`dispatchMain` on Linux), others serve it.
    package var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.mark) != nil }

    package func execute(_ job: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: job) }

    package func after(_ delay: Duration, _ job: @escaping @Sendable () -> Void) -> any BridgeTimer {
        let timer = MainTimer()
        let (seconds, attoseconds) = delay.components
        let deadline = DispatchTime.now() + Double(seconds) + Double(attoseconds) / 1e18
        DispatchQueue.main.asyncAfter(deadline: deadline) { if !timer.isCancelled { job() } }
        return timer
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func checkIsolated() { precondition(isCurrent, "Not on the main queue") }
}

private final class MainTimer: BridgeTimer {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }
}
