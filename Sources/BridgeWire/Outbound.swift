package import BridgeJSON

/// Messages as they are written: compact, `requestId` or `jsonrpc` first.
extension JSONWriter {
    /// Everything before the result's text.
    package mutating func beginResponse(to address: ReplyAddress) {
        switch address.dialect {
        case .event:
            write(raw: #"{"requestId":"#)
            write(address.id)
            write(raw: #","response":"#)
        case .jsonRPC:
            write(raw: #"{"jsonrpc":"2.0","result":"#)
        }
    }

    /// Everything after it.
    package mutating func endResponse(to address: ReplyAddress) {
        switch address.dialect {
        case .event: write(raw: "}")
        case .jsonRPC: writeID(address.id)
        }
    }

    package mutating func writeFailure(_ failure: BridgeFailure, to address: ReplyAddress) {
        switch address.dialect {
        case .event:
            write(raw: #"{"requestId":"#)
            write(address.id)
            write(raw: #","error":"#)
            write(failure)
            write(raw: "}")
        case .jsonRPC:
            write(raw: #"{"jsonrpc":"2.0","error":"#)
            write(failure)
            writeID(address.id)
        }
    }

    /// Everything before the progress value's text.
    package mutating func beginProgress(to address: ReplyAddress) {
        switch address.dialect {
        case .event:
            write(raw: #"{"requestId":"#)
            write(address.id)
            write(raw: #","progress":"#)
        case .jsonRPC:
            write(raw: #"{"jsonrpc":"2.0","method":"$/progress","params":{"id":"#)
            write(address.id)
            write(raw: #","value":"#)
        }
    }

    package mutating func endProgress(to address: ReplyAddress) {
        write(raw: address.dialect == .event ? "}" : "}}")
    }

    /// A request, or a notification if it has no id.
    ///
    /// In the event dialect the payload's members stand beside `eventName`. A payload that cannot stand there (an
    /// array, an object with a reserved member) travels in the JSON-RPC dialect.
    /// - Returns: the dialect that was used.
    /// - Throws: −32602 for a payload that is neither an object, nor an array, nor absent.
    @discardableResult
    package mutating func writeEvent(
        _ name: JSONString, payload: JSON?, id: MessageID?, preferring dialect: Dialect
    ) throws(BridgeFailure) -> Dialect {
        var members: JSONObject?
        switch payload {
        case nil: members = [:]
        case .object(let object): members = object
        case .array: members = nil
        default:
            throw .invalidParams(path: JSONPath(), expected: "an object or an array, the payloads an event can have")
        }
        if dialect == .event, let members, ["eventName", "requestId", "jsonrpc"].allSatisfy({ members[$0] == nil }) {
            if let id {
                write(raw: #"{"requestId":"#)
                write(id)
                write(raw: #","eventName":"#)
            } else {
                write(raw: #"{"eventName":"#)
            }
            write(name)
            for member in members {
                write(name: member.name)
                write(member.value)
            }
            write(raw: "}")
            return .event
        }
        write(raw: #"{"jsonrpc":"2.0","method":"#)
        write(name)
        if let payload {
            write(raw: #","params":"#)
            write(payload)
        }
        if let id { writeID(id) } else { write(raw: "}") }
        return .jsonRPC
    }

    package mutating func write(_ id: MessageID) {
        switch id {
        case .null: write(raw: "null")
        case .number(let number): write(number)
        case .string(let string): write(string)
        }
    }

    private mutating func writeID(_ id: MessageID) {
        write(raw: #","id":"#)
        write(id)
        write(raw: "}")
    }

    private mutating func write(_ failure: BridgeFailure) {
        write(raw: #"{"code":"#)
        write(failure.code)
        write(raw: #","message":"#)
        write(failure.message)
        if let data = failure.data {
            write(raw: #","data":"#)
            write(data)
        }
        write(raw: "}")
    }
}

extension BridgeFailure {
    /// The text of an answer to what no id can be read from.
    package var unaddressedText: [UInt8] {
        var writer = JSONWriter()
        writer.writeFailure(self, to: .unknown)
        return writer.bytes
    }
}
