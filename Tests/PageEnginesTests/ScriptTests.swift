import BridgeTesting
import Foundation
import PageEngines
import PageModel
import Testing

@MainActor @Suite struct StubScriptTests {
    private let stub = StubWebView()

    @Test func scriptsAreAnsweredAsTheTestSays() async throws {
        let page = WebPage(stub)
        stub.answer = { script in .number((script.arguments["a"]?.number ?? 0) + (script.arguments["b"]?.number ?? 0)) }
        #expect(try await page.callJavaScript("return a + b", arguments: ["a": 40, "b": 2]) == 42)
        #expect(
            stub.calls == [
                .call(StubScript(source: "return a + b", arguments: ["a": 40, "b": 2], frame: nil, world: .page))
            ])
    }

    @Test func withoutAnAnswerTheyFailAndSayWhatToDo() async {
        let error = await #expect(throws: WebPageError.self) { try await WebPage(stub).evaluateJavaScript("1") }
        #expect("\(error.map { "\($0)" } ?? "")".contains("set `answer`"))
    }

    @Test func aPageThatIsClosedOrCrashedSaysSo() async {
        let page = WebPage(stub)
        stub.answer = { _ in 1 }
        page.load(local("/a"))
        stub.terminateWebContent()
        await #expect(throws: WebPageError.webContentProcessTerminated) { try await page.evaluateJavaScript("1") }
        page.reload()
        await #expect(throws: Never.self) { try await page.evaluateJavaScript("1") }
        page.close()
        let error = await #expect(throws: WebPageError.self) { try await page.callJavaScript("return 1") }
        #expect(error?.code == 3)
        #expect(page.load(local("/b")).id > 0)
        #expect(page.url == local("/a"))
    }
}
