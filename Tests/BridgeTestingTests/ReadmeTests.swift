import BridgeTesting
import Bridgehead
import Testing

@Test func titlesAreAnswered() async throws {
    let bridge = Bridge()
    bridge.on(GetRandomTitle.self) { _, _ in "Title: 1" }
    try await withBridge(bridge) { server in
        let page = try await server.page()
        let title = try await page.request(GetRandomTitle())
        #expect(title == "Title: 1")
        #expect(try await server.calls.next("getRandomTitle").payload == [:])
    }
}

// The test above stands in the README too, which a test compares.

private struct GetRandomTitle: BridgeEvent {
    static let name = "getRandomTitle"
    typealias Reply = String
}
