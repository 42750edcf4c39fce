package import BridgeSockets
package import Bridgehead

// Sessions run on the loop of their connections.

extension EventLoop: BridgeExecutor {
    /// What callers who know the loop get is the timer's own type.
    @_disfavoredOverload
    package func after(_ delay: Duration, _ job: @escaping @Sendable () -> Void) -> any BridgeTimer {
        let timer: LoopTimer = after(delay, job)
        return timer
    }
}

extension LoopTimer: BridgeTimer {}
