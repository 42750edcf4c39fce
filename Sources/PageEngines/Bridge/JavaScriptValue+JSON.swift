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
    /// What a value in the tagged form stands for. What is no tag is an object like any other; what is in itself is
    /// `undefined`.
    package init(tagged json: JSON) {
        self = JavaScriptValue(ofPage: json) ?? .undefined
    }

    /// Like ``init(tagged:)``. What a page has in several places is as many values.
    ///
    /// - Returns: nil where something is in itself, as no value here can be.
    package init?(ofPage json: JSON) {
        var decoder = TaggedDecoder()
        guard let value = decoder.value(json) else { return nil }
        self = value
    }
}

/// Arrays and objects are numbered as they begin; `$ref` has such a number.
private struct TaggedDecoder {
    /// nil for what has not ended.
    private var containers: [JavaScriptValue?] = []

    /// - Returns: nil for what is in itself. The same holds below.
    mutating func value(_ json: JSON) -> JavaScriptValue? {
        switch json {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number: .number(json.double ?? .nan)
        case .string(let string): .string(string.string)
        case .array(let elements): container { $0.array(elements) }
        case .object(let object):
            if object.count == 1, let only = object.members.first {
                tag(only.name, only.value, object)
            } else {
                members(object)
            }
        }
    }

    private mutating func container(_ content: (inout TaggedDecoder) -> JavaScriptValue?) -> JavaScriptValue? {
        let number = containers.count
        containers.append(nil)
        guard let value = content(&self) else { return nil }
        containers[number] = value
        return value
    }

    private mutating func array(_ elements: [JSON]) -> JavaScriptValue? {
        var array: [JavaScriptValue] = []
        array.reserveCapacity(elements.count)
        for element in elements {
            guard let value = value(element) else { return nil }
            array.append(value == .undefined ? .null : value)
        }
        return .array(array)
    }

    private mutating func members(_ object: JSONObject) -> JavaScriptValue? {
        container { decoder in
            var result = JavaScriptObject()
            for member in object {
                guard let value = decoder.value(member.value) else { return nil }
                if value != .undefined { result[member.name.string] = value }
            }
            return .object(result)
        }
    }

    /// - Parameter object: with that member alone; it is what it says where it is no tag.
    private mutating func tag(_ name: JSONString, _ value: JSON, _ object: JSONObject) -> JavaScriptValue? {
        switch (name.string, value) {
        case ("$undefined", _): .undefined
        case ("$number", .string(let text)):
            switch text.string {
            case "NaN": .number(.nan)
            case "Infinity": .number(.infinity)
            case "-Infinity": .number(-.infinity)
            case "-0": .number(-0.0)
            default: members(object)
            }
        case ("$date", _): .date(Date(timeIntervalSince1970: (value.double ?? .nan) / 1000))
        case ("$object", .object(let object)): members(object)
        case ("$ref", .number):
            if let number = value.int, containers.indices.contains(number) {
                containers[number]
            } else {
                members(object)
            }
        default: members(object)
        }
    }
}
