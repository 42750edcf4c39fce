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
        let frame = frame(params["frameId"]?.string)
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

    func frame(_ id: String?) -> WebPageFrameInfo {
        guard let id, id != target else { return mainFrame }
        return frames[id] ?? WebPageFrameInfo(id: id, isMainFrame: false, request: WebPageRequest(.blank))
    }

    /// The browser has made a window, which it is told to close.
    func didMakeWindow(for frame: String) {
        guard isThere else { return }
        openers.append(frame)
        openWindows()
    }

    /// What a script asks for and what is made for which frame come on two ways, each in order.
    func openWindows() {
        while isThere, !wantedWindows.isEmpty, !openers.isEmpty {
            let wanted = wantedWindows.removeFirst()
            let opener = openers.removeFirst()
            guard let uiDelegate, let url = url(wanted["url"]) else { continue }
            let action = WebPageNavigationAction(
                request: WebPageRequest(url), sourceFrame: frame(opener),
                hasUserGesture: wanted["userGesture"]?.bool ?? false)
            // There is no window, whatever is decided; where it is to be this page, that loads it itself.
            uiDelegate.createWindow(for: action) { _ in }
        }
    }
}
