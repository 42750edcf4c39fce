internal import BridgeDevTools
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
    let browser: DevToolsBrowser
    /// Who hears of a target: a title, a window.
    private var pages: [String: WeakPage] = [:]

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
                path: path, options: BrowserOptions(allowsPopups: true, allowsURLFloods: true, joinsSites: true))
        } catch {
            throw BrowserCannotStart(description: error.description)
        }
        browser.connection.listen { [weak self] message in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.take(message) } }
        }
        do {
            _ = try await browser.connection.send("Target.setDiscoverTargets", ["discover": true])
        } catch {
            await browser.end()
            throw BrowserCannotStart(description: "\(error)")
        }
    }

    /// A page with nothing in it, and a profile of its own that is thrown away with it.
    public func newWebView() async throws -> ChromiumWebView {
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
        return page
    }

    /// Ends it with all its pages, and returns when no process, descriptor or file of it is left.
    public func close() async { await browser.end() }

    func forget(_ target: String) { pages[target] = nil }

    private func take(_ message: DevToolsMessage) {
        guard case .event(let method, let params) = message, let info = params["targetInfo"] else { return }
        switch method {
        // A window that a page has opened: the page is told of it by itself, and there is no window here.
        case "Target.targetCreated":
            guard info["type"]?.string == "page", info["openerId"] != nil || info["openerFrameId"] != nil else { return }
            browser.connection.post("Target.closeTarget", ["targetId": info["targetId"] ?? .null])
        default: break
        }
    }
}

/// Why there is no browser; what was looked for, and what to do.
public struct BrowserCannotStart: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
