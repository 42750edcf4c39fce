package import BridgeDevTools
import BridgeJSON
import Synchronization

/// A browser whose tabs are opened, asked and closed.
package final class PageBrowser: Sendable {
    private let browser: DevToolsBrowser
    /// What the consoles of watched tabs show as errors, by session.
    private let complaints = Mutex<[String: [String]]>([:])

    /// - Parameter path: nil: the one that `locator` finds.
    /// - Throws: also when there is none, with what to do about it.
    package init(path: String?, locator: BrowserLocator) throws(BrowserFailure) {
        do throws(BrowserUnavailable) {
            // Tabs come and go: a process for each would take most of the time.
            browser = try DevToolsBrowser(path: locator.find(path), options: BrowserOptions(rendererLimit: 1))
        } catch {
            throw BrowserFailure(error.reason)
        }
    }

    /// Ends the browser and all its tabs. Nothing of it is left.
    package func end() async { await browser.end() }

    struct Tab: Sendable {
        fileprivate let browser: PageBrowser
        fileprivate let target: JSON
        fileprivate let session: String

        /// The value of an expression; nil for undefined and what JSON cannot say. With `awaits`, what it resolves to.
        func evaluate(_ expression: String, awaits: Bool, timeout: Duration) async throws(BrowserFailure) -> JSON? {
            let result = try await browser.command(
                "Runtime.evaluate",
                [
                    "expression": JSON(expression), "awaitPromise": .bool(awaits), "returnByValue": .bool(awaits),
                    "userGesture": true,
                ], session: session, timeout: timeout)
            if let thrown = result["exceptionDetails"] {
                throw BrowserFailure((thrown["exception"]?["description"] ?? thrown["text"])?.string ?? "it threw")
            }
            return result["result"]?["value"]
        }

        /// What its console showed as errors, if it is watched.
        var complaints: [String] { browser.complaints.withLock { $0[session] ?? [] } }

        func close() async {
            browser.browser.connection.listen(to: session, nil)
            browser.complaints.withLock { _ = $0.removeValue(forKey: session) }
            _ = try? await browser.command("Target.closeTarget", ["targetId": target])
        }
    }

    func open(_ url: String) async throws(BrowserFailure) -> Tab {
        let target = try await command("Target.createTarget", ["url": JSON(url)])["targetId"] ?? .null
        let session = try await command("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]
        return Tab(browser: self, target: target, session: session?.string ?? "")
    }

    /// Opens a page of which nothing is known: its console is listened to from the start.
    ///
    /// - Throws: also when there is no such page.
    func openWatched(_ url: String, timeout: Duration) async throws(BrowserFailure) -> Tab {
        let tab = try await open("about:blank")
        do throws(BrowserFailure) {
            browser.connection.listen(to: tab.session) { [weak self] in self?.hear($0, from: tab.session) }
            for domain in ["Runtime", "Log"] { _ = try await command("\(domain).enable", session: tab.session) }
            let loaded = try await command(
                "Page.navigate", ["url": JSON(url)], session: tab.session, timeout: timeout)
            if let fault = loaded["errorText"]?.string { throw BrowserFailure(fault) }
            return tab
        } catch {
            await tab.close()
            throw error
        }
    }

    private func command(
        _ method: String, _ parameters: JSON = [:], session: String? = nil, timeout: Duration = .seconds(20)
    ) async throws(BrowserFailure) -> JSON {
        let connection = browser.connection
        let answer = Task { try await connection.send(method, parameters, session: session) }
        let timer = Task {
            try await Task.sleep(for: timeout)
            answer.cancel()
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await answer.result
        } onCancel: {
            answer.cancel()
        }
        switch result {
        case .success(let value): return value
        case .failure(let failure as DevToolsFailure): throw BrowserFailure(failure)
        case .failure where Task.isCancelled: throw .cancelled
        case .failure: throw BrowserFailure("the browser did not answer \(method) within \(timeout)")
        }
    }

    /// An event of a watched tab, which may be an error on its console.
    private func hear(_ message: DevToolsMessage, from session: String) {
        guard let text = Complaint.text(of: message) else { return }
        complaints.withLock { complaints in
            let known = complaints[session] ?? []
            if known.count < Complaint.most, !known.contains(text) { complaints[session] = known + [text] }
        }
    }
}
