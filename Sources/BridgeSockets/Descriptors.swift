// The few things done to every descriptor, and where the platforms differ.

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Makes `descriptor` non-blocking and close-on-exec.
func configureDescriptor(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
}

/// Makes `descriptor` what every connected socket is: non-blocking, close-on-exec, without SIGPIPE and Nagle's delay.
func configureConnection(_ descriptor: Int32, family: Int32) {
    configureDescriptor(descriptor)
    #if canImport(Darwin)
        setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
    #endif
    if family != AF_UNIX { setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY) }
}

func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
    var on: Int32 = 1
    setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
}

/// A new stream socket.
func makeSocket(_ address: SocketAddress) throws(SocketError) -> Int32 {
    #if canImport(Darwin)
        let kind = SOCK_STREAM
    #else
        let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(address.family, kind, 0)
    guard descriptor >= 0 else { throw SocketError(call: "socket", address: address, code: errno) }
    return descriptor
}

/// The same socket under another number; `nil` when there is none left.
func duplicateDescriptor(_ descriptor: Int32) -> Int32? {
    let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return duplicate >= 0 ? duplicate : nil
}

func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}

/// The error that waits on a socket, taken; 0 when there is none.
func pendingError(_ descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
}

/// Sends without SIGPIPE; see `send(2)`.
func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
        send(descriptor, bytes.baseAddress, bytes.count, 0)
    #else
        send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
}

func shutdownSending(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_WR))
}

func errorText(_ code: Int32) -> String {
    String(cString: strerror(code))
}

/// Whether a connection may have the next descriptor: a few are left to the rest of the process. libdispatch ends the
/// process when it cannot read its threads' states (`/proc/self/task`), and files have to be opened.
///
/// - Parameter descriptor: any that is open.
func hasDescriptorsToSpare(_ descriptor: Int32) -> Bool {
    // The lowest free number: all below it are taken.
    guard let next = duplicateDescriptor(descriptor) else { return false }
    closeDescriptor(next)
    let limit = descriptorLimit().rlim_cur
    return rlim_t(next) < limit - min(16, limit / 8)
}

#if canImport(Darwin)
    private let descriptorResource = RLIMIT_NOFILE
#else
    private let descriptorResource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#endif

private func descriptorLimit() -> rlimit {
    var limit = rlimit()
    getrlimit(descriptorResource, &limit)
    return limit
}

/// Raises the soft limit of open descriptors to the hard one, at most `ceiling`. Returns the limit that holds then.
@discardableResult
package func raiseDescriptorLimit(to ceiling: Int = 65_536) -> Int {
    let limit = descriptorLimit()
    let wanted = min(limit.rlim_max, rlim_t(ceiling))
    if wanted > limit.rlim_cur {
        // macOS says that there is no hard limit, and takes OPEN_MAX at most.
        for attempt in [wanted, min(wanted, 10_240)] where attempt > limit.rlim_cur {
            var raised = limit
            raised.rlim_cur = attempt
            if setrlimit(descriptorResource, &raised) == 0 { return Int(attempt) }
        }
    }
    return Int(clamping: limit.rlim_cur)
}
