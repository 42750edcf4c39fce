import BridgeJSON
import Bridgehead

struct Operands: Codable, Sendable {
    var minuend: Int
    var subtrahend: Int
}

/// The handlers that `Behaviour.all` is about.
func behaviourBridge() -> Bridge {
    let bridge = Bridge()
    bridge.on("echo") { payload, _ in payload }
    bridge.on("later") { _, _ in
        await Task.yield()
        return "later"
    }
    bridge.on("subtract") { payload, _ in
        if let list = payload.array {
            let numbers = try JSON.decode([Int].self, from: .array(list))
            return numbers[0] - numbers[1]
        }
        let operands = try JSON.decode(Operands.self, from: payload)
        return operands.minuend - operands.subtrahend
    }
    bridge.on("sum") { payload, _ in try JSON.decode([Int].self, from: payload).reduce(0, +) }
    bridge.on("get_data") { _, _ in ["hello", 5] as JSON }
    for name in ["update", "notify_hello", "notify_sum"] {
        bridge.on(name) { (_: JSON, _: BridgeCall<JSON>) in JSON.null }
    }
    return bridge
}
