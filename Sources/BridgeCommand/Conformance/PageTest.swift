import BridgeClient
import BridgeConformance
import BridgeServer
import Bridgehead

/// `bridgehead conformance --page`: the native side for a page, which it opens in a browser.
struct PageTest: Sendable {
    let options: ConformanceOptions
    let place: ServingPlace
    /// As given; `bundled` is the page under test that this program has.
    let url: String
    /// nil: as the options say.
    let port: UInt16?
    let browserPath: String?
    let searchPath: String
    let console: Console

    func run() async throws -> ExitCode {
        let browser: PageBrowser
        do throws(BrowserFailure) {
            browser = try PageBrowser(path: browserPath, searchPath: searchPath)
        } catch {
            throw CommandFailure(.unavailable, "No browser: \(error.reason)")
        }
        // However this ends; where nothing can be done any more, the browser obeys the end of its pipe.
        defer { browser.end() }
        let lobby = PageLobby()
        let site = ConformanceSite(file: { ConformanceFiles.contents($0) }, takeSocket: { lobby.enter($0, rest: $1) })
        let served = try await place.serve(site, port: port, allowing: [origin].compactMap(\.self))
        do {
            let code = try await run(browser, lobby, port: served.port)
            await served.server.stop()
            return code
        } catch {
            await served.server.stop()
            throw error
        }
    }

    /// What the page's socket will say it comes from; nil where that is allowed anyway.
    private var origin: String? {
        if url.hasPrefix("file:") { return "null" }
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 2 ? AllowedNames.origin(parts[..<3].joined(separator: "/")) : nil
    }

    private func run(_ browser: PageBrowser, _ lobby: PageLobby, port: UInt16) async throws -> ExitCode {
        let host = "localhost:\(port)"
        let address =
            url == "bundled" ? "http://\(host)/_bridge/conformance/page.html" : url.replacing("{{host}}", with: host)
        let seed = options.seed ?? .random(in: 0..<1 << 32)
        let endpoint = Endpoint(try ClientEndpoint(parsing: "ws://\(host)/_bridge/ws"))
        let run = PageRun(
            url: address, endpoint: endpoint, browser: browser, lobby: lobby, timeout: options.timeout, seed: seed,
            bails: options.bails)
        let claimed: [Profile]?
        do {
            claimed = try await run.claims()
        } catch let failure as StepFailure {
            throw CommandFailure(
                .unavailable,
                "The page \(address) was opened, but \(failure.message): it has to connect to ws://\(host)/_bridge/ws and send $/hello."
            )
        } catch let failure as BrowserFailure {
            throw CommandFailure(.unavailable, "The browser cannot open \(address): \(failure.reason).")
        }
        let profiles = options.shownProfiles(claimed ?? [.core])
        let all = try VectorFile.embedded().flatMap(\.vectors)
        let vectors = all.filter { $0.role == .page && profiles.contains($0.profile) && options.wants($0) }
        guard !vectors.isEmpty else { throw options.nothingWanted(of: profiles) }
        var output = ConformanceOutput(console, options.format, count: vectors.count)
        let start = ContinuousClock.now
        let results = await run.run(vectors) { output.take($0, $1) }
        try Task.checkCancellation()
        let report = Report(
            target: address, profiles: profiles, seed: seed, duration: start.duration(to: .now), results: results,
            vectors: all)
        output.finish(report)
        return report.counts.failed == 0 ? .success : .failure
    }
}
