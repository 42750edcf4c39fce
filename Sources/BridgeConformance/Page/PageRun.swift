import BridgeClient
import BridgeJSON

/// Runs the vectors that test a page, one after the other: each in a tab of its own.
package struct PageRun: Sendable {
    /// What a browser may take to open a page and connect, on a machine that has other things to do.
    package static let loadingTime = Duration.seconds(20)

    /// Why a page cannot be tested.
    package struct Silence: Error, Sendable {
        package let reason: String
        package let waited: Duration
        /// Errors on its console.
        package let complaints: [String]
    }

    package let url: String
    package let endpoint: Endpoint
    package let timeout: Duration
    package let seed: UInt64
    package let bails: Bool
    private let browser: PageBrowser
    private let lobby: PageLobby

    /// - Parameters:
    ///   - url: where the page is.
    ///   - endpoint: where the runner listens for it.
    package init(
        url: String, endpoint: Endpoint, browser: PageBrowser, lobby: PageLobby, timeout: Duration, seed: UInt64,
        bails: Bool
    ) {
        self.url = url
        self.endpoint = endpoint
        self.browser = browser
        self.lobby = lobby
        self.timeout = timeout
        self.seed = seed
        self.bails = bails
    }

    /// Opens the page once, and asks what it claims.
    ///
    /// - Returns: nil when it does not say.
    /// - Throws: `Silence` when it does not connect, `BrowserFailure` when it cannot be opened.
    package func claims() async throws -> [String]? {
        let patience = max(timeout, Self.loadingTime)
        let tab = try await browser.openWatched(url, timeout: patience)
        let channel: PageChannel
        do throws(StepFailure) {
            channel = try await PageChannel.connect(lobby, expecting: [], within: patience)
        } catch {
            let complaints = tab.complaints
            await tab.close()
            throw Silence(reason: error.message, waited: patience, complaints: complaints)
        }
        var claimed: [String]?
        let question: JSON = ["eventName": "conformance.profiles", "requestId": 1]
        if (try? await channel.send(Array(question.text.utf8), chop: nil)) != nil {
            var wait = Wait(patience)
            while case .message(let text) = await channel.next(&wait) {
                guard let answer = Arrived(text).json, answer["requestId"]?.int == 1 else { continue }
                claimed = answer["response"]?.claimedProfiles
                break
            }
        }
        await channel.close()
        await tab.close()
        await lobby.clear()
        return claimed
    }

    package func run(_ vectors: [Vector], onResult: (Int, VectorResult) -> Void) async -> [VectorResult] {
        var results: [VectorResult] = []
        var hasFailed = false
        for vector in vectors {
            let result: VectorResult
            if Task.isCancelled || bails && hasFailed {
                result = VectorResult(
                    skipped: vector, reason: bails && hasFailed ? ConformanceRun.bailed : VectorResult.interrupted)
            } else {
                let job = Job(vector: vector, endpoint: endpoint, limit: nil)
                let runner = VectorRunner(job: job, timeout: timeout, seed: seed) { context in
                    PageDriver(context, browser: browser, lobby: lobby, url: url)
                }
                result = await runner.run()
            }
            if case .failed = result.outcome { hasFailed = true }
            onResult(results.count, result)
            results.append(result)
        }
        return results
    }
}
