// The pipe that ends a blocking poll(2).

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A pipe of which one end is polled; a byte in it wakes the loop.
final class WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(SocketError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SocketError(call: "pipe", code: errno) }
        readEnd = ends[0]
        writeEnd = ends[1]
        configureDescriptor(readEnd)
        configureDescriptor(writeEnd)
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// A full pipe is as good as one more byte.
    func wake() {
        var byte: UInt8 = 1
        while write(writeEnd, &byte, 1) < 0, errno == EINTR {}
    }

    func drain() {
        var bytes: (UInt64, UInt64) = (0, 0)
        while read(readEnd, &bytes, 16) < 0, errno == EINTR {}
    }
}
