import BridgeSoak
import Foundation
import Synchronization
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How a connection ended decides what may have been lost.
@Suite struct WireTests {
    /// A connection to a listener of its own, and the listener's end of it.
    private struct Connection {
        struct Failed: Error {}

        let wire: Wire
        let peer: Int32
        /// Of the listener, which is closed again.
        let port: UInt16

        init() throws {
            #if canImport(Darwin)
                let listener = socket(AF_INET, SOCK_STREAM, 0)
            #else
                let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #endif
            defer { systemClose(listener) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isListening = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && listen(listener, 1) == 0
                        && getsockname(listener, $0, &length) == 0
                }
            }
            port = UInt16(bigEndian: address.sin_port)
            guard isListening, let wire = Wire(port: port, cut: nil, hasSmallBuffer: false) else { throw Failed() }
            self.wire = wire
            peer = accept(listener, nil, nil)
        }

        /// Closes the listener's end.
        func close(breaking: Bool) {
            var option = linger(l_onoff: breaking ? 1 : 0, l_linger: 0)
            setsockopt(peer, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            systemClose(peer)
        }

        func readToTheEnd() {
            while wire.end == nil { wire.pump(.seconds(1)) { _ in } }
        }
    }

    @Test func theOtherSideFinishes() throws {
        let connection = try Connection()
        connection.close(breaking: false)
        connection.readToTheEnd()
        #expect(connection.wire.end == .finished)
    }

    @Test(arguments: [false, true]) func theOtherSideBreaks(whileThisSends: Bool) throws {
        let connection = try Connection()
        connection.close(breaking: true)
        if whileThisSends { connection.wire.write([1]) }
        connection.readToTheEnd()
        #expect(connection.wire.end == .reset)
    }

    /// A descriptor that is closed twice is somebody else's the second time.
    @Test func whoIsNotListenedToClosesOnce() throws {
        let connection = try Connection()
        connection.close(breaking: false)
        let isOver = Atomic(false)
        let intruders = Atomic(0)
        let opened = DispatchSemaphore(value: 0)
        Thread {
            while !isOver.load(ordering: .relaxed) {
                let other = dup(STDERR_FILENO)
                if systemClose(other) != 0 { intruders.add(1, ordering: .relaxed) }
            }
            opened.signal()
        }.start()
        for _ in 0..<5_000 { #expect(Wire(port: connection.port, cut: nil, hasSmallBuffer: false) == nil) }
        isOver.store(true, ordering: .relaxed)
        opened.wait()
        #expect(intruders.load(ordering: .relaxed) == 0)
    }

    /// What is said after a half-close goes nowhere, and says nothing of the other side.
    @Test func theOtherSideFinishesAfterAHalfClose() throws {
        let connection = try Connection()
        connection.wire.halfClose()
        connection.wire.write([1])
        connection.close(breaking: false)
        connection.readToTheEnd()
        #expect(connection.wire.end == .finished)
    }
}

@discardableResult
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
