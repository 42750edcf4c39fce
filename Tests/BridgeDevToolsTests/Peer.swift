import BridgeDevTools
import BridgeJSON
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The browser's end of a connection, as a test plays it.
final class Peer: Sendable {
    private struct Input {
        var framer = MessageFramer(limit: 64 << 20)
        var messages: [[UInt8]] = []
    }

    /// What the connection takes.
    let orders, answers: Int32
    private let reads, writes: Int32
    private let input = Mutex(Input())
    private let reading = DispatchQueue(label: "peer.reading")
    private let writing = DispatchQueue(label: "peer.writing")
    private let isOpen = Mutex(true)

    init() throws {
        (orders, reads) = try Self.pair()
        (answers, writes) = try Self.pair()
    }

    deinit { close() }

    func connection(
        longestMessage: Int = 64 << 20, onBroken: (@Sendable () -> Void)? = nil
    ) -> DevToolsConnection {
        DevToolsConnection(reading: answers, writing: orders, longestMessage: longestMessage, onBroken: onBroken)
    }

    /// The next command; nil: there are no more.
    func next() async -> JSON? {
        await withCheckedContinuation { continuation in
            reading.async { [self] in continuation.resume(returning: readOne()) }
        }
    }

    /// Says each of these texts as a message, all in one write; returns when they are on the way.
    func say(_ texts: String...) async { await say(Self.bytes(texts)) }

    static func bytes(_ texts: [String]) -> [UInt8] { texts.flatMap { Array($0.utf8) + [0] } }

    func say(_ bytes: [UInt8]) async {
        await withCheckedContinuation { continuation in
            writing.async { [self] in
                write(bytes)
                continuation.resume()
            }
        }
    }

    /// Whether the connection's ends are open still: it waits for the one by reading, and tries the other.
    func isLeft() async -> Bool {
        while await next() != nil {}
        return await withCheckedContinuation { continuation in
            writing.async { [self] in continuation.resume(returning: write([0])) }
        }
    }

    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        for end in [reads, writes] {
            shutdown(end, Int32(SHUT_RDWR))
            closeDescriptor(end)
        }
    }

    private func readOne() -> JSON? {
        input.withLock { input in
            while input.messages.isEmpty {
                var buffer = [UInt8](repeating: 0, count: 64 << 10)
                let count = read(reads, &buffer, buffer.count)
                guard count > 0 else { return nil }
                buffer.withUnsafeBytes { bytes in
                    try? input.framer.take(UnsafeRawBufferPointer(rebasing: bytes[..<count]), into: &input.messages)
                }
            }
            return try? JSON(parsing: input.messages.removeFirst())
        }
    }

    @discardableResult
    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                #if canImport(Darwin)
                    send(writes, $0.baseAddress, $0.count, 0)
                #else
                    send(writes, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                #endif
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The first does not block.
    private static func pair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let made = socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
            var on: Int32 = 1
            setsockopt(ends[1], SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #else
            let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        #endif
        guard made == 0 else { throw BrowserUnavailable("no socket pair") }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }
}

private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
