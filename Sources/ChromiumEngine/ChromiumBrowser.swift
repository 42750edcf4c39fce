package import BridgeDevTools
internal import BridgeJSON
internal import Dispatch

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A headless browser of Chromium's family. Its pages are ``ChromiumWebView``s; they share its process, and no cookies.
///
/// Nothing that comes from a page chooses how it is started. It ends with ``close()``, with the last reference to it and its
/// pages, and with this process, however that ends.
@MainActor
public final class ChromiumBrowser {
    package let browser: DevToolsBrowser
    /// Who hears of a target: a title, a window.
    private var pages: [String: WeakPage] = [:]

    /// Windows that pages have opened, and that are being closed: nothing is asked of a server for them.
    private var windows: Set<String> = []

    private struct WeakPage {
        weak var page: ChromiumWebView?
    }

    /// What its user should know, such as that its sandbox is off; nil: nothing.
    public var warning: String? { browser.warning }

    /// Starts a browser.
    ///
    /// - Parameter path: nil: `BRIDGEHEAD_BROWSER`, else the first that is found.
    /// - Throws: ``BrowserCannotStart``.
    public init(path: String? = nil) async throws {
        do throws(BrowserUnavailable) {
            let path = try BrowserLocator().find(path)
            browser = try DevToolsBrowser(
                path: path,
                options: BrowserOptions(
                    allowsPopups: true, allowsURLFloods: true, joinsSites: true, keepsPages: false))
        } catch {
            throw BrowserCannotStart(description: error.description)
        }
        browser.connection.listen { [weak self] message in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.take(message) } }
        }
        do {
            _ = try await browser.connection.send("Target.setDiscoverTargets", ["discover": true])
            _ = try await browser.connection.send(
                "Fetch.enable", ["patterns": [["resourceType": "Document", "requestStage": "Request"]]])
        } catch {
            await browser.end()
            throw BrowserCannotStart(description: "\(error)")
        }
    }

    /// A page with nothing in it, and a profile of its own that is thrown away with it.
    public func newWebView(_ appearance: ChromiumAppearance = ChromiumAppearance()) async throws -> ChromiumWebView {
        let connection = browser.connection
        let context = try await connection.send("Target.createBrowserContext", ["disposeOnDetach": true])
        let contextID = context["browserContextId"] ?? .null
        let target = try await connection.send(
            "Target.createTarget", ["url": "about:blank", "browserContextId": contextID])
        let targetID = target["targetId"]?.string ?? ""
        let attached = try await connection.send(
            "Target.attachToTarget", ["targetId": JSON(targetID), "flatten": true])
        let page = ChromiumWebView(
            self, session: attached["sessionId"]?.string ?? "", target: targetID, context: contextID.string ?? "")
        pages[targetID] = WeakPage(page: page)
        try await page.prepare()
        try await page.show(as: appearance)
        return page
    }

    /// Ends it with all its pages, and returns when no process, descriptor or file of it is left.
    public func close() async {
        await browser.end()
        for page in pages.values.compactMap(\.page) { page.browserDidEnd("the browser has ended") }
    }

    /// Whether it has ended, by itself or because it was told to.
    public var hasEnded: Bool { browser.process.end != nil }

    /// Ends it when this process exits by itself: for one that nobody closes.
    package func endAtExit() { browser.process.endAtExit() }

    /// Whether there is one on this machine that can be started, for tests that need one.
    public nonisolated static var isInstalled: Bool { (try? BrowserLocator().find(nil)) != nil }

    func forget(_ target: String) { pages[target] = nil }

    private func take(_ message: DevToolsMessage) {
        guard case .event(let method, let params) = message else { return }
        let info = params["targetInfo"] ?? .null
        switch method {
        case "Target.targetCreated":
            guard info["type"]?.string == "page", let id = info["targetId"]?.string,
                let opener = info["openerFrameId"]?.string ?? info["openerId"]?.string
            else { return }
            windows.insert(id)
            browser.connection.post("Target.closeTarget", ["targetId": JSON(id)])
            pages[info["openerId"]?.string ?? opener]?.page?.didMakeWindow(for: opener)
        case "Target.targetDestroyed": if let id = params["targetId"]?.string { windows.remove(id) }
        case "Fetch.requestPaused":
            let request: JSON = ["requestId": params["requestId"] ?? .null]
            if let frame = params["frameId"]?.string, windows.contains(frame) {
                let failed: JSON = ["requestId": params["requestId"] ?? .null, "errorReason": "Aborted"]
                browser.connection.post("Fetch.failRequest", failed)
            } else {
                browser.connection.post("Fetch.continueRequest", request)
            }
        default: break
        }
    }
}

/// Why there is no browser; what was looked for, and what to do.
public struct BrowserCannotStart: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence or more.
    public let description: String
}
