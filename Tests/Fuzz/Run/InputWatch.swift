import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Knows the input that is being checked, so that it is not lost when checking it kills the process or never ends.
///
/// One a process: it takes the signals that a trap raises.
package final class InputWatch: Sendable {
    /// Written by the thread that checks; read by a signal's handler, which is that thread too, and by the timer.
    private static let capacity = 1 << 20
    // Only ever used through the pointers it holds, whose memory is never freed.
    fileprivate nonisolated(unsafe) static let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: capacity, alignment: 8)
    fileprivate static let size = Atomic(0)
    // As above: the name of the target.
    fileprivate nonisolated(unsafe) static let name = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 32, alignment: 1)
    fileprivate static let nameSize = Atomic(0)
    private static let looks = Atomic(0)

    /// Watches until the process ends.
    /// - Parameter limit: seconds that one input may take.
    package init(limit: Int = 30) {
        Thread.detachNewThread {
            var (last, seconds) = (0, 0)
            while true {
                sleep(1)
                let now = Self.looks.load(ordering: .relaxed)
                seconds = now == last && now > 0 ? seconds + 1 : 0
                last = now
                if seconds >= limit {
                    sayInput("HANG")
                    _exit(70)
                }
            }
        }
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            var action = sigaction()
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = { died(of: $0) }
            #else
                action.__sigaction_handler.sa_handler = { died(of: $0) }
            #endif
            // A stack that has run over cannot be used for this.
            action.sa_flags = Int32(SA_ONSTACK) | Int32(bitPattern: UInt32(SA_RESETHAND))
            sigaction(signal, &action, nil)
        }
    }

    func begin(_ target: String) {
        let bytes = target.utf8.prefix(Self.name.count)
        Self.name.copyBytes(from: bytes)
        Self.nameSize.store(bytes.count, ordering: .relaxed)
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
        stack.ss_size = 1 << 16
        sigaltstack(&stack, nil)
    }

    func end() { Self.looks.store(0, ordering: .relaxed) }

    func look(at input: [UInt8]) {
        let count = min(input.count, Self.capacity)
        Self.memory.copyBytes(from: input.prefix(count))
        Self.size.store(count, ordering: .relaxed)
        Self.looks.add(1, ordering: .relaxed)
    }
}

private func died(of signal: Int32) {
    sayInput("CRASH")
    raise(signal)
}

/// Writes the input in hexadecimal digits, with nothing that a signal's handler must not do.
private func sayInput(_ what: StaticString) {
    write(2, what.utf8Start, what.utf8CodeUnitCount)
    let again: StaticString = "; again: BridgeFuzz --target "
    write(2, again.utf8Start, again.utf8CodeUnitCount)
    write(2, InputWatch.name.baseAddress, InputWatch.nameSize.load(ordering: .relaxed))
    let option: StaticString = " --input "
    write(2, option.utf8Start, option.utf8CodeUnitCount)
    let digits: StaticString = "0123456789abcdef"
    for index in 0..<InputWatch.size.load(ordering: .relaxed) {
        let byte = InputWatch.memory[index]
        write(2, digits.utf8Start + Int(byte >> 4), 1)
        write(2, digits.utf8Start + Int(byte & 15), 1)
    }
    let end: StaticString = "\n"
    write(2, end.utf8Start, 1)
}
