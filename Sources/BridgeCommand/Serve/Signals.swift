#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Dispatch
import Synchronization

/// SIGINT and SIGTERM: the first is a wish, the second an order.
final class Signals: Sendable {
    private let sources: Mutex<[any DispatchSourceSignal]>

    /// - Parameter first: called once, on a queue of its own. A second signal ends the process with 130 at once.
    init(first: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "bridgehead.signals")
        let received = Atomic(0)
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if received.add(1, ordering: .relaxed).newValue == 1 {
                    first()
                } else {
                    _exit(ExitCode.interrupted.rawValue)
                }
            }
            source.activate()
            return source
        }
        self.sources = Mutex(sources)
    }

    /// A reader that went away is an error of `write`, never the end of the process.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}
