internal import BridgeJSON
internal import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// What waits for the user: dialogs and windows.
extension ChromiumWebView {
    func didOpenDialog(_ params: JSON) {
        let message = params["message"]?.string ?? ""
        let kind: BackingDialog.Kind
        switch params["type"]?.string {
        case "alert": kind = .alert
        case "confirm": kind = .confirm
        case "prompt": kind = .prompt(defaultText: params["defaultPrompt"]?.string ?? "")
        // Whether a page may be left is not asked in an app.
        default: return answer(.accept(text: nil))
        }
        let frame = params["frameId"]?.string.flatMap { frames[$0] } ?? mainFrame
        guard let uiDelegate else { return answer(.dismiss) }
        uiDelegate.show(BackingDialog(kind, message: message, frame: frame)) { [weak self] in self?.answer($0) }
    }

    private func answer(_ answer: BackingDialog.Answer) {
        switch answer {
        case .accept(let text):
            post("Page.handleJavaScriptDialog", ["accept": true, "promptText": JSON(text ?? "")])
        case .dismiss: post("Page.handleJavaScriptDialog", ["accept": false])
        }
    }

    func didOpenWindow(_ params: JSON) {
        guard let uiDelegate, let url = url(params["url"]) else { return }
        let action = WebPageNavigationAction(
            request: WebPageRequest(url), sourceFrame: mainFrame, hasUserGesture: params["userGesture"]?.bool ?? false)
        // There is no window, whatever is decided; where it is to be this page, that loads it itself.
        uiDelegate.createWindow(for: action) { _ in }
    }
}
