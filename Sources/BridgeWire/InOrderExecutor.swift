internal import Synchronization

/// Runs a task's first job where it is enqueued, and the later ones on the global pool.
///
/// So an asynchronous handler has run to its first suspension when `Task.init` returns, which keeps messages in order
/// (law 4), and what it does after that holds nobody up. `Task.immediate` does not serve: it needs macOS 26 and,
/// started inside an actor, hops before the first line.
package final class InOrderExecutor: TaskExecutor {
    private let started = Atomic(false)

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        if started.exchange(true, ordering: .relaxed) {
            globalConcurrentExecutor.enqueue(job)
        } else {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
