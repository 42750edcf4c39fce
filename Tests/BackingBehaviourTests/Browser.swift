import BridgeDevTools
import ChromiumEngine
import Testing

enum Browser {
    /// nil: there is none here.
    static let path = try? BrowserLocator().find()
    /// Of the suite.
    @TaskLocal static var shared: ChromiumBrowser?
}

/// A suite that shares a browser, where there is one; it is closed behind the last test.
struct BrowserTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard let path = Browser.path else { return try await function() }
        let browser = try await ChromiumBrowser(path: path)
        do {
            try await Browser.$shared.withValue(browser, operation: function)
        } catch {
            await browser.close()
            throw error
        }
        await browser.close()
    }
}

extension Trait where Self == BrowserTrait {
    static var sharedBrowser: BrowserTrait { BrowserTrait() }
}
