import BridgeJSON
import BridgeWire
import Bridgehead
import Testing

@Suite("Batches", .timeLimit(.minutes(10)))
struct BatchTests {
    private func batch(_ count: Int, _ method: String = "echo") -> String {
        "[" + (0..<count).map { #"{"jsonrpc":"2.0","method":"\#(method)","id":\#($0)}"# }.joined(separator: ",") + "]"
    }

    @Test("As many elements as the limit says, and one more", arguments: [-1, 0, 1])
    func count(difference: Int) async throws {
        let client = SessionClient(behaviourBridge())
        let answer = try await client.ask(batch(1_000 + difference))
        if difference <= 0 {
            #expect(answer.array?.map { $0["id"]?.int } == Array(0..<1_000 + difference))
        } else {
            #expect(answer["error"]?["code"] == -32600)
            #expect(answer["id"] == .null)
        }
        await client.expectNothing()
    }

    @Test("Answers that would push the array over the message limit become −32603", arguments: [-1, 0, 1])
    func size(difference: Int) async throws {
        let text = String(repeating: "x", count: 500)
        let bridge = Bridge()
        bridge.on("text") { _, _ in text }
        bridge.on("short") { _, _ in 1 }
        let sent =
            #"[{"jsonrpc":"2.0","method":"text","id":1},{"jsonrpc":"2.0","method":"short","id":2},"#
            + #"{"jsonrpc":"2.0","method":"text","id":3}]"#
        let whole =
            #"[{"jsonrpc":"2.0","result":"\#(text)","id":1},{"jsonrpc":"2.0","result":1,"id":2},"#
            + #"{"jsonrpc":"2.0","result":"\#(text)","id":3}]"#
        var limits = BridgeLimits()
        limits.message = whole.utf8.count - difference
        let client = SessionClient(bridge, limits: limits)
        client.send(sent)
        let answer = await client.next()
        if difference <= 0 {
            #expect(answer == whole)
        } else {
            #expect(
                answer
                    == #"[{"jsonrpc":"2.0","result":"\#(text)","id":1},{"jsonrpc":"2.0","result":1,"id":2},"#
                    + #"{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":3}]"#)
        }
    }

    @Test("The failures that stand for answers do not push the array over either")
    func crowded() async throws {
        var limits = BridgeLimits()
        limits.message = 2_000
        let bridge = Bridge()
        bridge.on("text") { _, _ in String(repeating: "x", count: 120) }
        let client = SessionClient(bridge, limits: limits)
        client.send(batch(25, "text"))
        let answer = await client.next()
        #expect(answer.utf8.count <= 2_000)
        let array = try JSON(parsing: answer)
        #expect(array.array?.count == 25)
        #expect(array.array?.filter { $0["error"]?["code"] == -32603 }.isEmpty == false)
    }

    @Test("Progress goes by itself, and elements start in order")
    func progress() async throws {
        let bridge = Bridge()
        let gate = Gate()
        let seen = Box<[Int?]>([])
        bridge.on("slow") { payload, call in
            seen.update { $0.append(payload[0]?.int) }
            call.report(1)
            await gate.passed()
            return payload
        }
        bridge.on("echo") { payload, _ in
            seen.update { $0.append(payload[0]?.int) }
            return payload
        }
        let client = SessionClient(bridge)
        client.send(
            #"[{"jsonrpc":"2.0","method":"slow","params":[1],"id":"s"},{"jsonrpc":"2.0","method":"echo","params":[2]},"#
                + #"{"jsonrpc":"2.0","method":"echo","params":[3],"id":"e"}]"#)
        #expect(
            await client.next() == #"{"jsonrpc":"2.0","method":"$/progress","params":{"id":"s","value":1}}"#)
        await client.expectNothing()
        #expect(seen.value == [1, 2, 3])
        // Later messages do not wait; an id of the batch is in flight until the array goes out.
        #expect(
            try await client.ask(#"{"requestId":"e","eventName":"echo"}"#)["error"]?["data"]?["duplicate"] == true)
        gate.open()
        #expect(
            await client.next() == #"[{"jsonrpc":"2.0","result":[1],"id":"s"},{"jsonrpc":"2.0","result":[3],"id":"e"}]"#
        )
        #expect(try await client.ask(#"{"requestId":"e","eventName":"echo"}"#)["response"] == [:])
    }
}
