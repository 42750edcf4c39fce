package import BridgeJSON

/// What a JSON object says, told by its members in the order PROTOCOL.md gives (section 2).
package enum Inbound: Sendable {
    /// Something to carry out, and the place its answer goes to; a notification has none.
    case event(name: JSONString, payload: JSON?, reply: ReplyAddress?, dialect: Dialect)
    /// An answer, or progress, for a request this side sent. Never answered, malformed or not.
    case reply(Reply)
    /// JSON, but no message.
    case malformed(ReplyAddress, BridgeFailure)

    package struct Reply: Sendable {
        /// Nil if there is none that could be an id.
        package var id: MessageID?
        package var content: Content

        package init(id: MessageID?, content: Content) {
            self.id = id
            self.content = content
        }

        package enum Content: Sendable {
            case result(JSON)
            case failure(BridgeFailure)
            case progress(JSON)
        }
    }

    /// - Parameter inBatch: elements of a batch are JSON-RPC only.
    package init(_ object: consuming JSONObject, inBatch: Bool = false) {
        let version = object["jsonrpc"]
        // The usual message first. What has an `eventName` is no reply, so the order of section 2 holds.
        if version == nil, !inBatch, let name = object.removeValue(forKey: "eventName", guess: 1) {
            self = Inbound.event(name, object)
        } else if object["method"] == nil, object["eventName"] == nil, let reply = Reply(object, dialect: version) {
            self = .reply(reply)
        } else if version != nil {
            self = Inbound.request(object)
        } else if inBatch {
            self = .malformed(.unknown, .invalidRequest("an element of a batch needs \"jsonrpc\": \"2.0\""))
        } else {
            self = .malformed(
                Inbound.address(object), .invalidRequest("neither \"eventName\" nor \"jsonrpc\" is among the members"))
        }
    }

    /// - Parameter object: the message without its `eventName`.
    private static func event(_ name: JSON, _ object: consuming JSONObject) -> Inbound {
        guard case .string(let name) = name else {
            return .malformed(address(object), .invalidRequest("\"eventName\" is not a string"))
        }
        guard let id = object.removeValue(forKey: "requestId", guess: 0) else {
            return .event(name: name, payload: .object(object), reply: nil, dialect: .event)
        }
        guard let id = MessageID(id), id != .null else {
            return .malformed(address(object), .invalidRequest("\"requestId\" is neither a string nor a number"))
        }
        return .event(name: name, payload: .object(object), reply: ReplyAddress(.event, id), dialect: .event)
    }

    private static func request(_ object: borrowing JSONObject) -> Inbound {
        guard case .string("2.0") = object["jsonrpc"] else {
            return .malformed(address(object), .invalidRequest("\"jsonrpc\" is not \"2.0\""))
        }
        guard case .string(let name) = object["method"] else {
            return .malformed(address(object), .invalidRequest("\"method\" is missing or not a string"))
        }
        var reply: ReplyAddress?
        if let id = object["id"] {
            guard let id = MessageID(id) else {
                return .malformed(.unknown, .invalidRequest("\"id\" is neither a string, nor a number, nor null"))
            }
            reply = ReplyAddress(.jsonRPC, id)
        }
        switch object["params"] {
        case nil, .null:
            return .event(name: name, payload: nil, reply: reply, dialect: .jsonRPC)
        case .some(let params):
            switch params {
            case .object, .array:
                return .event(name: name, payload: params, reply: reply, dialect: .jsonRPC)
            default:
                return .malformed(
                    reply ?? .unknown, .invalidRequest("\"params\" is neither an object nor an array"))
            }
        }
    }

    /// Where the answer to a malformed message goes (law 5): event form if it has a valid `requestId` and no
    /// `jsonrpc`, else JSON-RPC form with the id if that is valid, else null.
    private static func address(_ object: borrowing JSONObject) -> ReplyAddress {
        if object["jsonrpc"] == nil, let id = object["requestId"].flatMap(MessageID.init), id != .null {
            return ReplyAddress(.event, id)
        }
        return ReplyAddress(.jsonRPC, object["id"].flatMap(MessageID.init) ?? .null)
    }
}

extension Inbound.Reply {
    /// Nil if there is none of the members that make a reply. An `error` of null beside a result counts as absent,
    /// as some JSON-RPC 1 peers send it.
    fileprivate init?(_ object: borrowing JSONObject, dialect version: JSON?) {
        let error = object["error"]
        if let error, error != .null {
            content = .failure(BridgeFailure(wire: error))
        } else if let result = object["result"] ?? object["response"] {
            content = .result(result)
        } else if let progress = object["progress"] {
            content = .progress(progress)
        } else if error != nil {
            content = .failure(BridgeFailure(wire: .null))
        } else {
            return nil
        }
        id = (version == nil ? object["requestId"] ?? object["id"] : object["id"] ?? object["requestId"])
            .flatMap(MessageID.init)
    }
}

extension BridgeFailure {
    /// The value of an `error` member. One that has not the shape of a failure becomes an internal error that holds it.
    package init(wire json: JSON) {
        if case .object(let object) = json, let code = object["code"]?.int, let message = object["message"]?.string {
            self.init(code, message, data: object["data"])
        } else {
            self.init(
                Code.internalError, "Internal error",
                data: ["help": "the peer's failure has no code and message", "error": json])
        }
    }
}
