// The two loopback addresses, on one port.

/// Listeners on 127.0.0.1 and ::1 with the same port.
package struct LoopbackListeners: Sendable {
    /// Pairs that are tried for port 0 before the last failure is thrown.
    private static let attempts = 64

    package let port: UInt16
    package let ipv4: Listener
    /// `nil` on a machine that has no ::1.
    package let ipv6: Listener?

    package var all: [Listener] { [ipv4] + (ipv6.map { [$0] } ?? []) }

    /// Binds both. Port 0 is any that is free on both. Throws `addressInUse`, with the address, when either is taken.
    package init(port: UInt16, on loop: EventLoop) throws(SocketError) {
        var (ipv4, ipv6) = (try Listener(.ipv4(.loopback, port: port), on: loop), Listener?.none)
        var attempt = 1
        while true {
            do throws(SocketError) {
                ipv6 = try Listener(.ipv6(.loopback, port: ipv4.address.port ?? port), on: loop)
                break
            } catch .addressUnavailable {
                break
            } catch {
                guard port == 0, attempt < Self.attempts else { throw error }
                attempt += 1
                ipv4 = try Listener(.ipv4(.loopback, port: 0), on: loop)
            }
        }
        self.port = ipv4.address.port ?? port
        self.ipv4 = ipv4
        self.ipv6 = ipv6
    }
}
