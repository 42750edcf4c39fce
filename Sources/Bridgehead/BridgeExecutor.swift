/// Where a session runs: one serial executor, given by whoever owns the connection.
///
/// Jobs given to `execute` and to `enqueue` run one at a time, in the order given, from whatever thread.
package protocol BridgeExecutor: SerialExecutor {
    /// Whether the caller runs on this executor now.
    var isCurrent: Bool { get }
    func execute(_ job: @escaping @Sendable () -> Void)
    /// Runs `job` on this executor once, after the delay, unless it is cancelled before.
    func after(_ delay: Duration, _ job: @escaping @Sendable () -> Void) -> any BridgeTimer
}

/// A job that was put off. Cancelling it after it ran does nothing.
package protocol BridgeTimer: Sendable {
    func cancel()
}
