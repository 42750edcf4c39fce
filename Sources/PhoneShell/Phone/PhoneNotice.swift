internal import Bridgehead
internal import InAppBrowser

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What is said in the place of the page.
struct PhoneNotice: Hashable, Sendable {
    enum Kind: String, Sendable { case confirm, denied, failed, badURL, noClient, noFraming }

    let kind: Kind
    let title: String
    let text: String
    var url: URL?

    static func confirm(_ url: URL) -> PhoneNotice {
        PhoneNotice(
            kind: .confirm, title: "Leave this machine?",
            text: "\(url.host() ?? "This page") is not on this machine. Whoever runs it sees that you were there.",
            url: url)
    }

    static func badURL(_ text: String) -> PhoneNotice {
        PhoneNotice(kind: .badURL, title: "The phone cannot open this", text: text)
    }

    static func unreachable(_ url: URL, _ reason: String) -> PhoneNotice {
        PhoneNotice(
            kind: .failed, title: "The page did not load",
            text: "Nobody answers at \(url.host() ?? "") port \(url.port ?? 80): \(reason). Is its server running?",
            url: url)
    }

    static func noFraming(_ url: URL, _ field: String) -> PhoneNotice {
        PhoneNotice(
            kind: .noFraming, title: "The page may not be framed",
            text: "It is sent with \(field), so no browser shows it in a frame. A window of its own can show it.",
            url: url)
    }

    static func noClient(_ url: URL?) -> PhoneNotice {
        PhoneNotice(
            kind: .noClient, title: "The page has no client",
            text: "It has loaded, and did not connect. It needs <script src=\"…/_bridge/client.js\"></script>; "
                + "if it has that, its console says what is wrong.", url: url)
    }

    init(kind: Kind, title: String, text: String, url: URL? = nil) {
        self.kind = kind
        self.title = title
        self.text = text
        self.url = url
    }

    init(_ notice: InAppBrowserViewModel.Notice) {
        switch notice {
        case .denied(let url):
            self.init(kind: .denied, title: "Not opened", text: "The app does not let its page go there.", url: url)
        case .failed(let error):
            self.init(kind: .failed, title: "The page did not load", text: "\(error)")
        }
    }

    var json: JSON {
        [
            "kind": JSON(kind.rawValue), "title": JSON(title), "text": JSON(text),
            "url": url.map { JSON($0.absoluteString) } ?? .null,
        ]
    }
}
