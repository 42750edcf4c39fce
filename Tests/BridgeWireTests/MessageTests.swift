import BridgeJSON
import BridgeWire
import Testing

@Suite("Messages as they are read and written")
struct MessageTests {
    private func read(_ text: String, inBatch: Bool = false) throws -> String {
        let object = try #require(try JSON(parsing: text).object)
        switch Inbound(object, inBatch: inBatch) {
        case .event(let name, let payload, let reply, let dialect):
            return "\(dialect) \(name) \(payload?.text ?? "-") \(reply?.id.json.text ?? "-")"
        case .malformed(let address, let failure):
            return "\(address.dialect) \(address.id.json.text) \(failure.code)"
        case .reply(let reply):
            let id = reply.id?.json.text ?? "-"
            switch reply.content {
            case .result(let value): return "result \(id) \(value.text)"
            case .failure(let failure): return "failure \(id) \(failure.code) \(failure.message)"
            case .progress(let value): return "progress \(id) \(value.text)"
            }
        }
    }

    @Test(
        "Told apart by members, in the order of section 2",
        arguments: [
            (#"{"requestId":1,"response":2}"#, "result 1 2"),
            (#"{"jsonrpc":"2.0","id":1,"result":null}"#, "result 1 null"),
            (#"{"jsonrpc":"2.0","id":1,"result":5,"error":null}"#, "result 1 5"),
            (#"{"jsonrpc":"2.0","id":1,"error":{"code":4,"message":"m"}}"#, "failure 1 4 m"),
            (#"{"requestId":"a","error":"x"}"#, #"failure "a" -32603 Internal error"#),
            (#"{"requestId":"a","error":null}"#, #"failure "a" -32603 Internal error"#),
            (#"{"requestId":1,"progress":2}"#, "progress 1 2"),
            (#"{"response":2}"#, "result - 2"),
            (#"{"requestId":[],"response":2}"#, "result - 2"),
            (#"{"eventName":"e","response":2}"#, #"event e {"response":2} -"#),
            (#"{"eventName":"e","requestId":1,"a":1,"jsonrpc":"2.0"}"#, "jsonRPC null -32600"),
            (#"{"jsonrpc":"2.0","method":"m","eventName":"e","params":[1]}"#, "jsonRPC m [1] -"),
            (#"{"eventName":"e","method":"m","id":5}"#, #"event e {"method":"m","id":5} -"#),
            (#"{"method":"m","result":1}"#, "jsonRPC null -32600"),
        ])
    func classified(text: String, expected: String) throws {
        #expect(try read(text) == expected)
    }

    private func written(_ payload: String?, _ dialect: Dialect, id: MessageID? = nil) throws -> String {
        var writer = JSONWriter()
        try writer.writeEvent("e", payload: payload.map { try JSON(parsing: $0) }, id: id, preferring: dialect)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        "Payloads in the event dialect; those it cannot say travel in JSON-RPC",
        arguments: [
            (nil, #"{"requestId":7,"eventName":"e"}"#),
            ("{}", #"{"requestId":7,"eventName":"e"}"#),
            (#"{"a":1,"id":2}"#, #"{"requestId":7,"eventName":"e","a":1,"id":2}"#),
            ("[1]", #"{"jsonrpc":"2.0","method":"e","params":[1],"id":7}"#),
            (#"{"requestId":1}"#, #"{"jsonrpc":"2.0","method":"e","params":{"requestId":1},"id":7}"#),
            (#"{"eventName":1}"#, #"{"jsonrpc":"2.0","method":"e","params":{"eventName":1},"id":7}"#),
            (#"{"jsonrpc":1}"#, #"{"jsonrpc":"2.0","method":"e","params":{"jsonrpc":1},"id":7}"#),
        ] as [(String?, String)])
    func events(payload: String?, expected: String) throws {
        #expect(try written(payload, .event, id: .number(7)) == expected)
    }

    @Test("JSON-RPC says the payload as params")
    func rpc() throws {
        #expect(try written(#"{"a":1}"#, .jsonRPC) == #"{"jsonrpc":"2.0","method":"e","params":{"a":1}}"#)
        #expect(try written(nil, .jsonRPC, id: .number(1)) == #"{"jsonrpc":"2.0","method":"e","id":1}"#)
        #expect(try written(nil, .event) == #"{"eventName":"e"}"#)
    }

    @Test("Any other payload is refused by the sender", arguments: ["null", "1", #""s""#, "true"])
    func refused(payload: String) {
        for dialect in [Dialect.event, .jsonRPC] {
            let failure = #expect(throws: BridgeFailure.self) { try written(payload, dialect) }
            #expect(failure?.code == -32602)
        }
    }

    @Test(
        "Ids differ by kind and exact value",
        arguments: [
            ("1", "1.0", true), ("1", "10e-1", true), ("0", "-0", true), ("1", #""1""#, false),
            ("9007199254740993", "9007199254740992", false), ("1e400", "10e399", true),
            (#""é""#, #""e\u0301""#, false), (#""a""#, #""\u0061""#, true), ("null", #""null""#, false),
        ])
    func ids(first: String, second: String, same: Bool) throws {
        let first = try #require(MessageID(JSON(parsing: first)))
        let second = try #require(MessageID(JSON(parsing: second)))
        #expect((first == second) == same)
        #expect(Set([first, second]).count == (same ? 1 : 2))
    }
}

@Suite("Names that may have been meant")
struct NearestNamesTests {
    @Test(
        arguments: [
            ("gettitle", ["getTitle", "getTitles"]), ("getTitel", ["getTitle", "getTitles"]),
            ("get-title", ["getTitle"]), ("zzz", []), ("", []), ("save", ["save "]),
        ])
    func nearest(name: String, expected: [String]) {
        let known = ["getTitle", "getTitles", "download", "save ", "x"]
        #expect(Array(nearestNames(to: name, in: known).map(\.name).prefix(expected.count)) == expected)
        if expected.isEmpty { #expect(nearestNames(to: name, in: known).isEmpty) }
    }

    @Test("Thousands of long names that resemble it are not compared with it in full", .timeLimit(.minutes(1)))
    func many() {
        let start = String(repeating: "n", count: 100)
        let known = KnownNames((0..<2_000).map { "\(start)\(100_000 + $0)\(start)" } + ["near"])
        for _ in 0..<20 { _ = known.nearest(to: String(repeating: "o", count: 206)) }
        #expect(known.nearest(to: "\(start)100007\(start)".uppercased()).first?.name == "\(start)100007\(start)")
        #expect(known.nearest(to: "naer").map(\.name) == ["near"])
    }

    @Test("Common beginnings and ends do not change how near a name is")
    func affixes() {
        let pairs = [("getTitle", "getTitles", "one"), ("getTitel", "getTitle", "one"), ("axxbc", "axxxbc", "one")]
        for (name, other, count) in pairs {
            #expect(nearestNames(to: name, in: [other]).first?.difference == "differs in \(count) character")
        }
        #expect(nearestNames(to: "abcdefghi", in: ["abXdeYghi"]).first?.difference == "differs in 2 characters")
    }

    @Test("At most three, and what differs is said")
    func three() {
        let near = nearestNames(to: "item", in: ["items", "itum", "iten", "ITEM", "tem"])
        #expect(near.count == 3)
        #expect(near.first?.name == "ITEM")
        #expect(near.first?.difference == "differs in upper and lower case only")
        let normal = nearestNames(to: "e\u{301}", in: ["\u{e9}"])
        #expect(normal.first?.difference == "differs in Unicode normalisation only")
    }
}
