import BridgeJSON
import Bridgehead
import ConnectedEngine
import Foundation
import PageEngines
import PageModel
import Testing

/// Message handlers of a page that is connected.
@MainActor @Suite(.timeLimit(.minutes(5))) struct MessageTests {
    let bridge = Bridge()
    let pages: ConnectedPages

    init() { pages = ConnectedPages(bridge) }

    private func open(_ tab: String = "tab") async throws -> (WebPage, FakePage) {
        let document = FakePage(bridge, "http://127.0.0.1/\(tab)", tab: tab, document: tab)
        document.open()
        let page = WebPage(try await pages.next())
        await settled()
        return (page, document)
    }

    private func answer(to message: JSON, of document: FakePage) async -> JSON? {
        document.send(message)
        let id = message["requestId"]
        for _ in 1...10 {
            await settled()
            if let answer = document.received.last(where: { $0["requestId"] == id && $0["eventName"] == nil }) {
                return answer
            }
        }
        return nil
    }

    private func post(_ body: JSON, to handler: String, id: String = "p") -> JSON {
        ["eventName": "$/postMessage", "requestId": JSON(id), "handler": JSON(handler), "body": body]
    }

    @Test func aMessageGoesToThePagesHandlerInTheTaggedForm() async throws {
        let (page, document) = try await open()
        let echo = Echo()
        try page.messageHandlers.add("h", echo)
        #expect(document.received.last?["eventName"] == "$/messageHandlersChanged")
        #expect(document.received.last?["messageHandlers"] == ["bridge": "reply", "h": "reply"])
        let body: JSON = ["n": ["$number": "NaN"], "d": ["$date": 5000], "list": [["$undefined": true], 1]]
        #expect(
            await answer(to: post(body, to: "h"), of: document)?["response"]
                == ["n": ["$number": "NaN"], "d": ["$date": 5000], "list": [nil, 1]])
        #expect(echo.messages.first?.frame.isMainFrame == true && echo.messages.first?.name == "h")
        let failure = await answer(to: post("fail", to: "h", id: "q"), of: document)?["error"]
        #expect(failure?["code"] == -32000 && failure?["message"] == "Refused!")
        page.messageHandlers.remove("h")
        #expect(document.received.last?["messageHandlers"] == ["bridge": "reply"])
        #expect(await answer(to: post(1, to: "h", id: "r"), of: document)?["error"]?["code"] == -32601)
    }

    @Test(arguments: [["o": ["$ref": 0]], ["list": [["$ref": 1]]]] as [JSON])
    func whatIsInItselfLeavesNoPage(_ cycle: JSON) async throws {
        let (page, document) = try await open()
        let echo = Echo()
        try page.messageHandlers.add("h", echo)
        let failure = await answer(to: post(cycle, to: "h"), of: document)?["error"]
        #expect(failure?["message"] == "The object can not be cloned." && echo.messages.isEmpty)
        let result = Task { try await page.evaluateJavaScript("x") }
        while document.asked("$/page.evaluate").isEmpty { await settled() }
        document.answer(document.asked("$/page.evaluate").last, cycle)
        await #expect(throws: WebPageError.javaScriptResultTypeIsUnsupported) { _ = try await result.value }
    }

    @Test func anAnswerThatIsTooDeepIsRefused() async throws {
        let (page, document) = try await open()
        try page.messageHandlers.add("deep", Deep())
        let failure = await answer(to: post(1, to: "deep"), of: document)?["error"]
        #expect(failure?["message"]?.string?.contains("nested deeper") == true)
        await #expect(throws: WebPageError.self) {
            _ = try await page.callJavaScript("return x", arguments: ["x": Deep.value])
        }
        #expect(document.asked("$/page.call").isEmpty)
    }

    @Test func handlersAreThePagesAndTheNextDocumentKnowsThemFromItsGreeting() async throws {
        let (page, document) = try await open("one")
        let (_, other) = try await open("two")
        try page.messageHandlers.add("h", Echo())
        #expect(other.asked("$/messageHandlersChanged").isEmpty)
        #expect(await answer(to: post(1, to: "h"), of: other)?["error"]?["code"] == -32601)
        document.end()
        let next = FakePage(bridge, "http://127.0.0.1/next", tab: "one", document: "next", index: 1)
        next.connect()
        #expect(next.received.first?["response"]?["messageHandlers"] == ["bridge": "reply", "h": "reply"])
        // Before anybody here has heard of the document.
        #expect(await answer(to: post("early", to: "h"), of: next)?["response"] == "early")
    }

    @Test func theHandlerNamedBridgeTakesEventsBeforeTheServersBridge() async throws {
        bridge.on("e") { _, _ in "the server's" as JSON }
        let (page, document) = try await open()
        let event: JSON = ["eventName": "e", "requestId": "own", "n": 1]
        #expect(await answer(to: event, of: document)?["response"] == "the server's")
        try page.messageHandlers.add("bridge", Echo())
        #expect(
            await answer(to: ["eventName": "e", "requestId": "own2", "n": 1], of: document)?["response"]
                == ["eventName": "e", "requestId": "own2", "n": 1])
        page.messageHandlers.remove("bridge")
        #expect(
            await answer(to: ["eventName": "e", "requestId": "own3"], of: document)?["response"] == "the server's")
    }

    @Test func aBridgeAsAHandlerAnswersEvents() async throws {
        let (page, document) = try await open()
        let own = Bridge()
        own.on("getTitle") { payload, _ in ["title": payload["of"] ?? .null] as JSON }
        try page.messageHandlers.add("bridge", own)
        #expect(
            await answer(to: ["eventName": "getTitle", "requestId": "1", "of": "x"], of: document)?["response"]
                == ["title": "x"])
        // The client tells handleNativeResponse itself.
        #expect(document.asked("$/page.call").isEmpty)
        #expect(
            await answer(to: ["eventName": "nothing", "requestId": "2"], of: document)?["error"]?["message"]
                == "Method not found")
    }

    @Test func messagesAndChangesComeInTheirOrder() async throws {
        let (page, document) = try await open()
        let heard = Heard()
        try page.messageHandlers.add("h", heard)
        for n in 1...3 {
            document.tell(url: "http://127.0.0.1/\(n)", "push", n)
            document.send(post(JSON(n), to: "h", id: "\(n)"))
        }
        await settled()
        #expect(heard.seen == ["1 at /1", "2 at /2", "3 at /3"])
    }

    /// A handler that the bridge gets later is there in pages that are loaded, as an app's is.
    @Test func theBridgesOwnHandlersComeAndGoToo() async throws {
        let (_, document) = try await open()
        bridge.onMessage("late") { (body: JSON, _) in body }
        await settled()
        #expect(document.received.last?["messageHandlers"] == ["bridge": "reply", "late": "reply"])
        bridge.remove("late")
        await settled()
        #expect(document.received.last?["messageHandlers"] == ["bridge": "reply"])
    }
}

private final class Deep: WebPageScriptMessageReplying {
    static let value = (1...1000).reduce(JavaScriptValue.null) { value, _ in [value] }

    func webPage(
        _ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage
    ) async throws -> JavaScriptValue { Self.value }
}

@MainActor
private final class Heard: WebPageScriptMessageHandling {
    private(set) var seen: [String] = []

    func webPage(_ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage) {
        seen.append("\(message.body.int ?? 0) at \(page.url?.path ?? "")")
    }
}
