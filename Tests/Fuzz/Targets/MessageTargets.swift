import BridgeJSON
import BridgeWire

extension FuzzTarget {
    /// Messages told apart, written in either dialect, and read again as the same.
    static let message = FuzzTarget(
        name: "message", generate: { MessageText.mutated(&$0, count: 1) }
    ) { bytes throws(FuzzFault) in
        guard case .object(let object)? = try? JSON(parsing: bytes) else { return }
        for inBatch in [false, true] {
            switch Inbound(object, inBatch: inBatch) {
            case .event(let name, let payload, let reply, let dialect):
                try requireEvent(name, payload, reply?.id, dialect)
                if let reply { try requireAnswers(to: reply, saying: payload ?? .null) }
            case .reply(let reply):
                if case .failure(let failure) = reply.content, let id = reply.id {
                    try requireFailure(failure, to: ReplyAddress(.jsonRPC, id))
                }
            case .malformed(let address, let failure):
                try requireFailure(failure, to: address)
            }
        }
    }

    private static func requireEvent(
        _ name: JSONString, _ payload: JSON?, _ id: MessageID?, _ dialect: Dialect
    ) throws(FuzzFault) {
        for preferred in [Dialect.event, .jsonRPC] where preferred == .jsonRPC || id != .null {
            var writer = JSONWriter()
            let used: Dialect
            do throws(BridgeFailure) {
                used = try writer.writeEvent(name, payload: payload, id: id, preferring: preferred)
            } catch {
                throw FuzzFault("an event that was read cannot be written: \(error)")
            }
            guard case .event(let sameName, let samePayload, let reply, used) = try inbound(writer) else {
                throw FuzzFault("an event reads as something else")
            }
            try require(
                sameName == name && (samePayload ?? [:]) == (payload ?? [:]) && reply?.id.json.text == id?.json.text,
                "an event reads as another")
        }
    }

    private static func requireAnswers(to address: ReplyAddress, saying result: JSON) throws(FuzzFault) {
        var writer = JSONWriter()
        writer.beginResponse(to: address)
        writer.write(result)
        writer.endResponse(to: address)
        guard case .reply(let reply) = try inbound(writer), case .result(result) = reply.content else {
            throw FuzzFault("a response reads as something else")
        }
        try require(reply.id?.json.text == address.id.json.text, "a response has another id")

        writer.removeAll()
        writer.beginProgress(to: address)
        writer.write(result)
        writer.endProgress(to: address)
        switch (address.dialect, try inbound(writer)) {
        case (.event, .reply(let reply)):
            guard case .progress(result) = reply.content, reply.id == address.id else {
                throw FuzzFault("progress reads as something else")
            }
        case (.jsonRPC, .event(let name, let payload, nil, .jsonRPC)):
            let isSame = name == "$/progress" && payload?["id"] == address.id.json && payload?["value"] == result
            try require(isSame, "progress reads as another")
        default: throw FuzzFault("progress reads as something else")
        }
        try requireFailure(BridgeFailure(4_001, "m", data: result), to: address)
    }

    private static func requireFailure(_ failure: BridgeFailure, to address: ReplyAddress) throws(FuzzFault) {
        var writer = JSONWriter()
        writer.writeFailure(failure, to: address)
        guard case .reply(let reply) = try inbound(writer), case .failure(failure) = reply.content else {
            throw FuzzFault("a failure reads as something else")
        }
        try require(reply.id?.json.text == address.id.json.text, "a failure has another id")
    }

    private static func inbound(_ writer: JSONWriter) throws(FuzzFault) -> Inbound {
        let read = try? JSON(parsing: writer.bytes, maximumDepth: JSON.highestMaximumDepth)
        guard case .object(let object)? = read else { throw FuzzFault("what is written is no message") }
        return Inbound(object)
    }

    /// The tagged codec: it never traps and never grows beyond its bounds, and what it encodes it decodes as it was.
    static let scriptValue = FuzzTarget(name: "script-value", generate: tagged) { bytes throws(FuzzFault) in
        guard let json = try? JSON(parsing: bytes) else { return }
        guard (try? ScriptValue.decode(ScriptValue.encode(json), nesting: 1_024)) == json else {
            throw FuzzFault("what is encoded is decoded as something else")
        }
        let plain: JSON
        do throws(ScriptValue.Fault) {
            plain = try ScriptValue.decode(json, nesting: 16)
        } catch {
            return try require(!error.expected.isEmpty, "a fault says nothing")
        }
        let again = try? ScriptValue.decode(ScriptValue.encode(plain), nesting: 1_024)
        try require(again == plain, "what was decoded is another when it goes back and forth")
    }

    private static func tagged(_ random: inout FuzzRandom) -> [UInt8] {
        func value(_ random: inout FuzzRandom, _ depth: Int) -> [UInt8] {
            switch random.below(depth < 6 ? 8 : 3) {
            case 0, 1: return Array(random.pick(tags).utf8)
            case 2: return JSONText.value(&random, depth: 4)
            case 3: return Array("{\"$object\":") + value(&random, depth + 1) + Array("}")
            case 4, 5:
                return Array("[") + value(&random, depth + 1) + Array(",") + value(&random, depth + 1) + Array("]")
            default:
                let name = random.pick(JSONText.names)
                return Array("{\"\(name)\":".utf8) + value(&random, depth + 1)
                    + (random.once(in: 2) ? Array("}") : Array(",\"k\":") + value(&random, depth + 1) + Array("}"))
            }
        }
        var bytes = value(&random, 0)
        if random.once(in: 3) { random.mutate(&bytes, tokens: JSONText.tokens + tags.map { Array($0.utf8) }) }
        return bytes
    }

    private static let tags = [
        "{\"$undefined\":true}", "{\"$undefined\":1}", "{\"$number\":\"-0\"}", "{\"$number\":\"NaN\"}",
        "{\"$number\":\"Infinity\"}", "{\"$date\":0}", "{\"$date\":null}", "{\"$date\":8640000000000000}",
        "{\"$date\":-8640000000000001}", "{\"$date\":-1}", "{\"$date\":951782400000}", "{\"$date\":1.5}",
        "{\"$ref\":0}",
        "{\"$ref\":1}", "{\"$ref\":2}", "{\"$ref\":-1}", "{\"$ref\":1e30}", "{\"$ref\":\"0\"}", "{\"$what\":1}", "[]",
        "{}",
    ]
}
