package import BridgeJSON

/// A line of a transcript. What is sent and expected is kept as written: what it means depends on the medium, and
/// placeholders get their values only when the vector runs.
package indirect enum Step: Sendable {
    /// - Parameter chop: how many bytes are written at a time.
    case send(JSON, chop: Int?)
    case sendText(JSON, chop: Int?)
    case expect(JSON)
    case expectText(JSON)
    /// Steps that expect something, in any order.
    case anyOrder([Step])
    case quiet
    /// Milliseconds, as a number or a placeholder.
    case wait(JSON)
    case hangUp(HangUp)
    /// `code`: over WebSocket. `reset`: whether the connection is broken, or ended in order.
    case expectClose(JSON)
    case reconnect
    /// That many other connections, which are there to the end.
    case crowd(JSON)
    /// The target begins to drain.
    case drain
    /// - Parameter times: a number or a placeholder.
    case `repeat`([Step], times: JSON)
    /// Where a page is tested: an expression in it, and what it is or resolves to.
    case script(String, value: JSON?)

    /// How the runner ends a connection.
    package enum HangUp: Sendable, Hashable {
        case halfClose
        case cut
        case close(code: Int)
    }
}

extension Step {
    /// Whether it waits for something of the target's.
    var expects: Bool {
        switch self {
        case .expect, .expectText, .anyOrder, .quiet, .expectClose: true
        case .send, .sendText, .wait, .hangUp, .reconnect, .crowd, .drain: false
        case .script(_, let value): value != nil
        case .repeat(let steps, _): steps.contains(where: \.expects)
        }
    }

    /// Whether it is about a connection as such, which HTTP does not have for messages.
    var isAboutConnection: Bool {
        switch self {
        case .hangUp, .expectClose, .reconnect, .crowd, .drain: true
        case .repeat(let steps, _): steps.contains(where: \.isAboutConnection)
        case .send, .sendText, .expect, .expectText, .anyOrder, .quiet, .wait, .script: false
        }
    }

    init(_ reader: MemberReader) throws(VectorFault) {
        let kinds = reader.object.map(\.name.string).filter { !["chop", "times", "value"].contains($0) }
        guard kinds.count == 1, let kind = kinds.first, let value = reader.object[kind] else {
            throw reader.fault("a step has one of the members that name steps")
        }
        var chop: Int?
        if let size = reader.object["chop"] {
            guard let size = size.int, size > 0, kind.hasPrefix("send") else {
                throw reader.fault("\"chop\" is a number of bytes, beside something to send")
            }
            chop = size
        }
        guard (reader.object["times"] != nil) == (kind == "repeat") else {
            throw reader.fault("\"times\" and \"repeat\" need each other")
        }
        guard kind == "script" || reader.object["value"] == nil else { throw reader.fault("\"value\" is a script's") }
        switch kind {
        case "script": self = .script(try reader.string(kind), value: reader.object["value"])
        case "send": self = .send(value, chop: chop)
        case "send-text": self = .sendText(value, chop: chop)
        case "expect": self = .expect(value)
        case "expect-text": self = .expectText(value)
        case "any-order":
            let steps = try reader.list(kind).map { step throws(VectorFault) in try Step(step) }
            for step in steps {
                switch step {
                case .expect, .expectText: continue
                default: throw reader.fault("only \"expect\" and \"expect-text\" come in any order")
                }
            }
            self = .anyOrder(steps)
        case "quiet" where value == true: self = .quiet
        case "wait": self = .wait(value)
        case "hang-up":
            guard let how = HangUp(value) else {
                throw reader.fault("half-close, cut or a close code ends a connection")
            }
            self = .hangUp(how)
        case "expect-close":
            let members = try MemberReader(value, file: reader.file, path: reader.path)
            try members.allow("code", "reset")
            self = .expectClose(value)
        case "reconnect" where value == true: self = .reconnect
        case "crowd": self = .crowd(value)
        case "drain" where value == true: self = .drain
        case "repeat":
            let steps = try reader.list(kind).map { step throws(VectorFault) in try Step(step) }
            self = .repeat(steps, times: reader.object["times"] ?? .null)
        default: throw reader.fault("\"\(kind)\" is no step")
        }
    }
}

extension Step.HangUp {
    init?(_ json: JSON) {
        switch (json.string, json.int) {
        case ("half-close", _): self = .halfClose
        case ("cut", _): self = .cut
        case (nil, let code?): self = .close(code: code)
        default: return nil
        }
    }
}
