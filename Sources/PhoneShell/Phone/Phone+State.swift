internal import Bridgehead
internal import ConnectedEngine
internal import InAppBrowser
internal import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// What the shell shows, as it is sent.
extension Phone {
    /// All of it but the revision.
    var state: JSONObject {
        let notice = notice ?? browser.notice.map(PhoneNotice.init)
        return [
            "phone": JSON(id),
            "frame": ["url": frame.url.map { JSON($0.absoluteString) } ?? .null, "load": JSON(frame.load)],
            "address": JSON(browser.address?.absoluteString ?? ""), "title": JSON(browser.title),
            "isSecure": .bool(browser.isSecure), "progress": browser.progress.flatMap { JSON($0) } ?? .null,
            "isLoading": .bool(browser.isLoading), "canGoBack": .bool(browser.canGoBack),
            "canGoForward": .bool(browser.canGoForward), "connection": JSON(connectionName),
            "notice": notice?.json ?? .null, "sheets": .array(sheets.sheets.map(\.json)),
            "device": device.json(isRotated: isRotated),
            "devices": .array(PhoneDevice.all.map { ["id": JSON($0.id), "name": JSON($0.name)] }),
            "isRotated": .bool(isRotated), "scheme": JSON(scheme.rawValue), "platform": JSON(platform.rawValue),
            "isExplaining": .bool(page.overlays.explain), "overlays": .array(page.overlays.all.map(Self.json)),
            "contentHeight": page.overlays.all.lazy.compactMap(\.contentHeight).first.flatMap { JSON($0) } ?? .null,
        ]
    }

    private static func json(_ overlay: NativeOverlay) -> JSON {
        let frame = overlay.frame
        return [
            "label": JSON(overlay.view.label), "isVisible": .bool(overlay.isVisible),
            "reason": overlay.reason.map { JSON("\($0)") } ?? .null,
            "frame": [
                "x": JSON(frame?.x ?? 0) ?? 0, "y": JSON(frame?.y ?? 0) ?? 0, "width": JSON(frame?.width ?? 0) ?? 0,
                "height": JSON(frame?.height ?? 0) ?? 0,
            ],
        ]
    }

    private var connectionName: String {
        switch connection {
        case .connected: "connected"
        case .betweenDocuments: hasConnected ? "between" : frame.url == nil ? "none" : "waiting"
        case .lost: "lost"
        case .closed: "closed"
        }
    }
}
