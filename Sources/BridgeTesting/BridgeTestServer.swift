internal import BridgeClient
internal import BridgeServer
public import Bridgehead

/// Serves a bridge on a free port while `body` runs.
///
/// ```swift
/// try await withBridge(bridge) { server in
///     let page = try await server.page()
///     let title = try await page.request(GetRandomTitle())
/// }
/// ```
/// Every server has its port, its pages and its recorded calls to itself, so tests may run in parallel, with one
/// bridge or with many.
public func withBridge<Result>(
    _ bridge: Bridge, isolation: isolated (any Actor)? = #isolation,
    _ body: (BridgeTestServer) async throws -> Result
) async throws -> Result {
    let server = try await BridgeTestServer(bridge)
    do {
        let result = try await body(server)
        await server.stop()
        return result
    } catch {
        await server.stop()
        throw error
    }
}

/// A bridge on a free port of this machine, inside the test's process.
public final class BridgeTestServer: Sendable {
    /// The port it got, on 127.0.0.1 and ::1.
    public let port: UInt16
    /// What pages have called, in order.
    public let calls: RecordedCalls
    private let bridge: Bridge
    private let server: BridgeServer

    /// Starts it. Call ``stop()`` at the end, or use ``withBridge(_:isolation:_:)``.
    public init(_ bridge: Bridge) async throws {
        let calls = RecordedCalls()
        var configuration = BridgeServer.Configuration()
        configuration.port = 0
        configuration.drainTimeout = .zero
        configuration.occupiesThread = false
        configuration.traffic = { _, direction, text in
            if direction == .received { calls.record(text) }
        }
        self.bridge = bridge
        self.calls = calls
        server = BridgeServer(bridge, configuration: configuration)
        port = try await server.start().port
    }

    /// `http://127.0.0.1:PORT`, to which paths are appended.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Connects a page. Each is a session of its own.
    public func page(url: String = "about:blank", title: String = "Test page") async throws -> TestPage {
        let endpoint = ClientEndpoint.webSocket(
            host: "127.0.0.1", port: port, authority: "127.0.0.1:\(port)", target: "/_bridge/ws")
        let page = TestPage(session: try await ClientSession.connect(to: endpoint), calls: calls)
        try await page.greet(url: url, title: title)
        return page
    }

    /// Those of `events` that the bridge has no handler for, by name.
    public func eventsWithoutHandler(_ events: [any BridgeEvent.Type]) -> [String] {
        missing(events.map { $0.name })
    }

    /// Those of an enum's events that the bridge has no handler for.
    public func eventsWithoutHandler<Event: CaseIterable & RawRepresentable<String>>(_ events: Event.Type) -> [String] {
        missing(events.allCases.map(\.rawValue))
    }

    /// Ends every page's connection and gives the port back.
    public func stop() async {
        await server.drain()
    }

    private func missing(_ names: [String]) -> [String] {
        let known = bridge.events
        return names.filter { name in !known.contains { JSON($0) == JSON(name) } }
    }
}
