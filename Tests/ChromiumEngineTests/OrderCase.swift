import Foundation
import PageEngines
import PageModel
import Testing

/// A row of WebKit's table of orders.
struct OrderCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What is looked at.
    let letters: String
    let startsInA: Bool
    let answers: @Sendable (Pages) -> Void
    /// The last entry.
    let end: String
    let expected: String
    /// WebKit's own order, where Chromium does not keep it, and why.
    let difference: (webKit: String, reason: String)?
    let act: @MainActor @Sendable (WebPage, Pages, EventLog) async throws -> Void

    init(
        _ name: String, of letters: String = "ASDRCFXul", startsInA: Bool = true,
        answers: @escaping @Sendable (Pages) -> Void = { _ in }, end: String = "F", _ expected: String,
        difference: (webKit: String, reason: String)? = nil,
        act: @escaping @MainActor @Sendable (WebPage, Pages, EventLog) async throws -> Void
    ) {
        testDescription = name
        self.letters = letters
        self.startsInA = startsInA
        self.answers = { pages in
            pages["/a"] = .page("A", ##"<a id=b href=/b>b</a><a id=x href="#x">x</a>"##)
            pages["/b"] = .page("B")
            pages["/r"] = .redirect("/b")
            pages["/slow"] = .pending
            answers(pages)
        }
        self.end = end
        self.expected = expected
        self.difference = difference
        self.act = act
    }

    static let all = loads + documents + failures + pageLoads + states + frames

    /// Runs a script in the page, and does not wait for what it leads to.
    static func run(_ script: String) -> @MainActor @Sendable (WebPage, Pages, EventLog) async throws -> Void {
        { page, _, _ in
            do {
                _ = try await page.evaluateJavaScript("\(script); 0")
            } catch WebPageError.javaScriptException {
                // The document may go before the answer comes.
            }
        }
    }

    static func click(_ id: String) -> @MainActor @Sendable (WebPage, Pages, EventLog) async throws -> Void {
        run("document.getElementById('\(id)').click()")
    }
}
