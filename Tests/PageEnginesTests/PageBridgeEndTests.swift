import BridgeTesting
import Bridgehead
import Foundation
import PageEngines
import PageModel
import Testing

/// When a page is a bridge's and when it is not any more; and what is answered although it cannot be read.
@MainActor @Suite struct PageBridgeEndTests {
    private let stub = StubWebView()
    private let page: WebPage
    private let bridge = Bridge()

    init() throws {
        page = WebPage(stub)
        page.load(local("/a"))
        try page.messageHandlers.add("bridge", bridge)
    }

    private var deep: JavaScriptValue { (0..<700).reduce(nil) { value, _ in [value] } }

    @Test(.timeLimit(.minutes(1))) func aBodyThatIsNestedTooDeepIsRejected() async throws {
        bridge.on("echo") { (payload: JSON, _) in payload }
        await #expect(throws: StubRejection.self) {
            try await stub.postMessage(["eventName": "echo", "deep": deep], to: "bridge")
        }
        #expect(try await stub.postMessage(["eventName": "echo", "a": 1], to: "bridge") == ["a": 1])
    }

    @Test(.timeLimit(.minutes(1))) func aResultThatIsNestedTooDeepFails() async throws {
        stub.answer = { [deep] _ in deep }
        bridge.on("run") { (_: JSON, call: BridgeCall<JSON>) async -> JSON in
            do { return try await call.page.evaluate("deep") } catch { return "failed" }
        }
        #expect(try await stub.postMessage(["eventName": "run"], to: "bridge") == "failed")
    }

    @Test func aBridgeIsThePagesUntilItsLastNameIsRemoved() throws {
        try page.messageHandlers.add("other", bridge)
        #expect(bridge.pages.count == 1)
        page.messageHandlers.remove("bridge")
        #expect(bridge.pages.count == 1)
        page.messageHandlers.remove("other")
        #expect(bridge.pages.isEmpty)
        page.load(local("/b"))
        #expect(bridge.pages.isEmpty)
        try page.messageHandlers.add("bridge", bridge)
        #expect(bridge.pages.count == 1)
    }

    @Test(arguments: [false, true]) func whatWasPostedBeforeTheRemovalIsAnswered(_ all: Bool) async throws {
        bridge.on("once") { [page] (_: JSON, _: BridgeCall<JSON>) async -> JSON in
            await MainActor.run {
                if all { page.messageHandlers.removeAll() } else { page.messageHandlers.remove("bridge") }
            }
            return "done"
        }
        #expect(try await stub.postMessage(["eventName": "once"], to: "bridge") == "done")
        while !bridge.pages.isEmpty { await Task.yield() }
    }

    @Test(.timeLimit(.minutes(1))) func aDocumentTakesWhatWasRemovedWithIt() async throws {
        let (began, beginning) = AsyncStream<Void>.makeStream()
        bridge.on("wait") { (_: JSON, _: BridgeCall<JSON>) async -> JSON in
            beginning.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return .null
        }
        let posted = Task { [stub] in try await stub.postMessage(["eventName": "wait"], to: "bridge") }
        for await _ in began { break }
        page.messageHandlers.remove("bridge")
        #expect(bridge.pages.count == 1)
        page.load(local("/b"))
        #expect(bridge.pages.isEmpty)
        await #expect(throws: StubRejection.self) { try await posted.value }
    }

    @Test func aPageThatIsClosedIsNoBridges() throws {
        page.messageHandlers.removeAll()
        page.close()
        try page.messageHandlers.add("again", bridge)
        #expect(bridge.pages.isEmpty)
    }

    @Test func aPageThatHasCrashedIsTheBridgesAgainWithItsNextDocument() {
        stub.terminateWebContent()
        #expect(bridge.pages.isEmpty)
        page.reload()
        #expect(bridge.pages.count == 1)
    }

    /// A call of a page's function that never returns does not hold the page.
    @Test(.timeLimit(.minutes(1))) func whatIsAskedOfAPageDoesNotKeepIt() async throws {
        let other = Bridge()
        let (asked, asking) = AsyncStream<Void>.makeStream()
        let (end, ending) = AsyncStream<Void>.makeStream()
        var page: WebPage? = WebPage(StubWebView())
        weak let gone = page
        let backing = try #require(page?.backing as? StubWebView)
        backing.answer = { _ in
            asking.yield()
            for await _ in end {}
            return nil
        }
        try page?.messageHandlers.add("bridge", other)
        let call = Task { [bridgePage = try #require(other.pages.first)] in
            let _: JSON = try await bridgePage.callFunction("forever")
        }
        for await _ in asked { break }
        page = nil
        #expect(gone == nil)
        await #expect(throws: BridgeFailure.self) { try await call.value }
        ending.finish()
    }
}
