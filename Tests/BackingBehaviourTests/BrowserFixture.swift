import BridgeDevTools
import BridgeServer
import Bridgehead
import ChromiumEngine
import ConnectedEngine
import Foundation
import Observation
import PageEngines
import PageModel
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A page in a real browser, which is driven directly, or connected through the client that its pages have.
@MainActor
final class BrowserFixture: Fixture {
    let page: WebPage
    private let browserPage: WebPage
    private var server: BridgeServer
    private let bridge = Bridge()
    private var configuration = BridgeServer.Configuration()
    private let port: UInt16
    private let folder: URL
    private let silence: Silence
    let nobody: URL
    private let pages: ConnectedPages?

    /// - Parameter patience: for a page that goes away.
    init(_ browser: ChromiumBrowser, isConnected: Bool, patience: Duration = .seconds(600)) async throws {
        silence = try Silence()
        let gone = try Silence()
        gone.close()
        nobody = URL(string: "http://127.0.0.1:\(gone.port)/") ?? URL(filePath: "/nobody")
        folder = URL.temporaryDirectory.appending(path: "bridgehead-behaviour-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let client = isConnected ? "<script src=/_bridge/client.js data-allow-evaluate></script>" : ""
        for (name, title) in [("a", "A"), ("b", "B"), ("p", "P")] {
            try Data("<!doctype html><title>\(title)</title>\(client)<p>\(title)</p>".utf8)
                .write(to: folder.appending(path: "\(name).html"))
        }
        try Data("<!doctype html><title>C</title><script src=/_bridge/client.js></script>".utf8)
            .write(to: folder.appending(path: "closed.html"))
        configuration.port = 0
        configuration.root = folder.path()
        configuration.drainTimeout = .zero
        configuration.occupiesThread = false
        server = BridgeServer(bridge, configuration: configuration)
        port = try await server.start().port
        configuration.port = port
        browserPage = WebPage(try await browser.newWebView())
        let url = URL(string: "http://127.0.0.1:\(port)/a.html") ?? .temporaryDirectory
        if isConnected {
            let pages = ConnectedPages(bridge, patience: patience)
            self.pages = pages
            browserPage.load(url)
            page = WebPage(try await pages.next())
        } else {
            pages = nil
            page = browserPage
            page.load(url)
        }
        while page.title != "A" || page.isLoading { await changed() }
    }

    /// The server ends, and another comes in its place when `meanwhile` is over.
    func restart(_ meanwhile: () async throws -> Void) async throws {
        await server.drain()
        try await meanwhile()
        server = BridgeServer(bridge, configuration: configuration)
        _ = try await server.start()
    }

    func closeTab() { browserPage.close() }

    /// Returns when the title, or whether the page loads, has changed.
    private func changed() async {
        await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = (page.title, page.isLoading)
            } onChange: {
                Task { continuation.resume() }
            }
        }
    }

    func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(filePath: path) }

    var slow: URL { URL(string: "http://127.0.0.1:\(silence.port)/slow") ?? URL(filePath: "/slow") }

    func act(_ act: PageAct) async throws {
        let script =
            switch act {
            case .push(let path): "history.pushState(null, '', '\(path)')"
            case .replace(let path): "history.replaceState(null, '', '\(path)')"
            case .hash(let fragment): "location.hash = '\(fragment)'"
            case .go(let offset): "history.go(\(offset))"
            case .title(let title): "document.title = '\(title)'"
            case .visit(let path): "void setTimeout(() => location.assign('\(path)'))"
            case .visitInPlace(let path): "void setTimeout(() => location.replace('\(path)'))"
            }
        _ = try await page.evaluateJavaScript("\(script); 0")
    }

    func post(_ body: JavaScriptValue, to handler: String) async throws -> String {
        let answer = try await page.callJavaScript(
            "try { return { value: await webkit.messageHandlers[name].postMessage(body) } } catch (e) { return { error: String(e) } }",
            arguments: ["name": .string(handler), "body": body])
        if let error = answer["error"]?.string { return "rejected \(error)" }
        return "fulfilled \((answer["value"] ?? .undefined).text)"
    }

    func end() async {
        page.close()
        browserPage.close()
        await server.drain()
        silence.close()
        try? FileManager.default.removeItem(at: folder)
    }
}

/// A port at which connections are taken and nothing is ever said.
private struct Silence {
    let port: UInt16
    private let socket: Int32

    init() throws {
        #if canImport(Darwin)
            socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #else
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (socket, size) = (socket, length)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, size) == 0 && listen(socket, 16) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        try #require(isListening)
        port = UInt16(bigEndian: address.sin_port)
    }

    func close() {
        #if canImport(Darwin)
            Darwin.close(socket)
        #else
            Glibc.close(socket)
        #endif
    }
}
