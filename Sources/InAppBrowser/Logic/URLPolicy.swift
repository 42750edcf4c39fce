#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import PageModel

/// Business logic: where the browser goes. Knows URLs, and nothing of pages.
public struct URLPolicy: Sendable {
    /// What becomes of a navigation.
    public enum Decision: Hashable, Sendable {
        case allow
        case deny
        /// In the app that such URLs belong to.
        case openOutside
    }

    /// Schemes that the page itself may show.
    public var allowedSchemes: Set<String>
    /// Schemes that belong to other apps.
    public var outsideSchemes: Set<String>
    /// Hosts that are never shown, with all below them.
    public var deniedHosts: Set<String>

    /// The web inside, mail, calls and messages outside, nothing else.
    public init(
        allowedSchemes: Set<String> = ["http", "https", "about"],
        outsideSchemes: Set<String> = ["mailto", "tel", "sms"], deniedHosts: Set<String> = []
    ) {
        self.allowedSchemes = allowedSchemes
        self.outsideSchemes = outsideSchemes
        self.deniedHosts = deniedHosts
    }

    /// What becomes of that action. Another app is opened for the user alone: never for a frame, nor for a script by itself.
    public func decision(for action: WebPageNavigationAction) -> Decision {
        let url = action.request.url
        guard let scheme = url.scheme?.lowercased() else { return .deny }
        if allowedSchemes.contains(scheme) { return isDenied(url.host()) ? .deny : .allow }
        let isUsers = action.hasUserGesture && action.targetFrame?.isMainFrame != false
        return outsideSchemes.contains(scheme) && isUsers ? .openOutside : .deny
    }

    private func isDenied(_ host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        return deniedHosts.contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    /// What a person has typed, as a URL: one as it is, a host without its scheme over https.
    public static func url(fromInput input: String) -> URL? {
        let text = input.filter { !$0.isWhitespace }
        guard !text.isEmpty else { return nil }
        if let url = URL(string: text), let scheme = url.scheme, url.host() != nil || scheme == "about" { return url }
        guard let url = URL(string: "https://\(text)"), let host = url.host(), host.contains(".") || host == "localhost"
        else { return nil }
        return url
    }
}
