import BridgeTesting
import Bridgehead
import Foundation
import PageEngines
import PageModel
import Testing

struct Greet: BridgeEvent {
    static let name = "greet"
    var who: String
    typealias Reply = String
}

struct Rename: BridgeEvent {
    static let name = "rename"
    var title: String
    struct Reply: Codable, Sendable { var old: String }
}

/// A bridge as a message handler of a page, with no server between.
@MainActor @Suite struct PageBridgeTests {
    private let stub = StubWebView()
    private let page: WebPage
    private let bridge = Bridge()

    init() throws {
        page = WebPage(stub)
        page.load(local("/a"))
        bridge.on(Greet.self) { event, _ in "Hello, \(event.who)" }
        try page.messageHandlers.add("bridge", bridge)
    }

    private func rejection(_ body: JavaScriptValue, to name: String = "bridge") async -> String? {
        do {
            _ = try await stub.postMessage(body, to: name)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func anEventReachesItsHandler() async throws {
        #expect(try await stub.postMessage(["eventName": "greet", "who": "Ada"], to: "bridge") == "Hello, Ada")
    }

    /// What a page posts goes through unchanged, also what JSON cannot say.
    @Test func valuesKeepTheirKinds() async throws {
        bridge.on("echo") { (payload: JSON, _) in payload }
        let date = Date(timeIntervalSince1970: 1)
        let body: JavaScriptValue = [
            "eventName": "echo", "a": [1, nil, true, "x", .undefined], "gone": .undefined, "when": .date(date),
            "nested": ["$object": 1], "e": -0.0,
        ]
        #expect(
            try await stub.postMessage(body, to: "bridge") == [
                "a": [1, nil, true, "x", nil], "when": "1970-01-01T00:00:01.000Z", "nested": ["$object": 1], "e": -0.0,
            ])
        #expect(await rejection(["eventName": "echo", "a": .number(.nan)]) == "Error: Invalid params")
    }

    @Test func aFailureRejectsWithItsMessage() async throws {
        bridge.on("signIn") { (_: JSON, _) -> JSON in throw BridgeFailure(4001, "Not signed in") }
        #expect(await rejection(["eventName": "signIn"]) == "Error: Not signed in")
        #expect(await rejection(["eventName": "unknown"]) == "Error: Method not found")
        #expect(await rejection(["eventName": "greet", "who": 1]) == "Error: Invalid params")
        #expect(await rejection("no event") == "Error: Method not found")
    }

    @Test func anEventIsNoBody() async throws {
        bridge.onMessage("bridge") { (_: JSON, _) in "a body" as JSON }
        #expect(
            try await stub.postMessage(["eventName": "greet", "who": "Ada", "requestId": "1"], to: "bridge")
                == "Hello, Ada")
        #expect(try await stub.postMessage(["who": "Ada"], to: "bridge") == "a body")
    }

    /// Neither is it a fault of its text, nor may its depth cost the stack.
    @Test(arguments: [501, 1000]) func whatIsTooDeepIsRejectedForThat(_ depth: Int) async {
        let deep = Self.deep(depth)
        #expect(await rejection(["eventName": "greet", "who": deep])?.contains("nested") == true)
    }

    @Test(arguments: [(500, true), (501, false), (1000, false)])
    func depthIsLimited(_ depth: Int, _ isTaken: Bool) {
        #expect(((try? JSON(tagging: Self.deep(depth))) != nil) == isTaken)
    }

    private static func deep(_ depth: Int) -> JavaScriptValue {
        (1...depth).reduce(JavaScriptValue.null) { value, _ in [value] }
    }

    @Test func otherBodiesReachTheHandlerOfTheirName() async throws {
        bridge.onMessage("log") { (body: String, _) in body.uppercased() }
        try page.messageHandlers.add("log", bridge)
        #expect(try await stub.postMessage("x", to: "log") == "X")
    }

    /// A plain handler's promise is fulfilled before the answer, which comes by the page's own function.
    @Test func aPlainHandlerAnswersThroughThePagesFunction() async throws {
        let (release, releasing) = AsyncStream<Void>.makeStream()
        bridge.onMessage("bridge") { (_: JSON, _) async -> Void in for await _ in release { break } }
        let (told, telling) = AsyncStream<StubScript>.makeStream()
        stub.answer = { script in
            telling.yield(script)
            return .undefined
        }
        #expect(try await stub.postMessage(["requestId": "1", "x": 1], to: "bridge") == .undefined)
        releasing.yield()
        for await script in told {
            #expect(script.source.contains("window.handleNativeResponse(response, requestId)"))
            #expect(script.arguments == ["response": nil, "requestId": "1"])
            break
        }
    }

    @Test func anAnswerIsToldToThePagesFunctionToo() async throws {
        let (told, telling) = AsyncStream<StubScript>.makeStream()
        stub.answer = { script in
            telling.yield(script)
            return .undefined
        }
        _ = try await stub.postMessage(["eventName": "greet", "who": "Ada", "requestId": 7], to: "bridge")
        for await script in told {
            #expect(script.arguments == ["response": "Hello, Ada", "requestId": 7])
            break
        }
    }

    @Test func handlersCallThePagesFunctions() async throws {
        stub.answer = { script in
            guard script.source.contains("value.apply(owner, values)") else { return .undefined }
            return ["path": script.arguments["path"] ?? .null, "first": script.arguments["values"]?[0] ?? .null]
        }
        bridge.on("rename") { (_: JSON, call: BridgeCall<JSON>) async throws -> JSON in
            try await call.page.callFunction("app.updateTitle", "hello")
        }
        #expect(
            try await stub.postMessage(["eventName": "rename"], to: "bridge") == [
                "path": "app.updateTitle", "first": "hello",
            ])
    }

    @Test func whatThePageThrowsReachesTheHandler() async throws {
        stub.answer = { _ in
            throw WebPageError.javaScriptException(.init(message: "TypeError: nope", line: 3, column: 4))
        }
        bridge.on("run") { (_: JSON, call: BridgeCall<JSON>) async throws -> JSON in
            do {
                return try await call.page.evaluate("nope()")
            } catch let failure as BridgeFailure {
                return [
                    "code": JSON(failure.code), "message": JSON(failure.message),
                    "line": failure.data?["line"] ?? .null,
                ]
            }
        }
        #expect(
            try await stub.postMessage(["eventName": "run"], to: "bridge") == [
                "code": -32010, "message": "TypeError: nope", "line": 3,
            ])
    }

    @Test func handlersNavigateThePage() async throws {
        bridge.on("leave") { (_: JSON, call: BridgeCall<JSON>) async throws -> JSON in
            guard let url = URL(string: "http://127.0.0.1/b") else { return .null }
            try await call.page.load(url)
            return "left"
        }
        var commits = page.urlChanges.filter(\.isCommitted).makeAsyncIterator()
        _ = Task { [stub] in try? await stub.postMessage(["eventName": "leave"], to: "bridge") }
        #expect(await commits.next()?.url == local("/b"))
    }

    /// Each document is a page of its own: what is asked of one that has gone fails.
    @Test func aDocumentThatGoesTakesItsCallsWithIt() async throws {
        let (failures, failing) = AsyncStream<Int>.makeStream()
        let (began, beginning) = AsyncStream<Void>.makeStream()
        bridge.on("wait") { (_: JSON, call: BridgeCall<JSON>) async throws -> JSON in
            await withTaskCancellationHandler {
                beginning.yield()
                for await _ in AsyncStream<Void>.makeStream().stream {}
            } onCancel: {
                failing.yield(0)
            }
            return .null
        }
        let posted = Task { [stub] in try await stub.postMessage(["eventName": "wait"], to: "bridge") }
        for await _ in began { break }
        #expect(bridge.pages.count == 1)
        page.load(local("/b"))
        for await _ in failures { break }
        // As in WebKit an answer to a document that is gone has nowhere to go; whoever still holds the promise hears so.
        await #expect(throws: StubRejection.self) { try await posted.value }
        #expect(bridge.pages.count == 1)
        page.close()
        #expect(bridge.pages.isEmpty)
    }

    @Test func aPageThatIsLetGoLeavesTheBridge() throws {
        let other = Bridge()
        do {
            let page = WebPage(StubWebView())
            try page.messageHandlers.add("bridge", other)
            #expect(other.pages.count == 1)
        }
        #expect(other.pages.isEmpty)
    }
}
