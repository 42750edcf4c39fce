import Bridgehead
import ConnectedEngine
package import PageEngines
package import PageModel

/// A native view of the demo's app at the end of its articles, as the phone shows them: its button is answered here, which the
/// page is told, and the page's slider sets its height.
@MainActor
package final class ArticleFooter: WebPageScriptMessageReplying {
    enum Event: String, CaseIterable { case like }

    private struct Liked: BridgeEvent {
        static let name = "footer.liked"
        let count: Int
    }

    /// What a page may ask for, in CSS pixels.
    private static let heights = 0.0...400.0

    private weak var page: WebPage?
    private var overlay: NativeOverlay?
    private var likes = 0

    private init(_ page: WebPage) {
        self.page = page
    }

    /// Attaches it to a page, which keeps it.
    package static func attach(to page: WebPage) {
        let footer = ArticleFooter(page)
        do {
            footer.overlay = try page.overlays.attach(
                try footer.view(), at: .placeholder("app-footer-placeholder"), height: 120)
            try page.messageHandlers.add("footer", footer)
        } catch {
            assertionFailure("\(error)")
        }
    }

    private func view() throws -> NativeView {
        let count = likes == 1 ? "1 like" : "\(likes) likes"
        return try NativeView(
            label: "Article footer", events: Event.self, style: Self.style,
            """
            <footer><p>This is a native view. <b>\(count)</b></p><button event="like">Like</button></footer>
            """
        ) { [weak self] _, _ in self?.like() }
    }

    private static let style = """
        :host { color-scheme: light dark }
        footer {
          box-sizing: border-box; height: 100%; padding: 0 20px; display: flex; align-items: center; gap: 16px;
          justify-content: space-between; font: 16px system-ui; color: #fff;
          background: linear-gradient(135deg, #0b4f6c, #145c9e);
        }
        p { margin: 0 }
        button { font: inherit; padding: 10px 18px; border: 0; border-radius: 22px; background: #fff; color: #0b4f6c }
        button:focus-visible { outline: 3px solid #ffd166; outline-offset: 2px }
        """

    private func like() {
        likes += 1
        if let changed = try? view() { overlay?.view = changed }
        try? (page?.backing as? ConnectedWebView)?.bridgePage?.notify(Liked(count: likes))
    }

    /// The page's slider.
    package func webPage(
        _ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage
    ) async throws -> JavaScriptValue {
        guard let height = message.body["height"]?.number, Self.heights.contains(height) else {
            throw BridgeFailure(4000, "The footer takes a height from 0 to 400.")
        }
        overlay?.height = height
        return .undefined
    }
}
