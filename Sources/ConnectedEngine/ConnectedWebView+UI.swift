package import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// What a page on a phone leaves to this side.
extension ConnectedWebView {
    func didAskForWindow(_ url: URL, _ hasUserGesture: Bool) {
        let action = WebPageNavigationAction(
            request: WebPageRequest(url), sourceFrame: mainFrame, hasUserGesture: hasUserGesture)
        uiDelegate?.createWindow(for: action) { _ in }
    }

    func show(
        _ kind: BackingDialog.Kind, _ message: String, _ answer: @escaping @MainActor (BackingDialog.Answer) -> Void
    ) {
        guard let uiDelegate, session != nil else { return answer(.dismiss) }
        uiDelegate.show(BackingDialog(kind, message: message, frame: mainFrame), answer)
    }

    /// A dialog whose script waits in a way of its own.
    package func show(_ kind: BackingDialog.Kind, _ message: String) async -> BackingDialog.Answer {
        await withCheckedContinuation { continuation in show(kind, message) { continuation.resume(returning: $0) } }
    }
}
