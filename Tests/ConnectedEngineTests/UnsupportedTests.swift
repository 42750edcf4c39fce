import BridgeJSON
import Bridgehead
import ConnectedEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// The table of ``ConnectedWebView``: what a page cannot do is said so, and the rest of it goes on.
@MainActor @Suite(.timeLimit(.minutes(5))) struct UnsupportedTests {
    let bridge = Bridge()

    private func open() async throws -> (WebPage, FakePage, Log) {
        let pages = ConnectedPages(bridge)
        let document = FakePage(bridge, "http://127.0.0.1/a", document: "1")
        document.open(title: "A")
        let page = WebPage(try await pages.next())
        await settled()
        return (page, document, Log(page))
    }

    private nonisolated static let world = WebPageContentWorld.named("own")
    private nonisolated static let frame = WebPageFrameInfo(
        id: "f", isMainFrame: false, request: WebPageRequest(local("/f")))

    private nonisolated static let throwing: [(String, @MainActor (WebPage) async throws -> Void)] = [
        ("evaluate in a world", { _ = try await $0.evaluateJavaScript("1", in: nil, world: world) }),
        ("call in a world", { _ = try await $0.callJavaScript("1", arguments: [:], in: nil, world: .defaultClient) }),
        ("evaluate in a frame", { _ = try await $0.evaluateJavaScript("1", in: frame) }),
        ("call in a frame", { _ = try await $0.callJavaScript("1", in: frame) }),
        ("a user script", { try $0.addUserScript(WebPageUserScript("1", at: .atDocumentStart)) }),
        ("a handler in a world", { try $0.messageHandlers.add("h", Echo(), world: world) }),
    ]

    @Test(arguments: throwing.indices) func itThrows(_ index: Int) async throws {
        let (page, document, _) = try await open()
        let before = document.received.count
        do {
            try await Self.throwing[index].1(page)
            Issue.record("\(Self.throwing[index].0) did not throw")
        } catch WebPageError.unsupported(let what) {
            #expect(what.contains(":"), "what, and why")
        }
        #expect(document.received.count == before)
        page.messageHandlers.removeAll()
    }

    private nonisolated static let failing: [(String, @MainActor (WebPage) -> Void)] = [
        ("X Not supported: load(html:)", { $0.load(html: "<p>", baseURL: local("/h")) }),
        ("X Not supported: a load with", { $0.load(WebPageRequest(local("/b"), method: "POST")) }),
        ("X Not supported: a load with", { $0.load(WebPageRequest(local("/b"), headerFields: ["X-A": "1"])) }),
        ("X Not supported: reload(fromOrigin: true)", { $0.reload(fromOrigin: true) }),
        ("X The URL can't be shown", { $0.load(URL(filePath: "/etc/passwd")) }),
    ]

    @Test(arguments: failing.indices) func theLoadFails(_ index: Int) async throws {
        let (page, document, log) = try await open()
        Self.failing[index].1(page)
        let entries = await log.take()
        #expect(entries.contains { $0.hasPrefix(Self.failing[index].0) }, "\(entries)")
        #expect(entries.first == "S" && page.url?.path == "/a" && !page.isLoading && page.title == "A")
        #expect(document.received.allSatisfy { !($0["eventName"]?.string ?? "").hasPrefix("$/page.") })
    }

    @Test func aPageWithoutEvaluationSaysSo() async throws {
        let (page, document, _) = try await open()
        async let failure = #expect(throws: WebPageError.self) { _ = try await page.evaluateJavaScript("1") }
        while document.asked("$/page.evaluate").isEmpty { await settled() }
        document.send([
            "requestId": document.asked("$/page.evaluate").last?["requestId"] ?? .null,
            "error": ["code": -32601, "message": "Method not found", "data": ["reason": "the page does not allow it"]],
        ])
        #expect(await failure == .unsupported("the page does not allow it"))
    }

    /// The table's rows are what is tested here, one for each thing that is refused.
    @Test func theTableNamesWhatIsRefused() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/ConnectedEngine/ConnectedWebView.swift")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("/// |") }.dropFirst(2)
        #expect(rows.count { $0.contains("throws `unsupported`") } == 5)
        #expect(rows.count { $0.contains("fails with") } == 4)
        #expect(rows.allSatisfy { $0.split(separator: "|").count == 4 }, "each with its reason")
    }
}
