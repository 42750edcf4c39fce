// Connections that were quiet while others were busy.

import BridgeSockets
import Testing

@Suite(.timeLimit(.minutes(5))) struct ParkingTests {
    /// Keeps one connection busy for so many turns that the others count as quiet.
    private func beBusy(_ host: Host) async throws {
        let (client, _) = try await host.pair(server: .echo)
        for turn in 1...1_500 {
            await client.use { $0.write([1]) }
            await client.received(turn)
        }
        await client.use { $0.close() }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func quietConnectionsStirAgain(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let host = try Host(on: loop)
            var quiet: [(client: Peer, server: Peer)] = []
            for _ in 0..<20 { quiet.append(try await host.pair(server: .echo)) }
            for round in 1...2 {
                try await beBusy(host)
                for (client, _) in quiet { await client.use { $0.write([5]) } }
                for (client, _) in quiet { await client.received(round) }
            }
        }
    }

    @Test(arguments: EventLoop.Mode.allCases)
    func quietConnectionsAreWrittenToPausedAndClosed(_ mode: EventLoop.Mode) async throws {
        try await withLoop(mode) { loop in
            let host = try Host(on: loop)
            let written = try await host.pair()
            let flooded = try await host.pair(server: .produce(0), clientPaused: true)
            let paused = try await host.pair()
            let closed = try await host.pair()
            let left = try await host.pair()
            let stopped = try await host.pair()
            try await beBusy(host)

            await written.server.use { $0.write([1]) }
            await written.client.received(1)

            await flooded.client.use { $0.write([UInt8](repeating: 1, count: 24 << 20)) }
            await flooded.server.received(24 << 20)

            await paused.server.use { $0.pauseReading() }
            await paused.client.use { $0.write([1]) }
            for _ in 0..<50 { await loop.sleep(.zero) }
            #expect(await paused.server.seen.byteCount == 0)
            await paused.server.use { $0.resumeReading() }
            await paused.server.received(1)

            await closed.server.use { $0.close() }
            #expect(await closed.server.closeReasons() == [.local])
            await closed.client.endOfInput()

            await left.client.use { $0.close() }
            await left.server.endOfInput()

            loop.stop()
            #expect(await stopped.server.closeReasons() == [.local])
        }
    }
}
