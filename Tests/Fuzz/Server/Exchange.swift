#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One connection to loopback: sends everything, ends its side, and reads until the server has ended its own.
struct Exchange {
    /// What came.
    private(set) var received: [UInt8] = []
    /// Whether the server ended the connection by a reset: some of what it said may be lost then.
    private(set) var wasReset = false

    init(port: UInt16, sending pieces: [ArraySlice<UInt8>]) throws(FuzzFault) {
        let descriptor = socket(AF_INET, streamKind, 0)
        try require(descriptor >= 0, "no descriptor is left for a client (errno \(errno))")
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try require(connected == 0, "the server takes no connection (errno \(errno))")
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        try require(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, "the socket keeps blocking")
        try run(descriptor, pieces)
    }

    private mutating func run(_ descriptor: Int32, _ pieces: [ArraySlice<UInt8>]) throws(FuzzFault) {
        var pieces = pieces[...]
        var isOpen = true
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if isOpen, pieces.isEmpty {
                shutdown(descriptor, Int32(SHUT_WR))
                isOpen = false
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN) | (isOpen ? Int16(POLLOUT) : 0), revents: 0)
            try require(poll(&entry, 1, 30_000) > 0, "the server neither reads nor answers nor ends the connection")
            if isOpen, entry.revents & Int16(POLLOUT) != 0, let piece = pieces.popFirst() {
                let sent = piece.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
                if sent > 0, sent < piece.count { pieces = [piece.dropFirst(sent)] + pieces }
                // It has ended its side: what it said before that is still to be read.
                if sent < 0, errno != EAGAIN { pieces = [] } else if sent < 0 { pieces = [piece] + pieces }
            }
            guard entry.revents & ~Int16(POLLOUT) != 0 else { continue }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                received += buffer[..<count]
            } else if count == 0 {
                return
            } else if errno != EAGAIN {
                wasReset = true
                return
            }
        }
    }
}

#if canImport(Darwin)
    private let streamKind = SOCK_STREAM
    private let noSignal: Int32 = 0
#else
    private let streamKind = Int32(SOCK_STREAM.rawValue)
    private let noSignal = Int32(MSG_NOSIGNAL)
#endif
