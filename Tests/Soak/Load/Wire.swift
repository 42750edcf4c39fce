import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One TCP connection on loopback, used by one thread, and what is to befall it.
package final class Wire {
    /// The connection ends once so many bytes have gone one way, wherever that is in a message.
    package struct Cut: Sendable {
        enum Way: Sendable { case out, `in` }
        var way: Way
        var bytes: Int
        var breaks: Bool
    }

    package enum End: Sendable, Hashable {
        /// This side cut it.
        case cut
        /// The other side ended its output, in order.
        case finished
        /// What it had said may be lost.
        case reset
    }

    private let descriptor: Int32
    private var output: [UInt8] = []
    private var sent = 0
    private var received = 0
    private let cut: Cut?
    private var isHalfClosed = false
    /// Who is told of a reset when sending is not told again when reading: there the other side seems to have finished.
    private var hasFailed = false
    package private(set) var end: End?
    /// Nothing is read meanwhile.
    var isStalled = false

    /// Connects; nil when nobody listens.
    /// - Parameter hasSmallBuffer: the kernels take little for this side while it does not read.
    package init?(port: UInt16, cut: Cut?, hasSmallBuffer: Bool) {
        self.cut = cut
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #else
            // At once: a server that is started by another thread would hold the connection too.
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return nil }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        if hasSmallBuffer {
            var size: Int32 = 8 << 10
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            // The other side's kernel holds so many segments at first: they are to be small.
            var segment: Int32 = 1_000
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_MAXSEG, &segment, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        // Closed by `deinit`, and only there: by a second time the number may be that of another connection.
        guard isConnected else { return nil }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { if end == nil { close(descriptor) } }

    /// In bytes.
    var unsent: Int { output.count }

    /// After a half-close there is nobody who would send it.
    package func write(_ bytes: [UInt8]) {
        if !isHalfClosed { output += bytes }
    }

    /// Sends and receives until something has come, the connection has ended, or the time is over.
    package func pump(_ time: Duration, _ receive: (UnsafeMutableRawBufferPointer) -> Void) {
        let deadline = ContinuousClock.now + time
        while end == nil {
            let rest = max(deadline - .now, .zero)
            let milliseconds = Int32(rest / .milliseconds(1)) + (rest > .zero ? 1 : 0)
            var entry = pollfd(fd: descriptor, events: 0, revents: 0)
            if !isStalled { entry.events |= Int16(POLLIN) }
            if !output.isEmpty { entry.events |= Int16(POLLOUT) }
            _ = poll(&entry, 1, milliseconds)
            let events = Int32(entry.revents)
            if isStalled, events & Int32(POLLERR | POLLHUP) != 0 { isStalled = false }
            if !output.isEmpty, events & Int32(POLLOUT | POLLERR) != 0 { send() }
            if end == nil, !isStalled, events & Int32(POLLIN | POLLERR | POLLHUP) != 0 {
                self.receive(receive)
                return
            }
            if rest == .zero { return }
        }
    }

    private func send() {
        var count = output.count
        if let cut, cut.way == .out { count = min(count, cut.bytes - sent) }
        let done = output.withUnsafeBytes { systemSend(descriptor, $0.baseAddress, count) }
        if done > 0 {
            sent += done
            output.removeFirst(done)
        } else if errno != EAGAIN, errno != EINTR {
            // What the other side said before may still be there to read.
            hasFailed = true
            output = []
        }
        if let cut, cut.way == .out, sent >= cut.bytes { finish(breaking: cut.breaks) }
    }

    private func receive(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var count = buffer.count
        if let cut, cut.way == .in { count = max(min(count, cut.bytes - received), 1) }
        let done = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, count, 0) }
        if done > 0 {
            received += done
            buffer.withUnsafeMutableBytes { body(UnsafeMutableRawBufferPointer(rebasing: $0[..<done])) }
            if let cut, cut.way == .in, received >= cut.bytes { finish(breaking: cut.breaks) }
        } else if done == 0 {
            end(hasFailed ? .reset : .finished)
        } else if errno != EAGAIN, errno != EINTR {
            end(.reset)
        }
    }

    /// Ends this side's output, once what was written is sent; reading goes on.
    package func halfClose() {
        guard end == nil, !isHalfClosed else { return }
        isHalfClosed = true
        output = []
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends the connection now.
    /// - Parameter breaking: with a reset, whatever is under way.
    func finish(breaking: Bool) {
        guard end == nil else { return }
        if breaking {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
        end(.cut)
    }

    private func end(_ reason: End) {
        end = reason
        close(descriptor)
    }
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
        send(descriptor, bytes, count, 0)
    #else
        send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
}
