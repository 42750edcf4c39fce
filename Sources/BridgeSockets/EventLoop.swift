// The loop: jobs, timers and readiness, on one thread at a time.

import Dispatch

/// Runs jobs, timers and socket events one after another; the executor of the actors that own the sockets.
///
/// Everything that a loop runs is serial, and ordered: jobs run in the order in which they were added, by `execute` or by
/// the actors of the loop. A loop runs from its making until ``stop()``.
package final class EventLoop: SerialExecutor {
    /// How a loop learns of readiness. Nothing else differs, but that `sources` sees the reset of a connection that is
    /// not being read only when it is read or written to.
    package enum Mode: Sendable, CaseIterable {
        /// poll(2) over the active descriptors on one occupied Dispatch queue; quiet ones are parked in DispatchSources.
        case poll
        /// One DispatchSource a descriptor on a serial queue; no thread is occupied.
        case sources
    }

    /// Batches of jobs that run before sockets have their turn again.
    private static let roundsOfJobs = 8

    package let mode: Mode
    let identity: LoopIdentity
    let reactor: LoopConfined<Reactor>
    private let inbox: Inbox
    private let queue: DispatchQueue
    private let wakePipe: WakePipe?
    private let cancelledTimers: CancelledTimers

    /// Starts a loop. Throws when there is no descriptor left for what wakes it (`poll` only).
    package init(_ mode: Mode = .poll) throws(SocketError) {
        self.mode = mode
        queue = DispatchQueue(label: "bridgehead.loop")
        identity = LoopIdentity()
        var poller: Poller?
        switch mode {
        case .poll:
            let pipe = try WakePipe()
            inbox = Inbox(wake: .pipe)
            let polling = Poller(wakePipe: pipe, inbox: inbox)
            let state = Reactor(identity: identity, watcher: polling)
            wakePipe = pipe
            cancelledTimers = state.timers.cancelled
            reactor = LoopConfined(state, to: identity)
            poller = polling
        case .sources:
            wakePipe = nil
            inbox = Inbox(wake: .queue)
            let watcher = SourceWatcher(queue: queue)
            let state = Reactor(identity: identity, watcher: watcher)
            cancelledTimers = state.timers.cancelled
            reactor = LoopConfined(state, to: identity)
            watcher.start(reactor)
        }
        guard let poller else { return }
        let confined = LoopConfined(poller, to: identity)
        LoopOccupant.start(on: queue, of: self) { self.poll(confined) }
    }

    /// Whether the caller runs on this loop.
    package var isCurrent: Bool { identity.isCurrent }

    // MARK: Jobs

    /// Runs `job` on the loop, after all that was added before; never in place. From any thread.
    package func execute(_ job: @escaping @Sendable () -> Void) {
        submit(.closure(job))
    }

    /// Runs `action` on the loop once `delay` has passed. From any thread. Dropped when the loop stops.
    @discardableResult
    package func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> LoopTimer {
        let timer = LoopTimer(deadline: deadline(after: delay), cancelled: cancelledTimers, action: action)
        if isCurrent {
            reactor.value.addTimer(timer)
        } else {
            execute { [reactor] in reactor.value.addTimer(timer) }
        }
        return timer
    }

    /// Closes all sockets and listeners and drops all timers. From any thread. Jobs are still run afterwards, so that no
    /// actor of the loop hangs.
    package func stop() {
        execute { [reactor] in reactor.value.stop() }
    }

    // MARK: SerialExecutor

    package func enqueue(_ job: consuming ExecutorJob) {
        submit(.swift(UnownedJob(job)))
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func checkIsolated() {
        precondition(isCurrent, "Not on the event loop")
    }

    #if compiler(>=6.2)
        package func isIsolatingCurrentContext() -> Bool? {
            isCurrent
        }
    #endif

    // MARK: Running

    private func submit(_ job: Inbox.Job) {
        switch inbox.add(job) {
        case .pipe where !isCurrent: wakePipe?.wake()
        case .queue: queue.async { self.drain() }
        // A polling loop looks into its inbox before it sleeps.
        case .pipe, nil: break
        }
    }

    private func run(_ jobs: inout [Inbox.Job]) {
        let executor = asUnownedSerialExecutor()
        for job in jobs {
            switch job {
            case .closure(let action): action()
            case .swift(let job): job.runSynchronously(on: executor)
            }
        }
        jobs.removeAll(keepingCapacity: true)
    }

    /// The loop of `poll`: occupies the queue until everything is closed after `stop()`.
    private func poll(_ poller: LoopConfined<Poller>) {
        poller.visit { poller in
            let reactor = reactor.value
            var jobs: [Inbox.Job] = []
            var rounds = 0
            while !reactor.isStopped || poller.parkedCount > 0 {
                reactor.fireTimers()
                reactor.endTurn()
                let hasRun = inbox.take(&jobs)
                if hasRun {
                    run(&jobs)
                    rounds += 1
                    if rounds < Self.roundsOfJobs { continue }
                    reactor.endTurn()
                }
                rounds = 0
                poller.schedule(reactor.timers.nextDeadline)
                poller.wait(mayBlock: !hasRun)
            }
            reactor.endTurn()
        }
        inbox.leavePipe()
        queue.async { self.drain() }
    }

    /// Runs the jobs of a loop that is run by its queue.
    private func drain() {
        reactor.visit { reactor in
            var jobs: [Inbox.Job] = []
            var rounds = 0
            while rounds < Self.roundsOfJobs, inbox.take(&jobs) {
                reactor.turn { run(&jobs) }
                rounds += 1
            }
            if rounds == Self.roundsOfJobs { queue.async { self.drain() } }
        }
    }
}
