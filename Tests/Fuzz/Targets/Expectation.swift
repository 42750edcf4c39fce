import BridgeJSON

/// Which answer a message is owed, as PROTOCOL.md has it (D1 to D6, D10, D14, L5): the dialect and the id as written.
struct Expectation: Hashable, CustomStringConvertible {
    let isRPC: Bool
    let id: String

    var description: String { "\(isRPC ? "jsonrpc" : "event") \(id)" }

    static let unaddressed = Expectation(isRPC: true, id: "null")

    /// - Returns: what is owed, and whether it comes in one array.
    static func owed(to text: [UInt8], nesting: Int, batch: Int) -> (answers: [Expectation], isArray: Bool) {
        guard let json = try? JSON(parsing: text, maximumDepth: nesting) else { return ([unaddressed], false) }
        switch json {
        case .object(let object):
            return (owed(to: object, inBatch: false).map { [$0] } ?? [], false)
        case .array(let elements) where (1...batch).contains(elements.count):
            let answers = elements.compactMap { element in
                element.object.map { owed(to: $0, inBatch: true) } ?? unaddressed
            }
            return (answers, !answers.isEmpty)
        default:
            return ([unaddressed], false)
        }
    }

    private static func owed(to object: JSONObject, inBatch: Bool) -> Expectation? {
        let isReply = ["result", "error", "response", "progress"].contains { object[$0] != nil }
        if object["method"] == nil, object["eventName"] == nil, isReply { return nil }
        if object["jsonrpc"] != nil {
            let id = object["id"].map { isID($0, orNull: true) ? $0.text : "null" }
            guard object["jsonrpc"]?.string == "2.0", object["method"]?.string != nil else {
                return Expectation(isRPC: true, id: id ?? "null")
            }
            switch object["params"] {
            case nil, .null, .object, .array: return id.map { Expectation(isRPC: true, id: $0) }
            default: return Expectation(isRPC: true, id: id ?? "null")
            }
        }
        if inBatch { return unaddressed }
        if object["eventName"]?.string != nil, object["requestId"] == nil { return nil }
        if let id = object["requestId"], isID(id, orNull: false) { return Expectation(isRPC: false, id: id.text) }
        return Expectation(isRPC: true, id: object["id"].flatMap { isID($0, orNull: true) ? $0.text : nil } ?? "null")
    }

    private static func isID(_ json: JSON, orNull: Bool) -> Bool {
        switch json {
        case .string, .number: true
        case .null: orNull
        default: false
        }
    }
}
