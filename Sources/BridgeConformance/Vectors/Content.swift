package import BridgeJSON

/// Bytes as vectors write them: a text, a part, or a list of parts.
package struct Content: Sendable {
    private indirect enum Part: Sendable {
        case text(JSONString)
        case bytes([UInt8])
        case `repeat`(Part, times: JSON)
        case fill(UInt8, to: JSON)
        case list([Part])
    }

    private let part: Part

    /// - Throws: `StepFault` for what is none of those.
    package init(_ json: JSON) throws(StepFault) {
        part = try Self.part(json)
    }

    private static func part(_ json: JSON) throws(StepFault) -> Part {
        if case .string(let text) = json { return .text(text) }
        if let list = json.array {
            return .list(try list.map { part throws(StepFault) in try Self.part(part) })
        }
        if let hex = json["hex"]?.string {
            let digits = hex.filter { $0 != " " }.compactMap(\.hexDigitValue)
            guard digits.count.isMultiple(of: 2), digits.count == hex.count(where: { $0 != " " }) else {
                throw StepFault("\(json) is no row of bytes")
            }
            return .bytes(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
        }
        if let repeated = json["repeat"], let times = json["times"] {
            return .repeat(try part(repeated), times: times)
        }
        if let fill = json["fill"]?.string?.utf8.first, json["fill"]?.string?.utf8.count == 1, let length = json["to"] {
            return .fill(fill, to: length)
        }
        throw StepFault("\(json) is no text, and none of the parts that there are")
    }

    /// The bytes, with values in the place of placeholders.
    package func bytes(_ bindings: inout Bindings) throws(StepFault) -> [UInt8] {
        try Self.whole([part], &bindings)
    }

    /// The bytes of a list, which is a whole of its own: `fill` makes it as long as it says.
    private static func whole(_ parts: [Part], _ bindings: inout Bindings) throws(StepFault) -> [UInt8] {
        var result: [UInt8] = []
        var gap: (at: Int, byte: UInt8, length: Int)?
        for part in parts {
            switch part {
            case .text(let text): try bindings.put(text).withUTF8 { result += $0 }
            case .bytes(let bytes): result += bytes
            case .list(let parts): result += try whole(parts, &bindings)
            case .repeat(let part, let times):
                let one = try whole([part], &bindings)
                let times = try bindings.count(times)
                result.reserveCapacity(result.count + one.count * times)
                for _ in 0..<times { result += one }
            case .fill(let byte, let length):
                guard gap == nil else { throw StepFault("one place is filled, not two") }
                gap = (result.count, byte, try bindings.count(length))
            }
        }
        if let gap {
            let missing = gap.length - result.count
            guard missing >= 0 else { throw StepFault("what is to be filled is longer than \(gap.length) already") }
            result.insert(contentsOf: repeatElement(gap.byte, count: missing), at: gap.at)
        }
        return result
    }
}
