import BridgeDevTools
import BridgeJSON
import Foundation
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
}

/// With a real browser.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Chromium.path != nil, Chromium.isMissing))
struct ChromiumTests {
    private let journal = Journal()

    private func start(_ options: BrowserOptions = BrowserOptions()) throws -> DevToolsBrowser {
        try DevToolsBrowser(path: try #require(Chromium.path), options: options)
    }

    /// A page with a session of its own, whose messages the journal notes as `page`.
    private func page(_ browser: DevToolsBrowser) async throws -> String {
        let connection = browser.connection
        let target = try await connection.send("Target.createTarget", ["url": "about:blank"])["targetId"] ?? .null
        let attached = try await connection.send("Target.attachToTarget", ["targetId": target, "flatten": true])
        let session = try #require(attached["sessionId"]?.string)
        connection.listen(to: session, journal.sink("page"))
        return session
    }

    private func evaluate(
        _ expression: String, in session: String, of browser: DevToolsBrowser
    ) async throws -> JSON? {
        let result = try await browser.connection.send(
            "Runtime.evaluate",
            ["expression": JSON(expression), "awaitPromise": true, "returnByValue": true], session: session)
        return result["result"]?["value"]
    }

    @Test func itSaysItsVersionAndEvaluates() async throws {
        let browser = try start()
        let version = try await browser.connection.send("Browser.getVersion")
        #expect(version["product"]?.string?.contains("Chrome/") == true, "\(version)")
        let session = try await page(browser)
        #expect(try await evaluate("1 + 2", in: session, of: browser) == 3)
        #expect(try await evaluate("Promise.resolve('\u{0}é\\ud83d')", in: session, of: browser) != nil)
        let failure = await #expect(throws: DevToolsFailure.self) {
            try await browser.connection.send("Page.goAway", session: session)
        }
        guard case .refused("Page.goAway", -32601, _) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        await browser.end()
        #expect(browser.process.end?.cause == .stopped)
    }

    @Test func eventsComeBeforeTheResultThatTheyWereAheadOf() async throws {
        let browser = try start()
        let session = try await page(browser)
        _ = try await browser.connection.send("Runtime.enable", session: session)
        let known = journal.entries.count
        for round in 1...20 {
            _ = try await evaluate("for (let n = 0; n < 10; n++) console.log(n)", in: session, of: browser)
            let told = journal.entries.dropFirst(known).count { $0.hasPrefix("page Runtime.consoleAPICalled") }
            try #require(told == round * 10)
        }
        await browser.end()
    }

    @Test func aCrashOfAPageIsAnEventAndAnError() async throws {
        let browser = try start()
        let session = try await page(browser)
        _ = try await browser.connection.send("Inspector.enable", session: session)
        let known = journal.entries.count
        let never = Task { try await evaluate("new Promise(() => {})", in: session, of: browser) }
        while browser.connection.pendingCount == 0 { await Task.yield() }
        browser.connection.post("Page.crash", session: session)
        #expect(await journal.entries(atLeast: known + 1).last == "page Inspector.targetCrashed 0")
        let failure = await #expect(throws: DevToolsFailure.self) { try await never.value }
        #expect(failure == .crashed(session: session))
        #expect(browser.connection.pendingCount == 0)
        // It can be loaded again, and the late answers to what has failed already are nobody's.
        _ = try await browser.connection.send("Page.navigate", ["url": "data:text/html,again"], session: session)
        #expect(try await evaluate("1 + 1", in: session, of: browser) == 2)
        // The browser goes on.
        let other = try await page(browser)
        #expect(try await evaluate("'alive'", in: other, of: browser) == "alive")
        await browser.end()
    }

    @Test func aPageThatIsClosedFailsItsCommands() async throws {
        let browser = try start()
        let connection = browser.connection
        let session = try await page(browser)
        let waiting = Task { try await evaluate("new Promise(() => {})", in: session, of: browser) }
        while connection.pendingCount == 0 { await Task.yield() }
        let targets = try await connection.send("Target.getTargetInfo", session: session)
        let target = targets["targetInfo"]?["targetId"] ?? .null
        _ = try await connection.send("Target.closeTarget", ["targetId": target])
        let failure = await #expect(throws: DevToolsFailure.self) { try await waiting.value }
        #expect(failure == .detached(session: session))
        #expect(connection.pendingCount == 0)
        await browser.end()
    }

    /// As many as there are, at whatever they are.
    @Test func aBrowserThatIsKilledFailsAllCommands() async throws {
        let browser = try start()
        let session = try await page(browser)
        for number in 1...20 {
            browser.connection.post(
                "Runtime.evaluate", ["expression": "new Promise(() => {})", "awaitPromise": true], session: session,
                completion: journal.completion("\(number)"))
        }
        _ = try await evaluate("1", in: session, of: browser)
        kill(browser.process.processID, SIGKILL)
        let entries = await journal.entries(atLeast: 21)
        let reason = try #require(browser.process.end?.description)
        #expect(browser.process.end?.cause == .signal(SIGKILL))
        #expect(entries == (1...20).map { "\($0) failed: \(reason)" } + ["page ended: \(reason)"])
        let folder = browser.process.folder
        await browser.end()
        #expect(access(folder, F_OK) != 0)
    }

    /// A screenshot is some ten million bytes; so is what a page may hold.
    @Test func largeMessagesGoBothWays() async throws {
        let browser = try start()
        let session = try await page(browser)
        let text = String(repeating: "0123456789", count: 2 << 20)
        #expect(try await evaluate("'\(text)'.length", in: session, of: browser) == JSON(text.utf8.count))
        #expect(try await evaluate("'0123456789'.repeat(\(2 << 20))", in: session, of: browser) == JSON(text))
        await browser.end()
    }

    @Test func popupsAndFloodsAreAsTheOptionsSay() async throws {
        let open = "window.open('about:blank') !== null"
        let flood = "for (let n = 0; n < 300; n++) history.pushState(n, '', '#' + n); history.state"
        let allowing = try start(BrowserOptions(allowsPopups: true, allowsURLFloods: true))
        // Navigated by itself: Chromium may crash at `window.open` in a page that is still on its way from where it began.
        let url: JSON = ["url": "data:text/html,"]
        var session = try await page(allowing)
        _ = try await allowing.connection.send("Page.navigate", url, session: session)
        #expect(try await evaluate(open, in: session, of: allowing) == true)
        #expect(try await evaluate(flood, in: session, of: allowing) == 299)
        await allowing.end()
        let ordinary = try start()
        session = try await page(ordinary)
        _ = try await ordinary.connection.send("Page.navigate", url, session: session)
        #expect(try await evaluate(open, in: session, of: ordinary) == false)
        #expect(try await evaluate(flood, in: session, of: ordinary) != 299)
        await ordinary.end()
    }
}
