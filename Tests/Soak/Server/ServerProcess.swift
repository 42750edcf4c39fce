import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A server of the soak: this executable once more, as a process of its own.
///
/// Spawned without Foundation, whose `Process` keeps descriptors of those that have ended.
final class ServerProcess: Sendable {
    struct DidNotStart: Error {}

    let port: UInt16
    let linesPort: UInt16
    let identifier: Int32
    let ledger: URL
    /// The child's standard input: when this process is gone, the server notices here.
    private let lifeline: Int32
    /// Noted before it was told to drain.
    private let drained = Mutex<ContinuousClock.Instant?>(nil)
    private let hasEnded = Atomic(false)

    var draining: Draining {
        guard let begin = drained.withLock({ $0 }) else { return .notBegun }
        return ContinuousClock.now - begin < Serve.drainTimeout ? .begun : .timedOut
    }

    /// Whether it was told to drain: connections may end from then on.
    var isDraining: Bool { draining != .notBegun }

    init(executable: URL, ledger: URL) throws(DidNotStart) {
        self.ledger = ledger
        let (input, output) = (Self.pipe(), Self.pipe())
        lifeline = input.write
        identifier = Self.spawn(
            [executable.path, "--serve", ledger.path], input: input.read, output: output.write)
        close(input.read)
        close(output.write)
        // It says its ports with one write, or ends.
        var line = [UInt8](repeating: 0, count: 100)
        let count = max(read(output.read, &line, line.count), 0)
        close(output.read)
        let ports = String(decoding: line[..<count], as: UTF8.self).split { !$0.isNumber }.compactMap { UInt16($0) }
        guard ports.count == 2 else {
            close(lifeline)
            if identifier > 0 { waitpid(identifier, nil, 0) }
            throw DidNotStart()
        }
        (port, linesPort) = (ports[0], ports[1])
    }

    /// Tells it to drain and waits until its process has ended.
    /// - Returns: what was wrong with its end.
    func drain() -> String? {
        guard !hasEnded.exchange(true, ordering: .sequentiallyConsistent) else { return nil }
        defer { close(lifeline) }
        var status: Int32 = 0
        guard waitpid(identifier, &status, WNOHANG) == 0 else {
            return "the server \(identifier) ended by itself: \(Self.text(of: status))"
        }
        drained.withLock { $0 = .now }
        kill(identifier, SIGTERM)
        // Counted, not timed: two minutes, and longer where this process comes to nothing either.
        var naps = 12_000
        while waitpid(identifier, &status, WNOHANG) == 0 {
            naps -= 1
            guard naps > 0 else {
                kill(identifier, SIGKILL)
                waitpid(identifier, &status, 0)
                return "the server \(identifier) did not end within two minutes of SIGTERM"
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return status == 0 ? nil : "the server \(identifier) ended with \(Self.text(of: status))"
    }

    /// Its memory and descriptors now; nil where they are not told.
    var figures: Figures? { Figures(process: "\(identifier)") }

    /// wait(2)'s macros are not there for Swift.
    private static func text(of status: Int32) -> String {
        status & 0x7F == 0 ? "exit code \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
    }

    private static func pipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        _ = systemPipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// - Returns: the child's number; 0 when there is none.
    private static func spawn(_ arguments: [String], input: Int32, output: Int32) -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        let words = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        return posix_spawn(&child, arguments[0], &actions, nil, words + [nil], environ) == 0 ? child : 0
    }
}

private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
