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
    /// Hosts that are never shown, with all below them; international names in the form that engines give them (`xn--`).
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
        if allowedSchemes.contains(scheme) { return isDenied(url, scheme) ? .deny : .allow }
        let isUsers = action.hasUserGesture && action.targetFrame?.isMainFrame != false
        return outsideSchemes.contains(scheme) && isUsers ? .openOutside : .deny
    }

    private func isDenied(_ url: URL, _ scheme: String) -> Bool {
        let host = Self.plain(url.host(percentEncoded: false) ?? "")
        // Engines find a host where by the letter there is none (`http:host`, `http:///host`): nobody can tell which.
        if host.isEmpty { return scheme == "http" || scheme == "https" }
        return deniedHosts.contains {
            let denied = Self.plain($0)
            return host == denied || (!denied.isEmpty && host.hasSuffix(".\(denied)"))
        }
    }

    /// The same for all ways of writing a host: whatever its case, and with the root's dot or without.
    private static func plain(_ host: String) -> String {
        var host = host.lowercased()
        while host.hasSuffix(".") { host.removeLast() }
        return host
    }

    /// What a person has typed, as a URL: one as it is, a host without its scheme over https.
    public static func url(fromInput input: String) -> URL? {
        let words = input.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let text = words.first.map(String.init) else { return nil }
        if let url = URL(string: text), let scheme = url.scheme, url.host() != nil || scheme == "about" { return url }
        // What has a user in it is an address of another kind: `mailto:a@b.c` is nothing to ask b.c for.
        guard let url = URL(string: "https://\(text)"), url.user() == nil, let host = url.host(),
            host.contains(".") || host == "localhost"
        else { return nil }
        return url
    }
}
