import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where a server writes down what it carries out, before anybody can know of it; see ``ServerLedger`` for the lines. What
/// was written stays, however the process ends.
final class LedgerFile: Sendable {
    struct CannotOpen: Error {}

    private let descriptor: Int32
    private let handlers = Atomic(0)
    private let calls = Atomic(0)

    init(appendingTo path: String) throws(CannotOpen) {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CannotOpen() }
    }

    deinit { close(descriptor) }

    var pending: (handlers: Int, calls: Int) {
        (handlers.load(ordering: .acquiring), calls.load(ordering: .acquiring))
    }

    /// A handler has begun.
    func begin(_ message: SoakMessage) {
        handlers.add(1, ordering: .acquiringAndReleasing)
        append("x \(message.tag) \(message.number)\n")
    }

    func end() {
        handlers.subtract(1, ordering: .acquiringAndReleasing)
    }

    func beginCall(_ message: SoakMessage) {
        calls.add(1, ordering: .acquiringAndReleasing)
        append("c \(message.tag) \(message.number)\n")
    }

    func endCall(_ message: SoakMessage, _ outcome: String) {
        append("r \(message.tag) \(message.number) \(outcome)\n")
        calls.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// The server has drained.
    func finish(pages: Int) {
        append("e \(pending.handlers) \(pending.calls) \(pages)\n")
    }

    private func append(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            // Short lines are appended whole.
            _ = write(descriptor, bytes.baseAddress, bytes.count)
        }
    }
}
