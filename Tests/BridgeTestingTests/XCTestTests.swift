import BridgeTesting
import Bridgehead
import XCTest

/// The same library from XCTest: what fails is thrown, which both frameworks report.
final class XCTestTests: XCTestCase {
    func testAConversation() async throws {
        let bridge = Bridge()
        bridge.on("double") { payload, _ in JSON(2 * (payload["n"]?.int ?? 0)) }
        let server = try await BridgeTestServer(bridge)
        let page = try await server.page()
        let answer = try await page.request("double", ["n": 21])
        XCTAssertEqual(answer, 42)
        let call = try await server.calls.next("double")
        XCTAssertEqual(call.payload["n"], 21)
        await server.stop()
    }

    /// XCTest reports a thrown error by its description.
    func testAFailuresText() async throws {
        let bridge = Bridge()
        bridge.on("log") { (_: JSON, _) in JSON.null }
        let server = try await BridgeTestServer(bridge)
        let page = try await server.page()
        try await page.request("log", ["n": 1])
        do {
            _ = try await server.calls.next("save", within: .milliseconds(1))
            XCTFail("there was no such call")
        } catch {
            XCTAssertEqual(
                "\(error)", "no call of save within 0.001 seconds; what did arrive:\n  log {\"n\":1}")
        }
        await server.stop()
    }
}
