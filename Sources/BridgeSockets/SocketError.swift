// Why a socket could not be had, or was lost.

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A failure of the system's socket calls, by what the caller can do about it.
package enum SocketError: Error, Hashable, Sendable {
    /// Someone listens there already, or a file that is no dead socket is in the way.
    case addressInUse(SocketAddress)
    /// This machine does not have the address.
    case addressUnavailable(SocketAddress)
    case permissionDenied(SocketAddress)
    case connectionRefused(SocketAddress)
    /// There is nothing at the path to connect to, or no folder for the socket to be made in.
    case noSuchPath(SocketAddress)
    case unreachable(SocketAddress)
    case timedOut(SocketAddress)
    /// `reason` is the resolver's text.
    case unknownHost(String, reason: String)
    /// A socket's path has to fit in the 107 bytes (macOS: 103) of `sockaddr_un`, and cannot be empty.
    case pathTooLong(String)
    /// The process (EMFILE), the system (ENFILE) or the kernel's memory is at its limit.
    case noDescriptors
    /// The event loop was stopped.
    case loopStopped
    /// The task that waited was cancelled.
    case cancelled
    /// Any other: the call and its `errno`.
    case system(call: String, code: Int32)

    init(call: String, code: Int32) {
        switch code {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: self = .noDescriptors
        default: self = .system(call: call, code: code)
        }
    }

    init(call: String, address: SocketAddress, code: Int32) {
        switch code {
        case EADDRINUSE: self = .addressInUse(address)
        case EADDRNOTAVAIL, EAFNOSUPPORT: self = .addressUnavailable(address)
        case EACCES, EPERM: self = .permissionDenied(address)
        case ECONNREFUSED: self = .connectionRefused(address)
        case ENOENT, ENOTDIR: self = .noSuchPath(address)
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN: self = .unreachable(address)
        case ETIMEDOUT: self = .timedOut(address)
        default: self.init(call: call, code: code)
        }
    }
}

extension SocketError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .addressInUse(let address): "\(address) is in use"
        case .addressUnavailable(let address): "\(address) is no address of this machine"
        case .permissionDenied(let address): "\(address): permission denied"
        case .connectionRefused(let address): "\(address) refused the connection"
        case .noSuchPath(let address): "\(address): no such file or folder"
        case .unreachable(let address): "\(address) cannot be reached"
        case .timedOut(let address): "\(address) did not answer in time"
        case .unknownHost(let host, let reason): "\(host): \(reason)"
        case .pathTooLong(let path): "\"\(path)\" is empty or too long for the path of a socket"
        case .noDescriptors: "no descriptors left (EMFILE)"
        case .loopStopped: "the event loop was stopped"
        case .cancelled: "it was cancelled"
        case .system(let call, let code): "\(call): \(errorText(code))"
        }
    }
}
