public import ChromiumEngine
internal import PageEngines

/// What shows the page of a test.
public struct TestWebEngine: Sendable {
    private let appearance: ChromiumAppearance

    /// A headless browser of Chromium's family: the one that `BRIDGEHEAD_BROWSER` names, else the first that is found. All
    /// pages of the test's process share it, and nothing else: each has cookies and storage of its own.
    public static let chromium = chromium(ChromiumAppearance())

    /// The same, on another screen.
    public static func chromium(_ appearance: ChromiumAppearance) -> TestWebEngine {
        TestWebEngine(appearance: appearance)
    }

    @MainActor func makeBacking() async throws -> any BackingWebView {
        try await SharedChromium.newWebView(appearance)
    }
}

/// The browser of this process's tests. It ends with the process.
@MainActor
private enum SharedChromium {
    private static var browser: Task<ChromiumBrowser, any Error>?

    static func newWebView(_ appearance: ChromiumAppearance) async throws -> ChromiumWebView {
        try await running().newWebView(appearance)
    }

    private static func running() async throws -> ChromiumBrowser {
        while let started = browser {
            let found = try? await started.value
            if let found, !found.hasEnded { return found }
            // Another test may have seen that before, and started one.
            if browser == started { browser = nil }
        }
        let starting = Task { try await ChromiumBrowser() }
        browser = starting
        let started = try await starting.value
        started.endAtExit()
        return started
    }
}
