import BridgeDevTools
import BridgeJSON
import ChromiumEngine
import Foundation
import PageEngines
import PageModel

/// A `WebPage` in a real browser, beside what the browser itself costs.
@MainActor
struct PageMeasurements {
    let options: Options
    private static let trips = 200

    nonisolated init(options: Options) {
        self.options = options
    }

    /// `callJavaScript("return a + b")`, as a share of a bare round trip of the DevTools protocol that does the same.
    func call() async throws -> Result {
        let browser = try await ChromiumBrowser()
        let page = WebPage(try await browser.newWebView())
        try await load(page)
        let bare = try await BarePage()
        let trip: @MainActor @Sendable () async throws -> Void = {
            let sum = try await page.callJavaScript("return a + b", arguments: ["a": 1, "b": 2])
            guard sum == .number(3) else { throw BenchmarkError("1 + 2 is \(sum)") }
        }
        var ratios: [Double] = []
        for round in 0...options.rounds * 2 {
            let ours = try await seconds(trip)
            let theirs = try await seconds { try await bare.call() }
            // The first round warms both up.
            if round > 0 { ratios.append(ours / theirs) }
        }
        page.close()
        await browser.close()
        await bare.browser.end()
        return Result("page call", "x bare DevTools", ratios, target: 2)
    }

    /// From nothing to the first event of a page's load, beside a bare browser that has its first page.
    func start() async throws -> [Result] {
        var ours: [Double] = []
        var theirs: [Double] = []
        for _ in 0..<options.rounds {
            ours.append(
                try await milliseconds {
                    let browser = try await ChromiumBrowser()
                    let page = WebPage(try await browser.newWebView())
                    try await load(page)
                    return { await browser.close() }
                })
            theirs.append(
                try await milliseconds {
                    let bare = try await BarePage()
                    return { await bare.browser.end() }
                })
        }
        return [
            Result("page start", "ms", ours), Result(" … a bare Chromium", "ms", theirs),
            Result(" … as a share", "x bare Chromium", zip(ours, theirs).map { $0 / $1 }),
        ]
    }

    private func load(_ page: WebPage) async throws {
        var changes = page.urlChanges.filter(\.isCommitted).makeAsyncIterator()
        guard let url = URL(string: "data:text/html,<title>x</title>") else { return }
        page.load(url)
        guard await changes.next() != nil else { throw BenchmarkError("the page did not load") }
    }

    private func seconds(_ trip: @MainActor @Sendable () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        for _ in 0..<Self.trips { try await trip() }
        return start.duration(to: .now) / .seconds(1)
    }

    /// - Parameter body: returns what ends it, which is not measured.
    private func milliseconds(_ body: () async throws -> () async -> Void) async throws -> Double {
        let start = ContinuousClock.now
        let end = try await body()
        let duration = start.duration(to: .now) / .milliseconds(1)
        await end()
        return duration
    }
}

/// A page of a browser with nothing around it but the connection.
private struct BarePage {
    let browser: DevToolsBrowser
    private let session: String
    private let context: JSON

    init() async throws {
        browser = try DevToolsBrowser(path: BrowserLocator().find())
        let connection = browser.connection
        let target = try await connection.send("Target.createTarget", ["url": "about:blank"])["targetId"] ?? .null
        let attached = try await connection.send("Target.attachToTarget", ["targetId": target, "flatten": true])
        session = attached["sessionId"]?.string ?? ""
        let window = try await connection.send("Runtime.evaluate", ["expression": "window"], session: session)
        context = window["result"]?["objectId"] ?? .null
    }

    func call() async throws {
        let answer = try await browser.connection.send(
            "Runtime.callFunctionOn",
            [
                "functionDeclaration": "async function(a, b) { return a + b }", "objectId": context,
                "arguments": [["value": 1], ["value": 2]], "awaitPromise": true, "returnByValue": true,
            ], session: session)
        guard answer["result"]?["value"]?.int == 3 else { throw BenchmarkError("1 + 2 is \(answer.text)") }
    }
}
