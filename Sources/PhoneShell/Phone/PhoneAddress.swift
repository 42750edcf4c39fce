internal import InAppBrowser

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where what a person has typed leads.
enum PhoneAddress: Hashable, Sendable {
    /// To this machine.
    case here(URL)
    /// To anybody else's, which is asked about first.
    case elsewhere(URL)
    case invalid(String)

    /// - Parameter shell: what begins with a slash is of its server.
    init(_ input: String, in shell: URL) {
        let input = String(input.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        let url =
            input.hasPrefix("/") && !input.hasPrefix("//")
            ? URL(string: input, relativeTo: shell)?.absoluteURL : URLPolicy.url(fromInput: Self.withScheme(input))
        guard let url, let scheme = url.scheme?.lowercased(), let host = url.host(), !host.isEmpty else {
            self = .invalid("This is no address of a web page.")
            return
        }
        guard scheme == "http" || scheme == "https" else {
            self = .invalid("The phone shows http and https addresses, not \(scheme).")
            return
        }
        self = url.isOnLoopback ? .here(url) : .elsewhere(url)
    }

    /// On this machine a server speaks http, and `localhost:5173` has no scheme.
    private static func withScheme(_ input: String) -> String {
        guard !input.contains("://"), let url = URL(string: "http://\(input)"), url.user() == nil, url.isOnLoopback
        else { return input }
        return url.absoluteString
    }
}
