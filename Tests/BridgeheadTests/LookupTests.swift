import BridgeJSON
import BridgeWire
import Bridgehead
import Testing

@Suite("Finding handlers by name", .timeLimit(.minutes(10)))
struct LookupTests {
    @Test(
        "However many handlers there are, each name finds its own and others find none", arguments: [0, 1, 7, 8, 1_000])
    func lookup(count: Int) async throws {
        let bridge = Bridge()
        let names = (0..<count).map { "event\($0)" } + ["\u{e9}", "e\u{301}", "", " "]
        for (index, name) in names.enumerated() {
            bridge.on(name) { (_: JSON, _: BridgeCall<JSON>) in index }
        }
        let client = SessionClient(bridge)
        for (index, name) in names.enumerated() {
            client.send(#"{"requestId":1,"eventName":\#(JSON(name).text)}"#)
            #expect(await client.next() == #"{"requestId":1,"response":\#(index)}"#)
        }
        for name in ["event\(count)", "event", "Event0", "\\ud800", "event0\\u0000"] {
            let answer = try await client.ask(#"{"requestId":1,"eventName":"\#(name)"}"#)
            #expect(answer["error"]?["code"] == -32601, "\(name)")
        }
    }
}
