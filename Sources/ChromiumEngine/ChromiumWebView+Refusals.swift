internal import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Where a page wants to go, and the browser goes for no page.
extension ChromiumWebView {
    /// To these a page comes from none, or from none of the web.
    private static let blocked: Set<String> = [
        "file", "filesystem", "blob", "data", "view-source", "devtools", "chrome", "chrome-untrusted", "chrome-error",
        "chrome-extension",
    ]

    /// Chromium says in its console alone that it has blocked something: what was wanted is then never requested.
    func didGiveUpWanted() {
        guard let wanted else { return }
        self.wanted = nil
        let (scheme, own) = (wanted.url.scheme?.lowercased() ?? "", committedURL?.scheme?.lowercased())
        guard Self.blocked.contains(scheme), scheme != own else { return }
        var load = ChromiumLoad(.next(), WebPageRequest(wanted.url), .new)
        load.type = navigationType(ofReason: wanted.reason)
        load.isOfPage = true
        refuse(load)
    }

    /// Asks about it all the same, as an app may take it over; what it allows fails.
    func refuse(_ load: ChromiumLoad) {
        let action = WebPageNavigationAction(
            request: load.request, navigationType: load.type, sourceFrame: mainFrame, targetFrame: mainFrame,
            hasUserGesture: load.type == .linkActivated)
        let decide = { @MainActor [weak self] (policy: WebPageNavigationPolicy) in
            guard let self, self.isThere, policy == .allow else { return }
            // What goes on meanwhile goes on.
            guard self.load == nil, self.next == nil else {
                self.navigationDelegate?.didReceive(.startedProvisional(load.navigation))
                self.navigationDelegate?.didReceive(.failedProvisional(load.navigation, .cannotShowURL))
                return
            }
            self.load = load
            self.change(load) {
                $0.isLoading = true
                $0.estimatedProgress = 0.1
            }
            self.start(load.navigation)
            if self.isGoingOn(load.navigation) { self.giveUp(.cannotShowURL) }
        }
        if let navigationDelegate { navigationDelegate.decidePolicy(for: action, decide) } else { decide(.allow) }
    }
}
