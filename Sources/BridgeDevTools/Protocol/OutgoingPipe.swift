#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Dispatch
import Synchronization

/// Writes messages whole and in order, and blocks nobody: what does not fit now is written when there is room.
final class OutgoingPipe: Sendable {
    private struct State {
        var isClosed = false
        /// What is still to be written: from `offset` in the message at `first` on.
        var messages: [[UInt8]] = []
        var first = 0
        var offset = 0
        /// Runs while there is something to be written. Made when it is needed first, which for most is never.
        var source: (any DispatchSourceWrite)?
        var isRunning = false
    }

    private let descriptor: Int32
    private let queue: DispatchQueue
    private let onBroken, onClosed: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - descriptor: a socket that does not block; closed with this.
    ///   - onBroken: called on the queue when nobody reads any more.
    ///   - onClosed: called once when the descriptor is closed.
    init(
        _ descriptor: Int32, queue: DispatchQueue, onBroken: @escaping @Sendable () -> Void,
        onClosed: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.queue = queue
        self.onBroken = onBroken
        self.onClosed = onClosed
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit { close() }

    /// From any thread. Dropped once it is closed.
    func write(_ message: [UInt8]) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.messages.append(message)
            if !state.isRunning { flush(&state) }
        }
    }

    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            state.messages = []
            guard let source = state.source else {
                closeDescriptor(descriptor)
                return onClosed()
            }
            // libdispatch wants no suspended source when it ends, and the descriptor until it has forgotten it.
            source.setCancelHandler { [descriptor, onClosed] in
                closeDescriptor(descriptor)
                onClosed()
            }
            if !state.isRunning { source.resume() }
            source.cancel()
            state.source = nil
        }
    }

    private func flush(_ state: inout State) {
        while state.first < state.messages.count {
            let count = state.messages[state.first].withUnsafeBytes {
                send(UnsafeRawBufferPointer(rebasing: $0[state.offset...]))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return waitForRoom(&state) }
            guard count >= 0 else {
                state.messages = []
                state.first = 0
                state.offset = 0
                queue.async { [onBroken] in onBroken() }
                break
            }
            state.offset += count
            if state.offset == state.messages[state.first].count {
                state.messages[state.first] = []
                state.first += 1
                state.offset = 0
            }
        }
        state.messages.removeAll(keepingCapacity: state.messages.count < 64)
        state.first = 0
        if state.isRunning {
            state.isRunning = false
            state.source?.suspend()
        }
    }

    private func waitForRoom(_ state: inout State) {
        guard !state.isRunning else { return }
        state.isRunning = true
        if state.source == nil {
            let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [weak self] in
                self?.state.withLock { if !$0.isClosed, $0.isRunning { self?.flush(&$0) } }
            }
            state.source = source
        }
        state.source?.resume()
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #else
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }
}

func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
