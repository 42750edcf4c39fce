internal import Bridgehead
internal import Observation
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The dialogs of a page, which a person answers on sheets; windows are decided upon by the browser's own handler.
@MainActor @Observable
final class PhoneSheets: WebPageUIHandling {
    enum Kind: String, Sendable { case alert, confirm, prompt }

    struct Sheet: Hashable, Sendable {
        let id: Int
        let kind: Kind
        let message: String
        let defaultText: String
        let origin: String

        var json: JSON {
            [
                "id": JSON(id), "kind": JSON(kind.rawValue), "message": JSON(message),
                "defaultText": JSON(defaultText), "origin": JSON(origin),
            ]
        }
    }

    /// Nil for what a person did not want to.
    private typealias Answer = String?

    /// More than these no page gets: the rest counts as dismissed.
    private static let limit = 20

    private(set) var sheets: [Sheet] = []
    @ObservationIgnored private var waiting: [Int: CheckedContinuation<String?, Never>] = [:]
    @ObservationIgnored private var lastID = 0
    @ObservationIgnored private let windows: (any WebPageUIHandling)?

    init(windows: (any WebPageUIHandling)?) {
        self.windows = windows
    }

    isolated deinit { dismissAll() }

    /// - Returns: whether there is such a sheet.
    func answer(_ id: Int, accepts: Bool, text: String?) -> Bool {
        guard let continuation = waiting.removeValue(forKey: id) else { return false }
        sheets.removeAll { $0.id == id }
        continuation.resume(returning: accepts ? text ?? "" : nil)
        return true
    }

    /// The page that asked has gone.
    func dismissAll() {
        let all = waiting
        waiting = [:]
        if !sheets.isEmpty { sheets = [] }
        for continuation in all.values { continuation.resume(returning: nil) }
    }

    private func ask(_ kind: Kind, _ message: String, _ defaultText: String, _ frame: WebPageFrameInfo) async -> Answer
    {
        guard sheets.count < Self.limit else { return nil }
        lastID += 1
        let id = lastID
        return await withCheckedContinuation { continuation in
            waiting[id] = continuation
            sheets.append(
                Sheet(
                    id: id, kind: kind, message: message, defaultText: defaultText,
                    origin: frame.request.url.host() ?? ""))
        }
    }

    func webPage(
        _ page: any WebPageRepresentable, createWindowFor action: WebPageNavigationAction
    ) async -> WebPageNewWindowPolicy {
        await windows?.webPage(page, createWindowFor: action) ?? .openInSamePage
    }

    func webPage(_ page: any WebPageRepresentable, showAlert message: String, from frame: WebPageFrameInfo) async {
        _ = await ask(.alert, message, "", frame)
    }

    func webPage(
        _ page: any WebPageRepresentable, askToConfirm message: String, from frame: WebPageFrameInfo
    ) async -> Bool { await ask(.confirm, message, "", frame) != nil }

    func webPage(
        _ page: any WebPageRepresentable, promptFor message: String, defaultText: String, from frame: WebPageFrameInfo
    ) async -> String? { await ask(.prompt, message, defaultText, frame) }
}
