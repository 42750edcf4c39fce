import BridgeTesting
import Foundation
import PageEngines
import PageModel
import Testing

/// What a page may post, and what it hears, in WebKit's words.
@MainActor @Suite struct MessageHandlerTests {
    private let stub = StubWebView()
    private let page: WebPage

    init() {
        page = WebPage(stub)
        page.load(local("/a"))
    }

    private func rejection(_ body: () async throws -> JavaScriptValue) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func aReplyFulfils() async throws {
        let replier = Replier { .string("\($0.body.string ?? "")!") }
        try page.messageHandlers.add("h", replier)
        #expect(try await stub.postMessage("Hello", to: "h") == "Hello!")
        #expect(replier.messages.map(\.name) == ["h"] && replier.messages.first?.frame == stub.mainFrame)
    }

    @Test func anErrorRejectsWithItsText() async throws {
        try page.messageHandlers.add("h", Replier { _ in throw Refusal(description: "Rejected!") })
        #expect(await rejection { try await stub.postMessage(1, to: "h") } == "Error: Rejected!")
    }

    @Test func aHandlerThatOnlyHearsFulfilsWithUndefined() async throws {
        let hearer = Hearer()
        try page.messageHandlers.add("h", hearer)
        #expect(try await stub.postMessage(["a": 1], to: "h") == .undefined)
        #expect(hearer.bodies == [["a": 1]])
    }

    @Test func whatIsNeverAnsweredIsRejected() async throws {
        stub.addMessageHandler("h", world: .page) { _, _ in }
        let text = await rejection { try await stub.postMessage(1, to: "h") }
        #expect(text == "Error: WKWebView API client did not respond to this postMessage")
    }

    @Test func aPageThatIsGoneRejects() async throws {
        var gone: WebPage? = WebPage(StubWebView())
        let backing = try #require(gone?.backing as? StubWebView)
        try gone?.messageHandlers.add("h", Hearer())
        gone = nil
        #expect(await rejection { try await backing.postMessage(1, to: "h") } != nil)
    }

    @Test func aNameIsTakenOncePerWorldByEitherKind() throws {
        let handlers = page.messageHandlers
        try handlers.add("h", Hearer())
        let error = #expect(throws: MessageHandlerError.self) { try handlers.add("h", Replier { _ in nil }) }
        #expect(
            "\(try #require(error))"
                == "Attempt to add script message handler with name 'h' when one already exists.")
        #expect(throws: MessageHandlerError.emptyName) { try handlers.add("", Hearer()) }
        try handlers.add("h", Hearer(), world: .named("w"))
        handlers.remove("h")
        try handlers.add("h", Replier { _ in nil })
    }

    @Test func aHandlerIsOfItsWorldAlone() async throws {
        let hearer = Hearer()
        try page.messageHandlers.add("h", hearer, world: .named("w"))
        #expect(await rejection { try await stub.postMessage(1, to: "h") } != nil)
        try await stub.postMessage(2, to: "h", world: .named("w"))
        page.messageHandlers.remove("h")
        try await stub.postMessage(3, to: "h", world: .named("w"))
        #expect(hearer.bodies == [2, 3])
    }

    @Test func removingThemLetsThemGo() throws {
        weak var gone: Hearer?
        do {
            let hearer = Hearer()
            try page.messageHandlers.add("h", hearer)
            gone = hearer
        }
        #expect(gone != nil)
        page.messageHandlers.removeAll()
        #expect(gone == nil)
    }

    @Test func handlersSurviveNavigations() async throws {
        let hearer = Hearer()
        try page.messageHandlers.add("h", hearer)
        page.load(local("/b"))
        try await stub.postMessage(1, to: "h")
        #expect(hearer.bodies == [1])
    }
}

struct Refusal: Error, CustomStringConvertible { var description: String }

@MainActor
private final class Replier: WebPageScriptMessageReplying {
    private(set) var messages: [WebPageScriptMessage] = []
    private let reply: (WebPageScriptMessage) throws -> JavaScriptValue

    init(_ reply: @escaping (WebPageScriptMessage) throws -> JavaScriptValue) {
        self.reply = reply
    }

    func webPage(
        _ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage
    ) async throws -> JavaScriptValue {
        messages.append(message)
        return try reply(message)
    }
}

@MainActor
private final class Hearer: WebPageScriptMessageHandling {
    private(set) var bodies: [JavaScriptValue] = []

    func webPage(_ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage) {
        bodies.append(message.body)
    }
}
