import BridgeServer
import BridgeSockets
import Bridgehead
import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct StartTests {
    private func start(
        _ configure: (inout BridgeServer.Configuration) -> Void
    ) async throws(BridgeServer.StartFailure) -> BridgeServer {
        var configuration = BridgeServer.Configuration()
        configuration.port = 0
        configure(&configuration)
        let server = BridgeServer(Bridge(), configuration: configuration)
        _ = try await server.start()
        return server
    }

    @Test("Port 0 is one port on 127.0.0.1 and ::1, both answer at once")
    func anyPort() async throws {
        try await TestServer.run { server in
            #expect(server.port > 0)
            #expect(server.addresses.web.contains("127.0.0.1:\(server.port)"))
            for literal in ["127.0.0.1", "::1"] {
                guard server.addresses.web.contains(where: { $0.contains(literal) }) else { continue }
                let address = try #require(SocketAddress(literal: literal, port: server.port))
                let client = try await RawClient.connect(address)
                let host = literal == "::1" ? "[::1]:\(server.port)" : "\(literal):\(server.port)"
                #expect(try await client.request("GET /_bridge/health", host: host).status == 200)
            }
        }
    }

    @Test("Who serves by library is told what went wrong, a line each, whatever a page put into it")
    func warnings() async throws {
        struct Forgets: BridgeEvent { static let name = "forgets" }
        let bridge = Bridge()
        bridge.on(Forgets.self) { _, _, _ in }
        let lines = Box<[String]>([])
        let configure: @Sendable (inout BridgeServer.Configuration) -> Void = { configuration in
            configuration.log = nil
            configuration.warn = { line in lines.update { $0.append(line) } }
        }
        try await TestServer.run(bridge, configure) { server in
            let client = try await server.webSocket()
            await client.send(#"{"requestId":1,"eventName":"forgets"}"#)
            _ = try await client.next()
            await client.send(#"{"requestId":2,"eventName":"fo\nrgets\u001b[2J"}"#)
            _ = try await client.next()
        }
        #expect(lines.value.contains { $0.hasPrefix("error ") && $0.contains("event=forgets") })
        #expect(lines.value.contains { $0.hasPrefix("warning ") && $0.contains("no handler") })
        #expect(lines.value.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
    }

    @Test("A port in use is a failure of its own, that names it")
    func portInUse() async throws {
        try await TestServer.run { server in
            let port = server.port
            await #expect(throws: BridgeServer.StartFailure.portInUse(port)) { try await start { $0.port = port } }
            await #expect(throws: BridgeServer.StartFailure.portInUse(port)) { try await start { $0.linesPort = port } }
            #expect("\(BridgeServer.StartFailure.portInUse(port))".contains("\(port)"))
            // What was bound before the failure was given back.
            let client = try await server.client()
            #expect(try await client.request("GET /_bridge/health").status == 200)
        }
    }

    @Test("What others can reach needs a token")
    func token() async throws {
        for host in ["0.0.0.0", "::"] {
            await #expect(throws: BridgeServer.StartFailure.tokenNeeded(host: host)) {
                try await start { $0.hosts = [host] }
            }
        }
        let server = try await start {
            $0.hosts = ["0.0.0.0"]
            $0.token = "t"
        }
        await server.stop()
        await (try await start { $0.hosts = ["127.0.0.1"] }).stop()
        await (try await start { $0.hosts = ["localhost"] }).stop()
    }

    @Test("A host that is no address, and a root that is no folder")
    func wrong() async throws {
        await #expect(throws: BridgeServer.StartFailure.self) { try await start { $0.hosts = ["no such"] } }
        for root in ["/nonexistent", "/etc/passwd"] {
            await #expect(throws: BridgeServer.StartFailure.rootIsNoFolder(root)) { try await start { $0.root = root } }
        }
    }

    @Test("A server starts once, and stops as often as wanted")
    func once() async throws {
        let server = try await start { _ in }
        await #expect(throws: BridgeServer.StartFailure.startedBefore) { try await server.start() }
        await server.stop()
        await server.stop()
        await server.drain()
    }

    @Test("The Unix-domain socket has mode 0600, and goes with the server")
    func unixSocket() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "bh-\(UUID().uuidString.prefix(8))").path
        try await TestServer.run(behaviourBridge(), { $0.unixPath = path }) { server in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            await #expect(throws: BridgeServer.StartFailure.unixPathInUse(path)) {
                try await start { $0.unixPath = path }
            }
            let client = LinesClient(raw: try await RawClient.connect(.unix(path: path)))
            await client.send(#"{"requestId":1,"eventName":"echo"}"#)
            #expect(try await client.next() == #"{"requestId":1,"response":{}}"#)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

/// Not serialized: that is the point.
@Suite(.timeLimit(.minutes(5)))
struct ManyServersTests {
    @Test("Hundreds of servers that keep no thread run at once")
    func many() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let everybody = Gate()
            let arrived = Box(0)
            for _ in 0..<200 {
                group.addTask {
                    try await TestServer.run(behaviourBridge(), { $0.occupiesThread = false }) { server in
                        let client = try await server.client()
                        #expect(try await client.request("GET /_bridge/health").status == 200)
                        arrived.update {
                            $0 += 1
                            // All of them are there at this moment.
                            if $0 == 200 { for _ in 0..<200 { everybody.open() } }
                        }
                        await everybody.passed()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
