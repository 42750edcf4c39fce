import Foundation
import Synchronization

/// Collects what a descriptor says and hands out its lines.
final class Reader: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var lines: [String] = []
        var hasEnded = false
        var isClosed = false
        var waiters: [(matches: @Sendable (String) -> Bool, continuation: CheckedContinuation<String, any Error>)] = []
    }

    private let state = Mutex(State())
    private let ended = Latch<Void>()
    private let descriptor: Int32
    private let handle: FileHandle

    /// - Parameter begins: called once on the reader's own thread, when the first bytes have come: at once, however many
    ///   tests wait for their turn.
    init(_ handle: FileHandle, begins: (@Sendable () -> Void)? = nil) {
        self.handle = handle
        descriptor = handle.fileDescriptor
        let thread = Thread { [self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var begins = begins
            // Once closed, the number may be another pipe's, whose bytes are not to be taken.
            while !state.withLock({ $0.isClosed }) {
                let count = read(descriptor, &buffer, buffer.count)
                if count > 0 {
                    begins.take()?()
                    take(buffer[..<count])
                } else if count == 0 || errno != EINTR {
                    break
                }
            }
            finish()
        }
        thread.start()
    }

    var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    func end() async { await ended.value }

    func close() {
        state.withLock { $0.isClosed = true }
        try? handle.close()
    }

    func line(where matches: @escaping @Sendable (String) -> Bool) async throws -> String {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    if let index = state.lines.firstIndex(where: matches) {
                        continuation.resume(returning: state.lines.remove(at: index))
                    } else if state.hasEnded || Task.isCancelled {
                        let text = String(decoding: state.bytes, as: UTF8.self)
                        continuation.resume(throwing: Tool.Missing(description: "no such line in: \(text)"))
                    } else {
                        state.waiters.append((matches, continuation))
                    }
                }
            }
        } onCancel: {
            giveUp()
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        state.withLock { state in
            let start = state.bytes.lastIndex(of: 10).map { $0 + 1 } ?? 0
            state.bytes += bytes
            guard let end = state.bytes.lastIndex(of: 10), end >= start else { return }
            // Bytes, since CR LF, which terminals write, is one Character.
            for piece in state.bytes[start..<end].split(separator: 10, omittingEmptySubsequences: false) {
                let line = String(decoding: piece.last == 13 ? piece.dropLast() : piece, as: UTF8.self)
                if let index = state.waiters.firstIndex(where: { $0.matches(line) }) {
                    state.waiters.remove(at: index).continuation.resume(returning: line)
                } else {
                    state.lines.append(line)
                }
            }
        }
    }

    private func finish() {
        state.withLock { $0.hasEnded = true }
        giveUp()
        ended.set(())
    }

    private func giveUp() {
        let (waiters, text) = state.withLock { state in
            defer { state.waiters = [] }
            return (state.waiters, String(decoding: state.bytes, as: UTF8.self))
        }
        for waiter in waiters {
            waiter.continuation.resume(throwing: Tool.Missing(description: "no such line in: \(text)"))
        }
    }
}

/// A value that comes once and stays.
final class Latch<Value: Sendable>: Sendable {
    private let state = Mutex<(value: Value?, waiters: [CheckedContinuation<Value, Never>])>((nil, []))

    func set(_ value: Value) {
        let waiters = state.withLock { state in
            state.value = value
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state in
                    if state.value == nil { state.waiters.append(continuation) }
                    return state.value
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }
}

/// Two ends of a pseudo-terminal.
struct Terminal: Sendable {
    let outside: Int32
    let inside: Int32

    init() throws {
        #if canImport(Darwin)
            outside = posix_openpt(O_RDWR | O_NOCTTY)
            guard outside >= 0, grantpt(outside) == 0, unlockpt(outside) == 0, let name = ptsname(outside) else {
                throw Tool.Missing(description: "this machine has no pseudo-terminals")
            }
            inside = open(name, O_RDWR | O_NOCTTY)
        #else
            // glibc hides the functions above from Swift; this is what they do. TIOCSPTLCK, TIOCGPTN: ioctl_tty(2).
            outside = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var unlocked: Int32 = 0
            var number: Int32 = 0
            guard outside >= 0, ioctl(outside, 0x4004_5431, &unlocked) == 0, ioctl(outside, 0x8004_5430, &number) == 0
            else { throw Tool.Missing(description: "this machine has no pseudo-terminals") }
            inside = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        #endif
    }
}
