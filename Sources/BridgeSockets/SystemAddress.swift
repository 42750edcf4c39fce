// Between `SocketAddress` and the system's structures.

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension IPv4Address {
    init(_ address: in_addr) {
        number = UInt32(bigEndian: address.s_addr)
    }
}

extension IPv6Address {
    init(_ address: in6_addr, scope: UInt32) {
        let (high, low) = withUnsafeBytes(of: address) { bytes in
            (bytes.load(as: UInt64.self), bytes.load(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low), scope: scope)
    }
}

extension in6_addr {
    init(_ address: IPv6Address) {
        self.init()
        withUnsafeMutableBytes(of: &self) { bytes in
            bytes.storeBytes(of: address.high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: address.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
    }
}

extension SocketAddress {
    var family: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// Reads what a system call wrote into `storage`.
    init(_ storage: sockaddr_storage, length: socklen_t) {
        self = withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let address = bytes.load(as: sockaddr_in.self)
                return .ipv4(IPv4Address(address.sin_addr), port: UInt16(bigEndian: address.sin_port))
            case AF_INET6:
                let address = bytes.load(as: sockaddr_in6.self)
                return .ipv6(
                    IPv6Address(address.sin6_addr, scope: address.sin6_scope_id),
                    port: UInt16(bigEndian: address.sin6_port))
            default:
                let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? bytes.count
                let path = bytes[min(start, Int(length))..<min(Int(length), bytes.count)].prefix { $0 != 0 }
                return .unix(path: String(decoding: path, as: UTF8.self))
            }
        }
    }

    /// Hands `body` the system's form; throws when a path does not fit.
    func withSystemAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws(SocketError) -> Result {
        var storage = sockaddr_storage()
        var length = 0
        switch self {
        case .ipv4(let address, let port):
            var system = sockaddr_in()
            system.sin_family = sa_family_t(AF_INET)
            system.sin_port = port.bigEndian
            system.sin_addr.s_addr = address.number.bigEndian
            length = store(system, in: &storage)
        case .ipv6(let address, let port):
            var system = sockaddr_in6()
            system.sin6_family = sa_family_t(AF_INET6)
            system.sin6_port = port.bigEndian
            system.sin6_addr = in6_addr(address)
            system.sin6_scope_id = address.scope
            length = store(system, in: &storage)
        case .unix(let path):
            var system = sockaddr_un()
            system.sun_family = sa_family_t(AF_UNIX)
            let fits = withUnsafeMutableBytes(of: &system.sun_path) { bytes in
                guard !path.isEmpty, path.utf8.count < bytes.count, !path.utf8.contains(0) else { return false }
                bytes.copyBytes(from: path.utf8)
                return true
            }
            guard fits else { throw SocketError.pathTooLong(path) }
            length = store(system, in: &storage)
        }
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }

    private func store<Address>(_ address: Address, in storage: inout sockaddr_storage) -> Int {
        withUnsafeMutableBytes(of: &storage) { target in
            withUnsafeBytes(of: address) { target.copyMemory(from: $0) }
        }
        return MemoryLayout<Address>.size
    }

    /// Calls `getsockname`, `accept` or their like. `nil` when the call fails; `errno` says why.
    static func reading(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> (result: Int32, address: SocketAddress)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
        }
        guard result >= 0 else { return nil }
        return (result, SocketAddress(storage, length: length))
    }
}
