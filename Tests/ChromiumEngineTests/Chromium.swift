import BridgeDevTools
import BridgeJSON
import ChromiumEngine
import Foundation
import PageEngines
import PageModel
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

enum Chromium {
    /// nil: there is none here.
    static let path = try? BrowserLocator().find()
    static let isMissing: Comment = "Chromium is not installed: Tests/run installs it"

    /// Of the suite.
    @TaskLocal static var browser: ChromiumBrowser?

    /// A page of its own in the suite's browser, with a server; both gone afterwards.
    @MainActor
    static func withPage(_ body: (WebPage, Pages) async throws -> Void) async throws {
        let page = WebPage(try await #require(browser).newWebView())
        defer { page.close() }
        try await body(page, try Pages())
    }

    /// Kills the processes of all its pages.
    @MainActor
    static func crash(_ browser: ChromiumBrowser) async {
        let info = try? await browser.browser.connection.send("SystemInfo.getProcessInfo")
        for process in info?["processInfo"]?.array ?? [] where process["type"]?.string == "renderer" {
            if let id = process["id"]?.int { kill(pid_t(id), SIGKILL) }
        }
    }
}

/// A suite that shares a browser, which is closed behind its last test.
struct BrowserTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let browser = try await ChromiumBrowser(path: Chromium.path)
        do {
            try await Chromium.$browser.withValue(browser, operation: function)
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

/// Notes the URL changes of a page from when it is made.
@MainActor
final class ChangeLog {
    private(set) var changes: [WebPageURLChange] = [] {
        didSet {
            guard let waiter, waiter.isThere(changes) else { return }
            self.waiter = nil
            waiter.continuation.resume()
        }
    }
    private var waiter: (isThere: ([WebPageURLChange]) -> Bool, continuation: CheckedContinuation<Void, Never>)?
    private var reading: Task<Void, Never>?

    init(_ page: WebPage) {
        let changes = page.urlChanges
        reading = Task { [weak self] in for await change in changes { self?.changes.append(change) } }
    }

    /// Returns when so many have come.
    func until(_ count: Int) async { await until { $0.count >= count } }

    /// Returns when one of that path has come and is committed.
    func until(committed path: String) async { await until { $0.contains { $0.isCommitted && $0.url.path() == path } } }

    private func until(_ isThere: @escaping ([WebPageURLChange]) -> Bool) async {
        guard !isThere(changes) else { return }
        await withCheckedContinuation { waiter = (isThere, $0) }
    }

    /// Returns when the page has closed.
    func untilClosed() async { await reading?.value }

    static func text(_ change: WebPageURLChange) -> String {
        let fragment = change.url.fragment.map { "#\($0)" } ?? ""
        let path = change.url.host() == nil ? change.url.absoluteString : change.url.path()
        let index = change.index.map(String.init) ?? "-"
        return "\(change.cause)\(change.isCommitted ? "" : "?") \(path)\(fragment) @\(index)"
    }

    var text: [String] { changes.map(Self.text) }
}
