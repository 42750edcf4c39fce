import BridgeServer
import Bridgehead
import ChromiumEngine
import ConnectedEngine
import Foundation
import Observation
import PageEngines
import PageModel
import Testing

/// Pages in a real browser over which native views are put, driven directly or connected.
@MainActor
final class OverlayFixture {
    /// What has the overlays.
    let page: WebPage
    /// The same page as a person has it before them.
    let screen: ChromiumWebView
    private let screenPage: WebPage
    private var server: BridgeServer
    private var configuration = BridgeServer.Configuration()
    private let bridge = Bridge()
    private let pages: ConnectedPages?

    /// - Parameter bodies: of pages, by path; `/` is one.
    init(_ backing: Backing, _ bodies: [String: String], head: String = "") async throws {
        let isConnected = backing == .connected
        let client = isConnected ? "<script src=/_bridge/client.js data-allow-evaluate></script>" : ""
        configuration.port = 0
        configuration.hosts = ["127.0.0.1"]
        configuration.pages = bodies.mapValues { body in
            "<!doctype html><html><head>\(head)<title>x</title>\(client)<style>\(Self.style)</style></head><body>\(body)</body></html>"
        }
        configuration.drainTimeout = .zero
        configuration.occupiesThread = false
        server = BridgeServer(bridge, configuration: configuration)
        configuration.port = try await server.start().port
        let browser = try #require(Browser.shared)
        screen = try await browser.newWebView()
        screenPage = WebPage(screen)
        pages = isConnected ? ConnectedPages(bridge, patience: .seconds(600)) : nil
        let first = URL(string: "http://127.0.0.1:\(configuration.port)/") ?? .temporaryDirectory
        screenPage.load(first)
        if let pages {
            page = WebPage(try await pages.next())
        } else {
            page = screenPage
        }
        await until { self.page.url == self.url("/") && !self.page.isLoading }
    }

    /// So that all numbers are whole.
    private static let style = "body { margin: 0 } p { margin: 0; height: 100px } .long { height: 3000px }"

    func url(_ path: String) -> URL {
        URL(string: "http://127.0.0.1:\(configuration.port)\(path)") ?? URL(filePath: path)
    }

    /// Returns when the page has loaded.
    func open(_ path: String) async {
        page.load(url(path))
        await until { self.page.url == self.url(path) && !self.page.isLoading }
    }

    /// What the page's own script returns.
    @discardableResult
    func look(_ body: String, _ arguments: [String: JavaScriptValue] = [:]) async throws -> JavaScriptValue {
        try await screenPage.callJavaScript(body, arguments: arguments)
    }

    /// Returns when it is so, which has to be something that is observed.
    func until(_ isSo: @escaping @MainActor () -> Bool) async {
        while !isSo() {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = isSo()
                } onChange: {
                    Task { continuation.resume() }
                }
            }
        }
    }

    /// The server ends, and another comes in its place when `meanwhile` is over.
    func restart(_ meanwhile: () async throws -> Void) async throws {
        await server.drain()
        try await meanwhile()
        server = BridgeServer(bridge, configuration: configuration)
        _ = try await server.start()
    }

    func end() async {
        page.close()
        screenPage.close()
        await server.drain()
    }

    /// With a fixture of its own, which is gone afterwards.
    static func with(
        _ backing: Backing, _ bodies: [String: String], head: String = "", _ body: (OverlayFixture) async throws -> Void
    ) async throws {
        let fixture = try await OverlayFixture(backing, bodies, head: head)
        do {
            try await body(fixture)
        } catch {
            await fixture.end()
            throw error
        }
        await fixture.end()
    }
}

/// What a native view has told.
@MainActor
@Observable
final class Told {
    var all: [String] = []
}
