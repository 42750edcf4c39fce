package import BridgeJSON

/// A request's id: compared by kind and exact value, written as it was read.
///
/// `1` and `"1"` differ, `1` and `1.0` do not. `null` is an id of JSON-RPC only and is never in flight.
package enum MessageID: Sendable, Hashable {
    case null
    case number(JSONNumber)
    case string(JSONString)

    /// Nil for what cannot be an id: an object, an array, a boolean.
    package init?(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .number(let number): self = .number(number)
        case .string(let string): self = .string(string)
        case .bool, .array, .object: return nil
        }
    }

    package var json: JSON {
        switch self {
        case .null: .null
        case .number(let number): .number(number)
        case .string(let string): .string(string)
        }
    }
}

/// The two forms a message can have. See PROTOCOL.md, section 2.
package enum Dialect: Sendable, Hashable {
    case event
    case jsonRPC
}

/// Where an answer goes: the dialect of its request and the id in it.
package struct ReplyAddress: Sendable, Hashable {
    package var dialect: Dialect
    package var id: MessageID

    package init(_ dialect: Dialect, _ id: MessageID) {
        self.dialect = dialect
        self.id = id
    }

    /// For what is so malformed that no id can be read from it.
    package static let unknown = ReplyAddress(.jsonRPC, .null)
}
