internal import BridgeDevTools
internal import BridgeJSON
internal import PageModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChromiumWebView {
    /// Shows the page on another screen, or in other colours: the document that is there too, and those to come. A user agent
    /// is told from the next load on.
    ///
    /// - Throws: `WebPageError.pageClosed` where the page is gone, `.unsupported` where the numbers of the screen are those of
    ///   none.
    public func show(as appearance: ChromiumAppearance) async throws {
        let viewport = appearance.viewport
        guard viewport.isPossible else {
            throw WebPageError.unsupported("this screen; \(ChromiumAppearance.Viewport.rule)")
        }
        let size: JSON = [
            "width": JSON(viewport.width), "height": JSON(viewport.height),
            "deviceScaleFactor": JSON(viewport.scale) ?? 1, "mobile": .bool(viewport.isPhone),
        ]
        let scheme: JSON = ["name": "prefers-color-scheme", "value": JSON(appearance.colorScheme.rawValue)]
        _ = try await ask("Emulation.setDeviceMetricsOverride", size)
        _ = try await ask("Emulation.setTouchEmulationEnabled", ["enabled": .bool(viewport.isPhone)])
        _ = try await ask("Emulation.setEmulatedMedia", ["features": [scheme]])
        _ = try await ask("Emulation.setUserAgentOverride", ["userAgent": JSON(appearance.userAgent ?? "")])
    }

    /// A picture of what is shown of the page now, in the screen's own pixels.
    ///
    /// - Returns: a PNG file.
    /// - Throws: `WebPageError.pageClosed` where the page is gone.
    public func screenshot() async throws -> Data {
        let answer = try await ask("Page.captureScreenshot", ["format": "png"])
        guard let data = answer["data"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
            throw WebPageError.unsupported("the browser gave no picture")
        }
        return data
    }

    private func ask(_ method: String, _ params: JSON) async throws -> JSON {
        if let whyDead { throw whyDead }
        do {
            return try await connection.send(method, params, session: session)
        } catch {
            throw whyDead ?? WebPageError.pageClosed("\(error)")
        }
    }
}
