// Jobs for a loop, from any thread, first in, first out.

import Synchronization

/// Where jobs wait for their loop. The one lock of the layer; a loop takes it once a turn, for all jobs there are.
final class Inbox: Sendable {
    enum Job: Sendable {
        case closure(@Sendable () -> Void)
        case swift(UnownedJob)
    }

    /// How a sleeping loop is woken.
    enum Wake {
        case pipe, queue
    }

    private struct State {
        var jobs: [Job] = []
        var isAsleep = true
        var wake: Wake
    }

    private let state: Mutex<State>

    init(wake: Wake) {
        state = Mutex(State(wake: wake))
    }

    /// Says how the caller must wake the loop when it sleeps; only one caller is told so.
    func add(_ job: Job) -> Wake? {
        state.withLock { state in
            state.jobs.append(job)
            defer { state.isAsleep = false }
            return state.isAsleep ? state.wake : nil
        }
    }

    /// From here on the loop is woken by its queue, where the caller must see to the jobs that are here already.
    func leavePipe() {
        state.withLock { state in
            state.wake = .queue
            state.isAsleep = false
        }
    }

    /// Takes all jobs in exchange for `jobs`, an empty array. When there are none, the loop counts as asleep from here on.
    func take(_ jobs: inout [Job]) -> Bool {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.isAsleep = true
                return false
            }
            swap(&state.jobs, &jobs)
            return true
        }
    }
}
