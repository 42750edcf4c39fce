#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Dispatch
import Synchronization

/// Reads messages as they come.
final class IncomingPipe: Sendable {
    enum Reading {
        /// Nothing more is there now.
        case paused
        /// More may be there.
        case more
        /// Nothing more will come.
        case closed
        /// What comes cannot be read: why.
        case broken(String)
    }

    private struct State {
        var framer: MessageFramer
        var source: (any DispatchSourceRead)?
    }

    private let descriptor: Int32
    private let state: Mutex<State>

    /// - Parameter descriptor: does not block; closed with this.
    init(_ descriptor: Int32, longestMessage: Int) {
        self.descriptor = descriptor
        state = Mutex(State(framer: MessageFramer(limit: longestMessage)))
    }

    deinit { close() }

    /// Calls `ready` on the queue whenever there is something to be read.
    ///
    /// - Parameter onClosed: called once when the descriptor is closed.
    func start(
        on queue: DispatchQueue, ready: @escaping @Sendable () -> Void, onClosed: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler(handler: ready)
            source.setCancelHandler { [descriptor] in
                closeDescriptor(descriptor)
                onClosed()
            }
            state.source = source
            source.resume()
        }
    }

    /// Reads once.
    ///
    /// - Parameter messages: what has become whole is appended to it.
    func read(into messages: inout [[UInt8]]) -> Reading {
        state.withLock { state in
            guard state.source != nil else { return .paused }
            return withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
                #if canImport(Darwin)
                    let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
                #else
                    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                #endif
                if count < 0, errno == EINTR { return .more }
                if count < 0, errno == EAGAIN { return .paused }
                guard count > 0 else { return .closed }
                do throws(MessageFramer.Overlong) {
                    try state.framer.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &messages)
                    return .more
                } catch {
                    return .broken("the browser sent a message of more than \(error.limit) bytes")
                }
            }
        }
    }

    func close() {
        state.withLock { state in
            state.source?.cancel()
            state.source = nil
        }
    }
}
