// Addresses as text.

import BridgeSockets
import Testing

@Suite struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:80", true), ("127.255.0.9", "127.255.0.9:80", true),
        ("128.0.0.1", "128.0.0.1:80", false), ("0.0.0.0", "0.0.0.0:80", false), ("::1", "[::1]:80", true),
        ("0:0:0:0:0:0:0:1", "[::1]:80", true), ("::", "[::]:80", false), ("::2", "[::2]:80", false),
        ("::ffff:127.0.0.1", "[::ffff:127.0.0.1]:80", true), ("::ffff:8.8.8.8", "[::ffff:8.8.8.8]:80", false),
        ("1::1", "[1::1]:80", false), ("fe80::1", "[fe80::1]:80", false),
    ])
    func literals(_ literal: String, description: String, isLoopback: Bool) throws {
        let address = try #require(SocketAddress(literal: literal, port: 80))
        #expect(address.description == description)
        #expect(address.isLoopback == isLoopback)
        #expect(address.port == 80)
        #expect(SocketAddress(literal: address.host, port: 80) == address)
    }

    @Test(arguments: ["", "localhost", "127.1", "[::1]", "1.2.3.4.5", "::g", "127.0.0.1:80", "256.0.0.1"])
    func whatIsNoLiteral(_ text: String) {
        #expect(SocketAddress(literal: text, port: 80) == nil)
    }

    @Test func paths() {
        let address = SocketAddress.unix(path: "/tmp/s")
        #expect("\(address)" == "unix:/tmp/s")
        #expect(address.port == nil && address.isLoopback && address.host == "/tmp/s")
    }
}
