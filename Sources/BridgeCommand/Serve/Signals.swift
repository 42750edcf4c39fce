#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Dispatch
import Synchronization

/// SIGINT and SIGTERM, of the whole process: the first is a wish, the second an order. While nobody hears wishes, the first
/// is an order too. An order ends the process with 130 at once.
enum Signals {
    private static let first = Mutex<(@Sendable () -> Void)?>(nil)
    private static let sources = makeSources()

    /// Takes them from now on: when this returns, none ends the process in the system's way any more.
    static func take() { sources.withLock { _ in } }

    private static func makeSources() -> Mutex<[any DispatchSourceSignal]> {
        let queue = DispatchQueue(label: "bridgehead.signals")
        let registered = DispatchGroup()
        let sources = [SIGINT, SIGTERM].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { received() }
            registered.enter()
            source.setRegistrationHandler {
                // Not before: one that comes meanwhile would be lost. Elsewhere the source does what is needed itself.
                #if canImport(Darwin)
                    signal(number, SIG_IGN)
                #endif
                registered.leave()
            }
            source.activate()
            return source
        }
        registered.wait()
        return Mutex(sources)
    }

    /// - Parameter first: called once, on a queue of its own, at the first signal that comes from now on.
    static func hear(_ first: @escaping @Sendable () -> Void) {
        Self.first.withLock { $0 = first }
    }

    private static func received() {
        guard let first = Self.first.withLock({ $0.take() }) else { _exit(ExitCode.interrupted.rawValue) }
        first()
    }

    /// A reader that went away is an error of `write`, never the end of the process.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}
