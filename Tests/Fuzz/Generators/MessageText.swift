/// Messages of the bridge in both dialects, a line each, for the handlers of ``FuzzBridge``.
struct MessageText {
    static let tokens: [[UInt8]] =
        JSONText.tokens
        + [
            "\"eventName\"", "\"requestId\"", "\"jsonrpc\":\"2.0\"", "\"method\"", "\"params\"", "\"id\"", "\"result\"",
            "\"error\"", "\"response\"", "\"progress\"", "\"$/hello\"", "\"$/cancelRequest\"", "\"$/progress\"",
            "\"$/postMessage\"", "\"echo\"", "\"hold\"", "\"ask\"", "1.0", "\"1\"", "null",
        ].map { Array($0.utf8) }

    private static let names =
        ["echo", "fail", "progress", "hold", "forget", "task", "ask", "sleep", "unencodable", "typed", "Echo", "none"]
    private static let ids = [
        "1", "1.0", "\"1\"", "2", "\"a\"", "\"\"", "0", "-0", "1e400", "\"\\ud800\"", "3", "4", "5",
    ]
    private static let oddIDs = ["null", "true", "[]", "{}", "[1]"]

    static func make(_ random: inout FuzzRandom, count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in 0..<count {
            if index > 0 { bytes += "\n" }
            bytes += random.once(in: 6) ? batch(&random) : message(&random)
        }
        return bytes
    }

    static func mutated(_ random: inout FuzzRandom, count: Int) -> [UInt8] {
        var bytes = make(&random, count: count)
        if random.once(in: 2) { random.mutate(&bytes, tokens: tokens) }
        return bytes
    }

    private static func batch(_ random: inout FuzzRandom) -> [UInt8] {
        var bytes = Array("[" as StaticString)
        for index in 0..<random.below(random.once(in: 10) ? 12 : 4) {
            if index > 0 { bytes += "," }
            bytes += random.once(in: 6) ? message(&random) : request(&random)
        }
        bytes += "]"
        return bytes
    }

    static func message(_ random: inout FuzzRandom) -> [UInt8] {
        switch random.below(10) {
        case 0: return reply(&random)
        case 1: return protocols(&random)
        case 2, 3, 4: return request(&random)
        default: return event(&random)
        }
    }

    private static func id(_ random: inout FuzzRandom) -> String {
        random.once(in: 15) ? random.pick(oddIDs) : random.pick(ids)
    }

    private static func event(_ random: inout FuzzRandom) -> [UInt8] {
        var bytes = Array("{" as StaticString)
        if random.below(6) > 0 { bytes += "\"requestId\":\(id(&random))," }
        bytes += "\"eventName\":\"\(random.pick(names))\""
        for _ in 0..<random.below(3) {
            bytes += ",\"\(random.pick(["n", "a", "id", "method", "response", "count"]))\":"
            bytes += JSONText.value(&random, depth: 3)
        }
        bytes += "}"
        return bytes
    }

    private static func request(_ random: inout FuzzRandom) -> [UInt8] {
        var bytes = Array("{\"jsonrpc\":" as StaticString)
        bytes += random.once(in: 20) ? random.pick(["2.0", "\"1.0\"", "null"]) : "\"2.0\""
        if random.below(6) > 0 { bytes += ",\"id\":\(id(&random))" }
        if random.below(20) > 0 { bytes += ",\"method\":\"\(random.pick(names))\"" }
        if random.below(3) > 0 {
            bytes += ",\"params\":"
            bytes += random.once(in: 8) ? JSONText.value(&random, depth: 5) : Array(random.pick(params).utf8)
        }
        bytes += "}"
        return bytes
    }

    private static let params = ["{}", "[]", "null", "[1,\"x\"]", "{\"n\":1}", "{\"requestId\":1}", "{\"a\":[[{}]]}"]

    private static func reply(_ random: inout FuzzRandom) -> [UInt8] {
        var bytes = Array("{" as StaticString)
        if random.once(in: 2) { bytes += "\"jsonrpc\":\"2.0\"," }
        bytes += "\"\(random.pick(["id", "requestId"]))\":\(id(&random)),"
        bytes += random.pick([
            "\"result\":", "\"response\":", "\"progress\":", "\"error\":", "\"error\":null,\"result\":",
            "\"error\":{\"code\":5,\"message\":\"m\"},\"x\":",
        ])
        bytes += JSONText.value(&random, depth: 3)
        bytes += "}"
        return bytes
    }

    private static func protocols(_ random: inout FuzzRandom) -> [UInt8] {
        let (name, payload) = random.pick([
            ("$/hello", "\"protocol\":1,\"page\":{\"url\":\"http://a/\"}"), ("$/hello", "\"protocol\":2"),
            ("$/cancelRequest", "\"id\":1"), ("$/cancelRequest", "\"id\":\"a\""), ("$/cancelRequest", "\"id\":[]"),
            ("$/progress", "\"id\":1,\"value\":2"), ("$/postMessage", "\"handler\":\"store\",\"body\":{\"$ref\":0}"),
            ("$/postMessage", "\"handler\":\"bridge\",\"body\":{\"eventName\":\"echo\",\"at\":{\"$date\":0}}"),
            ("$/postMessage", "\"handler\":\"bridge\",\"body\":{\"eventName\":\"hold\",\"n\":{\"$undefined\":true}}"),
            ("$/postMessage", "\"handler\":1"), ("$/page.url", "\"url\":\"/\""), ("$/unknown", "\"a\":1"),
        ])
        let hasID = random.below(4) > 0
        let id = id(&random)
        var bytes: [UInt8] = []
        if random.once(in: 2) {
            bytes += "{\(hasID ? "\"requestId\":\(id)," : "")\"eventName\":\"\(name)\",\(payload)}"
        } else {
            bytes +=
                "{\"jsonrpc\":\"2.0\",\(hasID ? "\"id\":\(id)," : "")\"method\":\"\(name)\",\"params\":{\(payload)}}"
        }
        return bytes
    }
}
