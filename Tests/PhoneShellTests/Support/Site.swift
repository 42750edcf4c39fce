import BridgeHTTP
import BridgeServer
import Bridgehead
import Foundation

/// A server of pages on a free port, for the time of a closure; below `/_bridge/conformance/` with these fields.
@MainActor
func withSite<Result: Sendable>(
    _ pages: [String: String] = ["/": "page"], fields: HTTPFields = HTTPFields(),
    _ body: @MainActor (_ origin: String) async throws -> Result
) async throws -> Result {
    var configuration = BridgeServer.Configuration()
    configuration.port = 0
    configuration.drainTimeout = .zero
    configuration.occupiesThread = false
    configuration.pages = pages
    var site = MountedSite(.conformance) { _ in Array("framed".utf8) }
    site.fields = fields
    configuration.sites = [site]
    let server = BridgeServer(Bridge(), configuration: configuration)
    let port = try await server.start().port
    do {
        let result = try await body("http://localhost:\(port)")
        await server.stop()
        return result
    } catch {
        await server.stop()
        throw error
    }
}
