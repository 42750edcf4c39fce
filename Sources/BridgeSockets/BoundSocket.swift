// Binding and listening.

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A descriptor that listens, not yet in anybody's care.
struct BoundSocket {
    /// The kernel cuts it to its own maximum.
    private static let backlog: Int32 = 4096

    let descriptor: Int32
    let address: SocketAddress
    let file: SocketFile?

    init(_ address: SocketAddress) throws(SocketError) {
        let descriptor = try makeSocket(address)
        do throws(SocketError) {
            configureDescriptor(descriptor)
            if case .unix = address {} else { setOption(descriptor, SOL_SOCKET, SO_REUSEADDR) }
            if case .ipv6 = address { setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
            file = try Self.bind(descriptor, to: address)
            guard listen(descriptor, Self.backlog) == 0 else {
                throw SocketError(call: "listen", address: address, code: errno)
            }
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.address = SocketAddress.reading { getsockname(descriptor, $0, $1) }?.address ?? address
    }

    private static func bind(_ descriptor: Int32, to address: SocketAddress) throws(SocketError) -> SocketFile? {
        guard case .unix(let path) = address else {
            try bindOnce(descriptor, address)
            return nil
        }
        do throws(SocketError) {
            try bindOnce(descriptor, address)
        } catch .addressInUse where SocketFile.isDead(address, path: path) {
            unlink(path)
            try bindOnce(descriptor, address)
        }
        // Nobody can connect before listen(2), so nobody does with the mode that the umask gave.
        guard chmod(path, 0o600) == 0 else {
            let code = errno
            unlink(path)
            throw SocketError(call: "chmod", address: address, code: code)
        }
        return SocketFile(path: path)
    }

    private static func bindOnce(_ descriptor: Int32, _ address: SocketAddress) throws(SocketError) {
        let code = try address.withSystemAddress { pointer, length in
            systemBind(descriptor, pointer, length) == 0 ? 0 : errno
        }
        guard code == 0 else { throw SocketError(call: "bind", address: address, code: code) }
    }
}

private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    bind(descriptor, address, length)
}

/// The file of a Unix-domain listener.
struct SocketFile {
    private let path: String
    private let device: dev_t
    private let number: ino_t

    /// `nil` when there is no file.
    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.path = path
        device = status.st_dev
        number = status.st_ino
    }

    /// Removes the file, unless another has taken its place.
    func unlink() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == number else { return }
        remove(path)
    }

    /// Whether the file at `path` is a socket that nobody listens on.
    static func isDead(_ address: SocketAddress, path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        guard let descriptor = try? makeSocket(address) else { return false }
        defer { closeDescriptor(descriptor) }
        configureDescriptor(descriptor)
        let code = try? address.withSystemAddress { connect(descriptor, $0, $1) == 0 ? 0 : errno }
        return code == ECONNREFUSED
    }
}
