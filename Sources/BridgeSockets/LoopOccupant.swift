import Dispatch

/// Runs a polling loop as one long job of the loop's own executor.
///
/// On that job the runtime knows whose turn it is, so that each `assumeIsolated` of the loop's actors is a comparison;
/// elsewhere it first asks whether the executor is the main one, which costs more than parsing a small message.
actor LoopOccupant {
    /// Brings the job to the loop's queue.
    private final class Starter: SerialExecutor {
        let queue: DispatchQueue
        let loop: UnownedSerialExecutor

        init(queue: DispatchQueue, loop: UnownedSerialExecutor) {
            self.queue = queue
            self.loop = loop
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [loop] in job.runSynchronously(on: loop) }
        }
    }

    private let starter: Starter

    nonisolated var unownedExecutor: UnownedSerialExecutor { starter.asUnownedSerialExecutor() }

    private init(_ starter: Starter) {
        self.starter = starter
    }

    /// - Parameter body: keeps the loop for as long as it runs, and returns when the loop is over.
    static func start(on queue: DispatchQueue, of loop: EventLoop, _ body: @escaping @Sendable () -> Void) {
        let occupant = LoopOccupant(Starter(queue: queue, loop: loop.asUnownedSerialExecutor()))
        Task.detached { await occupant.run(body) }
    }

    private func run(_ body: @Sendable () -> Void) {
        body()
    }
}
