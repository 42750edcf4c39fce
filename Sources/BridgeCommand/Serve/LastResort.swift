#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import BridgeServer
import Bridgehead
import Dispatch
import Synchronization

/// Ends the process when the server cannot: a handler that does not return holds up the loop that would say goodbye, or
/// the threads of Swift's own that would wait for it. So this has neither, but a queue.
final class LastResort: Sendable {
    /// What a loop that goes on needs at most to take a job.
    private static let patience = DispatchTimeInterval.seconds(2)

    private let options: ServeOptions
    private let log: BridgeLog
    private let server = Mutex<BridgeServer?>(nil)
    private let queue = DispatchQueue(label: "bridgehead.last-resort")

    init(_ options: ServeOptions, log: BridgeLog) {
        self.options = options
        self.log = log
    }

    func watch(_ server: BridgeServer) { self.server.withLock { $0 = server } }

    /// The server is told to stop.
    func begin() {
        queue.asyncAfter(deadline: .now() + (options.drainTimeout / .seconds(1))) { [self] in
            let goesOn = DispatchSemaphore(value: 0)
            // Without a server nothing is held up but the start.
            if let server = server.withLock({ $0 }) { server.onLoop { goesOn.signal() } } else { goesOn.signal() }
            guard goesOn.wait(timeout: .now() + Self.patience) == .success else { return giveUp() }
            // The goodbyes have their own time.
            let goodbyes = options.limits.lingerTimeout * 2 / .seconds(1)
            queue.asyncAfter(deadline: .now() + goodbyes + Self.patience) { [self] in giveUp() }
        }
    }

    private func giveUp() {
        // Whoever should read it may be what holds everything up.
        let said = DispatchSemaphore(value: 0)
        DispatchQueue(label: "bridgehead.last-words").async { [log] in
            log(.error, "a handler or the terminal holds the server up; it ends without answering what is left")
            said.signal()
        }
        _ = said.wait(timeout: .now() + .milliseconds(500))
        // What exit(3) would see to may be held up too.
        _exit(ExitCode.success.rawValue)
    }
}
