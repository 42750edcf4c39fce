import BridgeServer
import Bridgehead

/// Where a conformance run listens, by the rules of `serve`: loopback, or beyond it with a token.
struct ServingPlace: Sendable {
    let serving: ServeCommand

    struct Served: Sendable {
        let server: BridgeServer
        let port: UInt16
        /// Where browsers find it, each with a slash at its end.
        let urls: [String]
        /// Goes behind a path of the URLs, where there is a token to show.
        let query: String
    }

    /// - Parameter port: nil: as the options say.
    func serve(_ site: MountedSite, port: UInt16? = nil, allowing origins: [String] = []) async throws -> Served {
        var configuration = serving.configuration()
        if let port { configuration.port = port }
        configuration.servesConformance = false
        configuration.sites = [site]
        configuration.allowedOrigins += origins
        configuration.log = BridgeLog.none
        configuration.drainTimeout = .seconds(1)
        if serving.options.isExposed, configuration.token == nil { configuration.token = ServeCommand.newToken() }
        let (server, addresses) = try await serving.start(configuration)
        let token = serving.shownToken(configuration.token)
        let pages = StartPages(serving.options, port: addresses.port, token: nil)
        return Served(
            server: server, port: addresses.port, urls: pages.network + (pages.local.map { [$0] } ?? []),
            query: token.map { "?token=\($0)" } ?? "")
    }
}
