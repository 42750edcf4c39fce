import Bridgehead
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The executor of a session in one thread, the one that made it: it runs what it was given when it is told to.
final class FuzzExecutor: BridgeExecutor {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var timers: [Timer] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let given = DispatchSemaphore(value: 0)
    private let owner = Owner()

    var isCurrent: Bool { owner.isCurrent }

    func checkIsolated() { precondition(isCurrent, "a session is used from another thread") }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        execute { [unowned self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    func execute(_ job: @escaping @Sendable () -> Void) {
        state.withLock { if !$0.isClosed { $0.jobs.append(job) } }
        given.signal()
    }

    /// Time passes when ``letTimePass()`` says so.
    func after(_ delay: Duration, _ job: @escaping @Sendable () -> Void) -> any BridgeTimer {
        let timer = Timer(job)
        state.withLock { $0.timers.append(timer) }
        return timer
    }

    func letTimePass() {
        let timers = state.withLock { state in
            let all = state.timers
            state.timers = []
            return all
        }
        for timer in timers { timer.fire() }
        runJobs()
    }

    /// Runs what it has been given, and what comes of that here.
    func runJobs() {
        while true {
            let jobs = state.withLock { state in
                let all = state.jobs
                state.jobs = []
                return all
            }
            if jobs.isEmpty { return }
            for job in jobs { job() }
        }
    }

    /// Takes nothing any more: what a handler still gives it would keep the session, which keeps this, for ever.
    func close() {
        let left = state.withLock { state in
            let all = (state.jobs, state.timers)
            (state.jobs, state.timers, state.isClosed) = ([], [], true)
            return all
        }
        withExtendedLifetime(left) {}
    }

    /// Runs what it is given, from other threads too, until something holds.
    func run(until isDone: () -> Bool) throws(FuzzFault) {
        runJobs()
        while !isDone() {
            try require(given.wait(timeout: .now() + 20) == .success, "nothing happens any more")
            runJobs()
        }
    }

    private final class Timer: BridgeTimer {
        private let job: Mutex<(@Sendable () -> Void)?>

        init(_ job: @escaping @Sendable () -> Void) { self.job = Mutex(job) }

        func cancel() { job.withLock { $0 = nil } }

        func fire() { job.withLock { $0 }?() }
    }

    /// The thread that made it.
    private struct Owner: Sendable {
        private let thread = UInt(bitPattern: pthread_self().hashValue)

        var isCurrent: Bool { thread == UInt(bitPattern: pthread_self().hashValue) }
    }
}
