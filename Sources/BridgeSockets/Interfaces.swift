// The addresses under which other machines reach this one.

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension SocketAddress {
    /// Whether a listener on it takes connections to every address of its family.
    package var isWildcard: Bool {
        switch self {
        case .ipv4(let address, _): address == .any
        case .ipv6(let address, _): address == .any
        case .unix: false
        }
    }

    /// The address itself, or what a wildcard stands for: the addresses of this machine's interfaces, without loopback and
    /// those that mean something on one link only.
    package var reachable: [SocketAddress] {
        guard isWildcard else { return [self] }
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [SocketAddress] = []
        for interface in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let interface = interface?.pointee, let address = interface.ifa_addr,
                Int32(address.pointee.sa_family) == family, interface.ifa_flags & UInt32(IFF_UP) != 0
            else { continue }
            var storage = sockaddr_storage()
            let length =
                family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: length))
            }
            let own = SocketAddress(storage, length: socklen_t(length)).with(port: port ?? 0)
            if !own.isLoopback, !own.isLinkLocal, !found.contains(own) { found.append(own) }
        }
        return found
    }

    package func with(port: UInt16) -> SocketAddress {
        switch self {
        case .ipv4(let address, _): .ipv4(address, port: port)
        case .ipv6(let address, _): .ipv6(address, port: port)
        case .unix: self
        }
    }

    private var isLinkLocal: Bool {
        switch self {
        case .ipv4(let address, _): address.number >> 16 == 0xA9FE
        case .ipv6(let address, _): address.high >> 54 == 0x3FA
        case .unix: false
        }
    }
}
