// Where a socket is: values, and their text.

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The address of one end of a socket.
package enum SocketAddress: Hashable, Sendable {
    case ipv4(IPv4Address, port: UInt16)
    case ipv6(IPv6Address, port: UInt16)
    /// Empty for the end of a Unix-domain connection that has no path.
    case unix(path: String)

    /// The address that `literal` writes (`127.0.0.1`, `::1`, no brackets); `nil` for a name.
    package init?(literal: String, port: UInt16) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, literal, &v4) == 1 {
            self = .ipv4(IPv4Address(v4), port: port)
        } else if inet_pton(AF_INET6, literal, &v6) == 1 {
            self = .ipv6(IPv6Address(v6, scope: 0), port: port)
        } else {
            return nil
        }
    }

    /// `nil` for a Unix-domain address.
    package var port: UInt16? {
        switch self {
        case .ipv4(_, let port), .ipv6(_, let port): port
        case .unix: nil
        }
    }

    /// The address without port and brackets; the path of a Unix-domain address.
    package var host: String {
        switch self {
        case .ipv4(let address, _): address.description
        case .ipv6(let address, _): address.description
        case .unix(let path): path
        }
    }

    /// Whether only this machine can reach it: 127.0.0.0/8, also as `::ffff:127.…`, `::1` and every path.
    package var isLoopback: Bool {
        switch self {
        case .ipv4(let address, _): address.isLoopback
        case .ipv6(let address, _): address.isLoopback
        case .unix: true
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// `127.0.0.1:7357`, `[::1]:7357`, `unix:/path`.
    package var description: String {
        switch self {
        case .ipv4(let address, let port): "\(address):\(port)"
        case .ipv6(let address, let port): "[\(address)]:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// An IPv4 address, as a number in host order.
package struct IPv4Address: Hashable, Sendable, CustomStringConvertible {
    let number: UInt32

    package static let loopback = IPv4Address(number: 0x7f00_0001)
    package static let any = IPv4Address(number: 0)

    var isLoopback: Bool { number >> 24 == 127 }

    package var description: String {
        "\(number >> 24).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
    }
}

/// An IPv6 address, as two numbers in host order, with the number of its zone (0: none).
package struct IPv6Address: Hashable, Sendable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64
    let scope: UInt32

    package static let loopback = IPv6Address(high: 0, low: 1, scope: 0)
    package static let any = IPv6Address(high: 0, low: 0, scope: 0)

    var isLoopback: Bool {
        high == 0
            && (low == 1 || low >> 32 == 0xffff && IPv4Address(number: UInt32(truncatingIfNeeded: low)).isLoopback)
    }

    package var description: String {
        var address = in6_addr(self)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        let end = text.firstIndex(of: 0) ?? text.endIndex
        let literal = String(decoding: text[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return scope == 0 ? literal : "\(literal)%\(scope)"
    }
}
