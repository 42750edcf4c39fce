internal import BridgeServer
internal import Bridgehead

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where the pages of a test come from.
public struct TestSite: Sendable {
    private enum Source: Sendable {
        case bundled
        case pages([String: String])
        case folder(String)
        case server(String)
    }

    private let source: Source

    /// Bridgehead's own demo pages: `/`, `/pages/…`.
    public static let demo = TestSite(source: .bundled)

    /// Pages by the path that each is at, `["/a": "<title>A</title>"]`: HTML unless the name's ending says otherwise. They are
    /// served on a free port, beside the JavaScript client (`/_bridge/client.js`). A path begins with `/`, and has no `?` and
    /// no `#`: the same page answers whatever query there is.
    public static func pages(_ texts: [String: String]) -> TestSite { TestSite(source: .pages(texts)) }

    /// The files of a folder, served likewise.
    public static func folder(_ path: String) -> TestSite { TestSite(source: .folder(path)) }

    /// A server that runs already, such as `http://localhost:5173`.
    public static func server(_ url: String) -> TestSite { TestSite(source: .server(url)) }

    /// Serves it while `body` runs, and tells that its URL, to which paths are appended.
    func serve<Result: Sendable>(
        _ bridge: Bridge, isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Result
    ) async throws -> Result {
        var configuration = BridgeServer.Configuration()
        configuration.port = 0
        configuration.hosts = ["127.0.0.1"]
        configuration.drainTimeout = .zero
        configuration.occupiesThread = false
        switch source {
        case .server(let url): return try await body(url.hasSuffix("/") ? String(url.dropLast()) : url)
        case .bundled: break
        case .pages(let texts):
            if let path = texts.keys.sorted().first(where: { !$0.hasPrefix("/") || $0.contains { "?#".contains($0) } })
            {
                throw BridgeTestFailure(
                    "the site has a page at \"\(path)\", which nothing asks for: a path begins with / and has no ? or #"
                )
            }
            configuration.pages = texts
        case .folder(let path): configuration.root = path
        }
        let server = BridgeServer(bridge, configuration: configuration)
        let port = try await server.start().port
        do {
            let result = try await body("http://127.0.0.1:\(port)")
            await server.drain()
            return result
        } catch {
            await server.drain()
            throw error
        }
    }
}
