#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
package import BridgeJSON
package import PageModel

// The tagged form of the protocol (PROTOCOL.md, rule S5), in which values keep what JSON cannot say.

extension JavaScriptValue {
    /// How many arrays and objects may be in one another, on the way to a page and from it: the stack is finite.
    package static let highestDepth = 500
}

extension JSON {
    /// The tagged form of a page's value.
    ///
    /// - Throws: `unsupported` for a value nested deeper than ``JavaScriptValue/highestDepth``.
    package init(tagging value: JavaScriptValue) throws(WebPageError) {
        self = try JSON(tagging: value, depth: 0)
    }

    private init(tagging value: JavaScriptValue, depth: Int) throws(WebPageError) {
        switch value {
        case .undefined: self = ["$undefined": true]
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = .init(tagging: number)
        case .string(let string): self = JSON(string)
        case .date(let date):
            let milliseconds = date.timeIntervalSince1970 * 1000
            self = ["$date": JSONNumber(milliseconds.rounded()).map(JSON.number) ?? .null]
        case .array(let elements): self = try JSON(tagging: elements, depth: depth + 1)
        case .object(let object): self = try JSON(tagging: object, depth: depth + 1)
        }
    }

    private init(tagging elements: [JavaScriptValue], depth: Int) throws(WebPageError) {
        try Self.check(depth)
        var array: [JSON] = []
        array.reserveCapacity(elements.count)
        for element in elements { array.append(try JSON(tagging: element, depth: depth)) }
        self = .array(array)
    }

    private init(tagging object: JavaScriptObject, depth: Int) throws(WebPageError) {
        let isLikeATag = object.count == 1 && object.keys[0].hasPrefix("$")
        let depth = isLikeATag ? depth + 1 : depth
        try Self.check(depth)
        var members = JSONObject()
        for (name, value) in object { members[JSONString(name)] = try JSON(tagging: value, depth: depth) }
        self = isLikeATag ? ["$object": .object(members)] : .object(members)
    }

    private static func check(_ depth: Int) throws(WebPageError) {
        guard depth > JavaScriptValue.highestDepth else { return }
        throw .unsupported("a value nested deeper than \(JavaScriptValue.highestDepth) levels")
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
    /// What a value in the tagged form stands for. What is no tag is an object like any other; what a page has in several
    /// places is as many values.
    ///
    /// - Returns: nil where something is in itself or nested deeper than ``highestDepth``, as no value here can be.
    package init?(tagged json: JSON) {
        var decoder = TaggedDecoder()
        guard let value = decoder.value(json) else { return nil }
        self = value
    }
}

/// Arrays and objects are numbered as they begin; `$ref` has such a number.
private struct TaggedDecoder {
    /// With how many are in one another there; nil for what has not ended.
    private var containers: [(value: JavaScriptValue, height: Int)?] = []
    /// How many are open, and how many were at once since the outermost of the open ones that are looked at began.
    private var depth = 0
    private var deepest = 0

    /// - Returns: nil for what is in itself or too deep. The same holds below.
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
        let before = deepest
        depth += 1
        deepest = depth
        guard depth <= JavaScriptValue.highestDepth, let value = content(&self) else { return nil }
        containers[number] = (value, height: deepest - depth + 1)
        depth -= 1
        deepest = max(before, deepest)
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

    private mutating func again(_ number: Int) -> JavaScriptValue? {
        guard let (value, height) = containers[number], depth + height <= JavaScriptValue.highestDepth else {
            return nil
        }
        deepest = max(deepest, depth + height)
        return value
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
            if let number = value.int, containers.indices.contains(number) { again(number) } else { members(object) }
        default: members(object)
        }
    }
}
