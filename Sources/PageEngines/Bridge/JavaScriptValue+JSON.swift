#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
package import BridgeJSON
package import PageModel

// The tagged form of the protocol (PROTOCOL.md, rule S5), in which values keep what JSON cannot say.

extension JSON {
    /// The tagged form of a page's value.
    package init(tagging value: JavaScriptValue) {
        switch value {
        case .undefined: self = ["$undefined": true]
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = .init(tagging: number)
        case .string(let string): self = JSON(string)
        case .date(let date):
            let milliseconds = date.timeIntervalSince1970 * 1000
            self = ["$date": JSONNumber(milliseconds.rounded()).map(JSON.number) ?? .null]
        case .array(let elements): self = .array(elements.map { JSON(tagging: $0) })
        case .object(let object):
            var members = JSONObject()
            for (name, value) in object { members[JSONString(name)] = JSON(tagging: value) }
            let isLikeATag = object.count == 1 && object.keys[0].hasPrefix("$")
            self = isLikeATag ? ["$object": .object(members)] : .object(members)
        }
    }

    private init(tagging number: Double) {
        if number == 0, number.sign == .minus {
            self = ["$number": "-0"]
        } else if let finite = JSONNumber(number) {
            self = .number(finite)
        } else {
            self = ["$number": number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"]
        }
    }
}

extension JavaScriptValue {
    /// What a value in the tagged form stands for. What is no tag is an object like any other.
    package init(tagged json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number: self = .number(json.double ?? .nan)
        case .string(let string): self = .string(string.string)
        case .array(let elements):
            self = .array(elements.map { JavaScriptValue(tagged: $0) }.map { $0 == .undefined ? .null : $0 })
        case .object(let object):
            if object.count == 1, let only = object.members.first,
                let value = JavaScriptValue(tag: only.name, only.value)
            {
                self = value
                return
            }
            self = .object(JavaScriptObject(tagged: object))
        }
    }

    private init?(tag name: JSONString, _ value: JSON) {
        switch (name.string, value) {
        case ("$undefined", _): self = .undefined
        case ("$number", .string(let text)):
            switch text.string {
            case "NaN": self = .number(.nan)
            case "Infinity": self = .number(.infinity)
            case "-Infinity": self = .number(-.infinity)
            case "-0": self = .number(-0.0)
            default: return nil
            }
        case ("$date", _): self = .date(Date(timeIntervalSince1970: (value.double ?? .nan) / 1000))
        case ("$object", .object(let object)): self = .object(JavaScriptObject(tagged: object))
        default: return nil
        }
    }
}

extension JavaScriptObject {
    fileprivate init(tagged object: JSONObject) {
        self.init()
        for member in object {
            let value = JavaScriptValue(tagged: member.value)
            if value != .undefined { self[member.name.string] = value }
        }
    }
}
