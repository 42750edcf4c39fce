#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The two ways between this process and a browser. Sockets rather than pipes: a write to one that nobody reads any more
/// is an error, and no signal.
struct BrowserPipes: Sendable {
    /// What this process writes to and reads from; neither blocks.
    let orders, answers: Int32
    /// What the browser reads from and writes to.
    let browserReads, browserWrites: Int32

    init() throws(BrowserUnavailable) {
        let toBrowser = try Self.pair()
        do throws(BrowserUnavailable) {
            (answers, browserWrites) = try Self.pair()
        } catch {
            close(toBrowser.own)
            close(toBrowser.other)
            throw error
        }
        (orders, browserReads) = toBrowser
    }

    func closeOwn() {
        close(orders)
        close(answers)
    }

    func closeBrowsers() {
        close(browserReads)
        close(browserWrites)
    }

    /// Two ends that no other program inherits, and that are none of the numbers that the browser expects.
    private static func pair() throws(BrowserUnavailable) -> (own: Int32, other: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let made = socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #else
            let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        #endif
        guard made == 0 else { throw BrowserUnavailable("no pipe: \(String(cString: strerror(errno)))") }
        let other = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
        let code = errno
        close(ends[1])
        guard other >= 0 else {
            close(ends[0])
            throw BrowserUnavailable("no pipe: \(String(cString: strerror(code)))")
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (ends[0], other)
    }
}
