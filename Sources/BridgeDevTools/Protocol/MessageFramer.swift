#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Cuts a stream of bytes into messages, each of which ends with NUL. No I/O.
package struct MessageFramer: Sendable {
    /// There is a message that is longer than any may be. Nothing can be read from this stream any more.
    package struct Overlong: Error, Sendable, Hashable {
        package let limit: Int
    }

    private let limit: Int
    private var partial: [UInt8] = []

    /// - Parameter limit: how long a message may be, without its NUL.
    package init(limit: Int) { self.limit = limit }

    /// Takes the next bytes of the stream.
    ///
    /// - Parameter messages: what has become whole is appended to it, without its NUL; also when an error is thrown.
    package mutating func take(
        _ bytes: UnsafeRawBufferPointer, into messages: inout [[UInt8]]
    ) throws(Overlong) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let end = memchr(start, 0, rest.count).map { UnsafeRawPointer($0) - start }
            let part = rest[..<(end ?? rest.count)]
            // Nothing announces the length of a message: it is counted as it comes.
            guard partial.count + part.count <= limit else {
                partial = []
                throw Overlong(limit: limit)
            }
            partial += part
            guard let end else { return }
            messages.append(partial)
            partial = []
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
    }
}
