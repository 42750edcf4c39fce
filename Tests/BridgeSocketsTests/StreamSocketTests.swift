// Connected sockets, on both kinds of loop.

import BridgeSockets
import Testing

@Suite(.timeLimit(.minutes(5))) struct StreamSocketTests {
    @Test(arguments: EventLoop.Mode.allCases)
    func whatIsWrittenArrives(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let (client, server) = try await Host(on: loop).pair(server: .echo)
            await client.use { socket in
                socket.write(Array("one ".utf8))
                socket.withOutput { $0 += "two ".utf8 }
                Array("three".utf8).withUnsafeBytes { socket.write($0) }
                #expect(socket.unsentBytes == 13)
            }
            let seen = await client.received(13)
            #expect(seen.bytes == Array("one two three".utf8))
            #expect(await client.unsentBytes == 0)
            let addresses = await client.use { ($0.localAddress, $0.peerAddress) }
            let mirrored = await server.use { ($0.peerAddress, $0.localAddress) }
            #expect(mirrored == addresses)
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func whatIsWrittenBetweenEventsIsSentToo(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let (client, server) = try await Host(on: loop).pair()
            loop.after(.milliseconds(1)) { server.assumeIsolated { $0.socket.write([1]) } }
            await client.received(1)
            loop.execute { server.assumeIsolated { $0.socket.write([2]) } }
            await client.received(2)
            await server.use { $0.write([3]) }
            #expect(await client.received(3).bytes == [1, 2, 3])
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func aSlowReaderHoldsTheWriterBackAndLosesNothing(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let total = 24 << 20
            let (client, server) = try await Host(on: loop).pair(server: .produce(total), clientPaused: true)
            await loop.barrier()
            #expect(await server.unsentBytes > 0)
            #expect(await client.seen.byteCount == 0)
            await client.use { $0.resumeReading() }
            let seen = await client.endOfInput()
            #expect(seen.byteCount == total)
            #expect(seen.bytes == Peer.pattern(0, total))
            #expect(await server.seen.drains > 0)
            #expect(await server.mostUnsent < (1 << 20) + 100_001)
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func aFloodBothWaysIsBounded(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let total = 24 << 20
            let (client, server) = try await Host(on: loop).pair(
                client: .produce(total), server: .echo, clientPaused: true)
            await server.received(1 << 20)
            await client.use { $0.resumeReading() }
            #expect(await client.endOfInput().byteCount == total)
            // What is above the owner's limit when it stops reading is at most what one turn reads.
            #expect(await server.mostUnsent <= (1 << 20) + 65_536)
            #expect(await client.closeReasons() == [.finished])
            #expect(await server.closeReasons() == [.finished])
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func eitherSideMayEndItsOutputFirst(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let host = try Host(on: loop)
            for clientFirst in [true, false] {
                let (client, server) = try await host.pair()
                let (first, second) = clientFirst ? (client, server) : (server, client)
                await first.use { socket in
                    socket.write([1, 2])
                    socket.shutdownWrite()
                    socket.write([3])  // Dropped: output has ended.
                }
                #expect(await second.endOfInput().bytes == [1, 2])
                await second.use { $0.write([4, 5]) }
                #expect(await first.received(2).closed.isEmpty)
                await second.use { $0.shutdownWrite() }
                #expect(await first.closeReasons() == [.finished])
                #expect(await second.closeReasons() == [.finished])
                let isClosed = await second.use { $0.isClosed }
                #expect(isClosed)
            }
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func closingWithUnreadInputIsAResetForTheOther(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let (client, server) = try await Host(on: loop).pair(clientPaused: true)
            await server.use { $0.write([1, 2, 3]) }
            await loop.barrier()
            await client.use { $0.close() }
            #expect(await client.closeReasons() == [.local])
            #expect(await server.closeReasons() == [.reset])
        }
    }

    /// Only poll(2) tells of a socket that is not being read.
    @Test func aResetIsNoticedWhileReadingIsPausedOrOver() async throws {
        try await withLoop(.poll) { loop in
            let host = try Host(on: loop)
            let (client, paused) = try await host.pair(clientPaused: true, serverPaused: true)
            await paused.use { $0.write([1]) }
            await loop.barrier()
            await client.use { $0.close() }
            #expect(await paused.closeReasons() == [.reset])

            let (other, ended) = try await host.pair(clientPaused: true)
            await other.use { $0.shutdownWrite() }
            await ended.endOfInput()
            await ended.use { $0.write([1]) }
            await loop.barrier()
            await other.use { $0.close() }
            #expect(await ended.closeReasons() == [.reset])
        }
    }

    @Test(arguments: EventLoop.Mode.allCases, [false, true])
    func writingToAPeerThatIsGoneClosesAndRaisesNoSignal(_ mode: EventLoop.Mode, unix: Bool) async throws {
        try await withLoop(mode) { loop in
            let directory = try TemporaryDirectory()
            let host = unix ? try Host(.unix(path: directory.path("s")), on: loop) : try Host(on: loop)
            let (client, server) = try await host.pair()
            await client.use { $0.close() }
            await server.endOfInput()
            while await server.seen.closed.isEmpty {
                await server.use { $0.write([UInt8](repeating: 1, count: 100_000)) }
            }
            #expect(await server.seen.closed == [.reset])
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func pausedReadingDeliversNothingUntilResumed(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let (client, server) = try await Host(on: loop).pair()
            await client.use { $0.write([1]) }
            await server.received(1)
            await server.use { $0.pauseReading() }
            let isPaused = await server.use { $0.isReadingPaused }
            #expect(isPaused)
            await client.use { socket in
                socket.write([2])
                socket.shutdownWrite()
            }
            for _ in 0..<50 { await loop.sleep(.zero) }
            #expect(await server.seen.byteCount == 1)
            await server.use { $0.resumeReading() }
            let seen = await server.endOfInput()
            #expect(seen.bytes == [1, 2])
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func theLastBytesArriveThoughInputIsFlooding(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let (client, server) = try await Host(on: loop).pair(serverPaused: true)
            await client.use { socket in
                socket.write([UInt8](repeating: 0, count: 16 << 20))
                socket.shutdownWrite()
            }
            await server.use { socket in
                socket.write([7, 8, 9])
                socket.closeAfterFlush()
                socket.write([10])  // Dropped.
            }
            #expect(await client.endOfInput().bytes == [7, 8, 9])
            #expect(await client.closeReasons() == [.finished])
            #expect(await server.closeReasons() == [.local])
            let seen = await server.seen
            #expect(seen.byteCount == 0 && !seen.isInputEnded)
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func lingeringEndsWhenThePeerNeverDoes(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let host = try Host(on: loop)
            // One that neither reads nor ends, with more for it than the kernel takes, and one that only never ends.
            for unread in [24 << 20, 1] {
                let (_, server) = try await host.pair(clientPaused: true)
                await server.use { socket in
                    socket.write([UInt8](repeating: 1, count: unread))
                    socket.closeAfterFlush(lingering: .milliseconds(20))
                }
                #expect(await server.closeReasons() == [.local])
            }
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func aSilentPeerIsWaitedForAsLongAsItMayRest(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let host = try Host(on: loop)
            for begins in [[], [Duration.seconds(3600)]] {
                let (client, server) = try await host.pair()
                await server.use { socket in
                    socket.write([1, 2])
                    for rest in begins { socket.closeAfterFlush(lingering: .seconds(3600), rest: rest) }
                }
                // What was begun so patiently can end sooner.
                #expect(await client.received(2).bytes == [1, 2])
                await server.use { $0.closeAfterFlush(lingering: .seconds(3600), rest: .milliseconds(20)) }
                #expect(await server.closeReasons() == [.local])
            }
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func stoppingTheLoopClosesEverySocketOnce(_ mode: EventLoop.Mode) async throws {
        let loop = try EventLoop(mode)
        let (client, server) = try await Host(on: loop).pair()
        loop.stop()
        #expect(await client.closeReasons() == [.local])
        #expect(await server.closeReasons() == [.local])
        await #expect(throws: SocketError.loopStopped) {
            try await StreamSocket.connect(to: .ipv4(.loopback, port: 1), on: loop)
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func aThousandConnectionsAreServed(_ mode: EventLoop.Mode) async throws {
        raiseDescriptorLimit()
        try await withLoop(mode) { loop in
            let host = try Host(on: loop)
            var clients: [Peer] = []
            for _ in 0..<1_000 { clients.append(try await host.pair(server: .echo).client) }
            for (number, client) in clients.enumerated() { await client.use { $0.write(Peer.pattern(number, 300)) } }
            for (number, client) in clients.enumerated() {
                #expect(await client.received(300).bytes == Peer.pattern(number, 300))
            }
        }
    }
}
