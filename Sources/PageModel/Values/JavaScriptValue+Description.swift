#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// As a script would write it; what is nested deeper than 8 levels is `…`.
extension JavaScriptValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { text(levels: 8) }
    /// The description.
    public var debugDescription: String { description }
    /// Without parts: the description says all, and a `Date` that is none may not be described by itself.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    fileprivate func text(levels: Int) -> String {
        switch self {
        case .undefined: "undefined"
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): Self.text(number)
        case .string(let string): Self.literal(string)
        case .date(let date): "new Date(\(Self.text(date)))"
        case .array([]): "[]"
        case .array where levels == 0: "[…]"
        case .array(let elements): "[\(elements.map { $0.text(levels: levels - 1) }.joined(separator: ", "))]"
        case .object(let object): object.text(levels: levels)
        }
    }

    fileprivate static func literal(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _
            where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar == "\u{2028}"
                || scalar == "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    private static func text(_ number: Double) -> String {
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if number.isNaN { return "NaN" }
        if number == 0 { return number.sign == .minus ? "-0" : "0" }
        return Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    /// As text in the years that have four digits, else in milliseconds.
    private static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        guard (-62_135_596_800..<253_402_300_799).contains(seconds) else { return text((seconds * 1000).rounded()) }
        return "\"\(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))\""
    }
}

extension JavaScriptObject: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { text(levels: 8) }
    /// The description.
    public var debugDescription: String { description }
    /// Without parts, as that of a value.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    fileprivate func text(levels: Int) -> String {
        if count == 0 { return "{}" }
        if levels == 0 { return "{…}" }
        let members = map { name, value in
            let isName =
                !name.isEmpty && name.utf8.allSatisfy(Self.isOfName) && !(name.utf8.first.map(Self.isDigit) ?? false)
            return "\(isName ? name : JavaScriptValue.literal(name)): \(value.text(levels: levels - 1))"
        }
        return "{\(members.joined(separator: ", "))}"
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "$"),
            UInt8(ascii: "_"):
            true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
