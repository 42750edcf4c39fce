import BridgeJSON

/// A client's frame made by hand, so that it can break every rule.
struct WebSocketFrame {
    private static let opcodes: [(name: String, opcode: UInt8)] = [
        ("text", 1), ("binary", 2), ("ping", 9), ("pong", 10),
    ]
    /// That of the examples in RFC 6455: the same in every run.
    private static let key: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]

    private var isFinal = true
    private var reserved: UInt8 = 0
    private var opcode: UInt8 = 0
    private var isMasked = true
    /// What is announced, where it is not the payload's own.
    private var length: Int?
    private var payload: [UInt8] = []

    /// `{"text": …}` and its like, or `{"frame": …}`; nil for anything else.
    init?(_ json: JSON, _ bindings: inout Bindings) throws(StepFault) {
        if let (name, opcode) = Self.opcodes.first(where: { json[$0.name] != nil }), let content = json[name] {
            self.opcode = opcode
            payload = try Content(content).bytes(&bindings)
        } else if let code = json["close"] {
            opcode = 8
            if let code = code.int { payload = [UInt8(code >> 8 & 0xFF), UInt8(code & 0xFF)] }
            if let reason = json["reason"] { payload += try Content(reason).bytes(&bindings) }
        } else if let frame = json["frame"] {
            isFinal = frame["fin"]?.bool ?? true
            reserved = UInt8((frame["rsv"]?.int ?? 0) & 7)
            opcode = UInt8((frame["opcode"]?.int ?? 0) & 15)
            isMasked = frame["mask"]?.bool ?? true
            length = try frame["length"].map { length throws(StepFault) in try bindings.count(length) }
            payload = try frame["payload"].map { part throws(StepFault) in try Content(part).bytes(&bindings) } ?? []
        } else {
            return nil
        }
    }

    var bytes: [UInt8] {
        let length = length ?? payload.count
        let mask: UInt8 = isMasked ? 0x80 : 0
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        switch length {
        case ..<126: bytes.append(mask | UInt8(length))
        case ...0xFFFF: bytes += [mask | 126] + Self.bigEndian(length).suffix(2)
        default: bytes += [mask | 127] + Self.bigEndian(length)
        }
        guard isMasked else { return bytes + payload }
        bytes += Self.key
        bytes.reserveCapacity(bytes.count + payload.count)
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ Self.key[index & 3]) }
        return bytes
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - $0 * 8)) }
    }

    var words: String {
        var words = Self.name(opcode)
        if !isFinal { words += ", more to follow" }
        if reserved != 0 { words += ", reserved bits \(reserved)" }
        if !isMasked { words += ", without a mask" }
        if let length { words += ", announcing \(length) bytes" }
        return words + Self.shown(payload)
    }

    static func name(_ opcode: UInt8) -> String {
        switch opcode {
        case 0: "continuation"
        case 8: "close"
        default: opcodes.first { $0.opcode == opcode }?.name ?? "frame of opcode \(opcode)"
        }
    }

    static func shown(_ payload: [UInt8]) -> String { payload.isEmpty ? "" : " \(JSON(showing: payload))" }
}
