import BridgeTesting
import Foundation
import PageEngines
import PageModel
import Testing

enum FooterEvent: String, CaseIterable { case like, share }

@MainActor @Test func aFooterStandsAtTheEndOfTheArticle() async throws {
    let stub = StubWebView()
    stub.overlays.layout = StubLayout(height: 2_000, placeholders: ["app-footer-placeholder": 1_900])
    let page = WebPage(stub)
    page.load(try #require(URL(string: "https://example.com/article")))
    var likes = 0
    let title = "Tom & <b>Jerry</b>"
    let footer = try NativeView(
        label: "Article footer", events: FooterEvent.self, style: "footer { padding: 12px }",
        """
        <footer><p>\(title)</p><button event="like">Like</button></footer>
        """
    ) { event, _ in
        if event == .like { likes += 1 }
    }
    let overlay = try page.overlays.attach(footer, at: .placeholder("app-footer-placeholder"), height: 120)
    try await overlay.placed()
    #expect(overlay.frame == OverlayRect(x: 0, y: 1_900, width: 393, height: 120))
    overlay.height = 400
    try await overlay.placed()
    #expect(overlay.contentHeight == 2_400)
    stub.overlays.send("like", from: overlay)
    #expect(likes == 1)
}

// The test above stands in the README too, which a test compares.
