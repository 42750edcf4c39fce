import BridgeClient
import BridgeConformance
import BridgeDevTools
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
    let locator: BrowserLocator
    let console: Console

    func run() async throws -> ExitCode {
        let browser = try openBrowser()
        // However this ends; where nothing can be done any more, the browser obeys the end of its pipe.
        return try await ending(browser) {
            try await serving { lobby, port in try await run(browser, lobby, port: port) }
        }
    }

    private func ending<Result>(_ browser: PageBrowser, after body: () async throws -> Result) async throws -> Result {
        do {
            let result = try await body()
            await browser.end()
            return result
        } catch {
            await browser.end()
            throw error
        }
    }

    /// The bundled page's results, as part of a larger run: several vectors at a time, each in a place of its own.
    ///
    /// - Parameter onResult: called with each result as it comes, and the place of its vector.
    func results(
        _ vectors: [Vector], seed: UInt64, onResult: (Int, VectorResult) -> Void
    ) async throws -> [VectorResult] {
        func skipAll(_ reason: String) -> [VectorResult] {
            let results = vectors.map { VectorResult(skipped: $0, reason: reason) }
            for (index, result) in results.enumerated() { onResult(index, result) }
            return results
        }
        if Task.isCancelled { return skipAll(VectorResult.interrupted) }
        let browser: PageBrowser
        do {
            browser = try openBrowser()
        } catch let failure as CommandFailure {
            return skipAll(failure.message)
        }
        return try await ending(browser) { try await results(vectors, seed: seed, browser, onResult: onResult) }
    }

    private func results(
        _ vectors: [Vector], seed: UInt64, _ browser: PageBrowser, onResult: (Int, VectorResult) -> Void
    ) async throws -> [VectorResult] {
        let (arriving, arrivals) = AsyncStream.makeStream(of: (Int, VectorResult).self)
        var results: [Int: VectorResult] = [:]
        let work = Task {
            defer { arrivals.finish() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<Self.lanes {
                    group.addTask {
                        let places = Array(stride(from: lane, to: vectors.count, by: Self.lanes))
                        try await serving { lobby, port in
                            let run = try pageRun(browser, lobby, port: port, seed: seed)
                            _ = await run.run(places.map { vectors[$0] }) { arrivals.yield((places[$0], $1)) }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        await withTaskCancellationHandler {
            for await (index, result) in arriving {
                results[index] = result
                onResult(index, result)
            }
        } onCancel: {
            work.cancel()
        }
        if !Task.isCancelled { try await work.value }
        _ = await work.result
        return vectors.indices.map { index in
            if let result = results[index] { return result }
            let result = VectorResult(skipped: vectors[index], reason: VectorResult.interrupted)
            onResult(index, result)
            return result
        }
    }

    /// Enough to hide the loading of pages behind one another.
    private static let lanes = 4

    private func openBrowser() throws -> PageBrowser {
        do throws(BrowserFailure) {
            return try PageBrowser(path: browserPath, locator: locator)
        } catch {
            throw CommandFailure(.unavailable, "No browser: \(error.reason)")
        }
    }

    private func serving<Result: Sendable>(
        _ body: (PageLobby, UInt16) async throws -> Result
    ) async throws -> Result {
        let lobby = PageLobby()
        var site = MountedSite(.conformance) { ConformanceFiles.contents($0) }
        site.takeSocket = { lobby.enter($0, rest: $1) }
        let served = try await place.serve(site, port: port, allowing: [origin].compactMap(\.self))
        do {
            let result = try await body(lobby, served.port)
            await served.server.stop()
            return result
        } catch {
            await served.server.stop()
            throw error
        }
    }

    private func pageRun(
        _ browser: PageBrowser, _ lobby: PageLobby, port: UInt16, seed: UInt64
    ) throws -> PageRun {
        let host = "localhost:\(port)"
        return PageRun(
            url: url == "bundled"
                ? "http://\(host)/_bridge/conformance/page.html" : url.replacing("{{host}}", with: host),
            endpoint: Endpoint(try ClientEndpoint(parsing: "ws://\(host)/_bridge/ws")), browser: browser, lobby: lobby,
            timeout: options.timeout, seed: seed, bails: options.bails)
    }

    /// What the page's socket will say it comes from; nil where that is allowed anyway.
    private var origin: String? {
        if url.hasPrefix("file:") { return "null" }
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 2 ? AllowedNames.origin(parts[..<3].joined(separator: "/")) : nil
    }

    private func explanation(of silence: PageRun.Silence, at address: String, port: UInt16) -> String {
        let isTold = url.contains("{{host}}")
        var text = """
            The page \(address) was opened, but \(silence.reason) within \(silence.waited.inWords): it has to connect to \
            ws://localhost:\(port)/_bridge/ws and send $/hello.
            Does it load a client of the bridge, \(isTold ? "with the host in its URL" : "and know this address, which {{host}} in the URL would tell it")?
            """
        if silence.complaints.isEmpty {
            text += "\nIts console shows no error."
        } else {
            text += "\nIts console shows:"
            for complaint in silence.complaints { text += "\n  \(LogLine.printable(complaint))" }
        }
        return text
    }

    private func run(_ browser: PageBrowser, _ lobby: PageLobby, port: UInt16) async throws -> ExitCode {
        let seed = options.seed ?? .random(in: 0..<1 << 32)
        let run = try pageRun(browser, lobby, port: port, seed: seed)
        let address = run.url
        let claimed: [String]?
        do {
            claimed = try await run.claims()
        } catch let silence as PageRun.Silence {
            throw CommandFailure(.unavailable, explanation(of: silence, at: address, port: port))
        } catch let failure as BrowserFailure {
            throw CommandFailure(.unavailable, "The browser cannot open \(address): \(failure.reason).")
        }
        let profiles = options.profiles(of: "The page", claimed: claimed) {
            console.write("Warning: \($0)", to: .error)
        }
        let all = try VectorFile.embedded().flatMap(\.vectors)
        let vectors = all.filter { $0.role == .page && profiles.contains($0.profile) && options.wants($0) }
        guard !vectors.isEmpty else { throw options.nothingWanted(of: profiles) }
        var output = ConformanceOutput(console, options.format, count: vectors.count)
        let start = ContinuousClock.now
        let results = await run.run(vectors) { output.take($0, $1) }
        return output.finish(
            Report(
                target: address, profiles: profiles, seed: seed, duration: start.duration(to: .now), results: results,
                vectors: all))
    }
}
