import BridgeJSON
import BridgeWire
import Bridgehead
import Testing

@Suite("Cancelling, deadlines, the end of sessions", .timeLimit(.minutes(10)))
struct CancellationTests {
    struct Wait: BridgeEvent {
        static let name = "wait"
        typealias Reply = String
        typealias Progress = Int
    }

    /// A handler that waits until its task is cancelled, then tells the inbox.
    private func waitingBridge(_ cancelled: Inbox<Bool>, deadline: Duration? = nil) -> Bridge {
        let bridge = Bridge()
        bridge.on("echo") { payload, _ in payload }
        bridge.on(Wait.self, deadline: deadline) { _, call in
            let gate = Gate()
            await withTaskCancellationHandler {
                await gate.passed()
            } onCancel: {
                gate.open()
            }
            call.report(1)
            cancelled.put(call.isCancelled && Task.isCancelled)
            return "too late"
        }
        return bridge
    }

    @Test(
        "Law 11: cancelling settles at once; later results and progress are dropped",
        arguments: [
            #"{"eventName":"$/cancelRequest","id":1}"#, #"{"eventName":"$/cancelRequest","id":1.0}"#,
            #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#,
        ])
    func cancel(text: String) async throws {
        let cancelled = Inbox<Bool>()
        let client = SessionClient(waitingBridge(cancelled))
        client.send(#"{"requestId":1,"eventName":"wait"}"#)
        client.send(#"{"eventName":"$/cancelRequest","id":"1"}"#)
        await client.expectNothing()
        let answer = try await client.ask(text)
        #expect(answer["requestId"] == 1)
        #expect(answer["error"]?["code"] == -32800)
        #expect(await cancelled.next())
        await client.settled()
        await client.expectNothing()
        // The id is free, and cancelling what is settled is ignored.
        client.send(text)
        #expect(try await client.ask(#"{"requestId":1,"eventName":"echo"}"#)["response"] == [:])
    }

    @Test("Cancelling as a request is answered null, after the answer of what it cancels")
    func cancelRequest() async throws {
        let cancelled = Inbox<Bool>()
        let client = SessionClient(waitingBridge(cancelled))
        client.send(#"{"jsonrpc":"2.0","method":"wait","id":"a"}"#)
        client.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a"},"id":"b"}"#)
        #expect(try await client.answer()["error"]?["code"] == -32800)
        #expect(await client.next() == #"{"jsonrpc":"2.0","result":null,"id":"b"}"#)
        #expect(await cancelled.next())
    }

    @Test("A cancelled reply-later handler sees it, and its answer is dropped")
    func cancelLater() async throws {
        struct Later: BridgeEvent {
            static let name = "later"
            typealias Reply = Int
        }
        let bridge = Bridge()
        let kept = Box<(BridgeCall<Never>, BridgeReply<Int>)?>(nil)
        bridge.on(Later.self) { _, call, reply in kept.update { $0 = (call, reply) } }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":1,"eventName":"later"}"#)
        await client.settled()
        #expect(kept.value?.0.isCancelled == false)
        #expect(try await client.ask(#"{"eventName":"$/cancelRequest","id":1}"#)["error"]?["code"] == -32800)
        #expect(kept.value?.0.isCancelled == true)
        kept.value?.1(5)
        await client.expectNothing()
        #expect(!client.logged.value.contains { $0.contains("second answer") })
    }

    @Test("Batches: cancelling one element settles it in the array")
    func cancelInBatch() async throws {
        let cancelled = Inbox<Bool>()
        let client = SessionClient(waitingBridge(cancelled))
        client.send(#"[{"jsonrpc":"2.0","method":"wait","id":1},{"jsonrpc":"2.0","method":"echo","id":2}]"#)
        await client.expectNothing()
        // Later messages do not wait, and an answered element is not in flight for cancelling.
        #expect(try await client.ask(#"{"requestId":"x","eventName":"echo"}"#)["response"] == [:])
        client.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}"#)
        client.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
        let array = try await client.answer()
        #expect(array[0]?["error"]?["code"] == -32800)
        #expect(array[0]?["id"] == 1)
        #expect(array[1]?["result"] == [:])
        await client.expectNothing()
    }

    @Test("A deadline settles the request and cancels its handler", arguments: [false, true])
    func deadline(asDefault: Bool) async throws {
        let cancelled = Inbox<Bool>()
        let bridge: Bridge
        if asDefault {
            bridge = Bridge(deadline: .milliseconds(1))
            bridge.on("wait") { _, call in
                try? await Task.sleep(for: .seconds(3_600))
                cancelled.put(call.isCancelled)
                return 1
            }
        } else {
            bridge = waitingBridge(cancelled, deadline: .milliseconds(1))
        }
        let client = SessionClient(bridge)
        let answer = try await client.ask(#"{"requestId":1,"eventName":"wait"}"#)
        #expect(answer["error"]?["code"] == -32001)
        #expect(await cancelled.next())
        await client.expectNothing()
    }

    @Test("An answer in time is the only one")
    func inTime() async throws {
        let bridge = Bridge(deadline: .milliseconds(1))
        bridge.on("now") { _, _ in
            await Task.yield()
            return 1
        }
        bridge.on("sync") { _, _ in 2 }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":2,"eventName":"sync"}"#)
        #expect(await client.next() == #"{"requestId":2,"response":2}"#)
        let answer = try await client.ask(#"{"requestId":1,"eventName":"now"}"#)
        #expect(answer["response"] == 1 || answer["error"]?["code"] == -32001)
        await client.expectNothing()
    }

    @Test(
        "Law 6: the end of a session cancels handlers and sends nothing",
        arguments: [BridgeSession.EndReason.documentGone, .connectionLost, .clientWentAway])
    func end(reason: BridgeSession.EndReason) async throws {
        let cancelled = Inbox<Bool>()
        let client = SessionClient(waitingBridge(cancelled))
        client.send(#"{"requestId":1,"eventName":"wait"}"#)
        client.send(#"[{"jsonrpc":"2.0","method":"wait","id":2}]"#)
        await client.end(reason)
        #expect(await cancelled.next())
        #expect(await cancelled.next())
        client.send(#"{"requestId":3,"eventName":"echo"}"#)
        await client.expectNothing()
        #expect(await client.session.pendingCount == 0)
    }

    @Test("Draining: new requests are refused, what is in flight is answered, the rest is cancelled")
    func drain() async throws {
        let bridge = Bridge()
        let gate = Gate()
        let cancelled = Inbox<Bool>()
        let seen = Box(0)
        bridge.on("note") { _, _ in seen.update { $0 += 1 } }
        bridge.on("first") { _, _ in
            await gate.passed()
            return 1
        }
        bridge.on("never") { _, call in
            try? await Task.sleep(for: .seconds(3_600))
            cancelled.put(call.isCancelled)
            return 1
        }
        let client = SessionClient(bridge)
        client.send(#"{"requestId":1,"eventName":"first"}"#)
        client.send(#"{"requestId":2,"eventName":"never"}"#)
        await client.perform { $0.drain() }
        for text in [
            #"{"requestId":3,"eventName":"first"}"#, #"{"requestId":3,"eventName":"$/hello","protocol":1}"#,
            #"{"requestId":3,"eventName":"nobody"}"#,
        ] {
            let refused = try await client.ask(text)
            #expect(refused["error"]?["code"] == -32000)
            #expect(refused["error"]?["data"]?["reason"] == "draining")
        }
        let taken = try await client.ask(#"{"requestId":3,"eventName":"$/cancelRequest","id":"none"}"#)
        #expect(taken["response"] == .null)
        client.send(#"{"eventName":"note"}"#)
        await client.settled()
        #expect(seen.value == 1)
        gate.open()
        #expect(await client.next() == #"{"requestId":1,"response":1}"#)
        let idle = Gate()
        await client.perform { session in
            session.whenIdle { idle.open() }
            session.cancelAll()
        }
        let last = try await client.answer()
        #expect(last["requestId"] == 2)
        #expect(last["error"]?["code"] == -32800)
        #expect(await cancelled.next())
        await idle.passed()
        await client.expectNothing()
    }

    @Test("The end of input is a half-close: what is pending is answered, then the session is idle")
    func halfClose() async throws {
        let bridge = Bridge()
        let gate = Gate()
        bridge.on("wait") { _, _ in
            await gate.passed()
            return 1
        }
        let client = SessionClient(bridge)
        _ = try await client.greet()
        client.send(#"{"requestId":1,"eventName":"wait"}"#)
        let idle = Gate()
        await client.perform { session in
            session.inputEnded()
            session.whenIdle { idle.open() }
        }
        #expect(bridge.pages.isEmpty)
        gate.open()
        #expect(await client.next() == #"{"requestId":1,"response":1}"#)
        await idle.passed()
    }
}
