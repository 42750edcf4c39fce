package import BridgeJSON

/// The tagged form in which a page's `postMessage` bodies and evaluation results travel (PROTOCOL.md, section 6): JSON,
/// but for `$undefined`, `$number`, `$date`, `$ref` and `$object`.
package enum ScriptValue {
    /// What a native value cannot hold, or what is no tag, and where it stands.
    package struct Fault: Error, Sendable, Hashable {
        package var path: JSONPath
        package var expected: String
    }

    /// The plain value, as a typed handler sees it: an undefined member is missing, undefined in an array is null, a
    /// date is ISO 8601 text, −0 is kept, shared values are repeated.
    ///
    /// - Throws: for NaN, infinities, invalid dates, cycles, unknown tags, and references whose repetition nests
    ///   deeper than `nesting` or adds more than a million values or 16 MiB of text.
    package static func decode(_ json: JSON, nesting: Int) throws(Fault) -> JSON {
        var decoder = ScriptValueDecoder(nesting: nesting)
        return try decoder.value(json, depth: 0) ?? .null
    }

    /// The tagged form of a plain value: an object whose only key begins with `$` is wrapped in `$object`.
    package static func encode(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements):
            return .array(elements.map(encode))
        case .object(let object):
            var copy = JSONObject()
            for member in object { copy[member.name] = encode(member.value) }
            return tag(of: object) == nil ? .object(copy) : ["$object": .object(copy)]
        case .null, .bool, .number, .string:
            return json
        }
    }

    /// The only key of an object, if it begins with `$`.
    fileprivate static func tag(of object: JSONObject) -> (name: JSONString, value: JSON)? {
        guard object.count == 1, let only = object.members.first else { return nil }
        return only.name.withUTF8 { $0.first == UInt8(ascii: "$") } ? (only.name, only.value) : nil
    }
}

private struct ScriptValueDecoder {
    let nesting: Int
    /// Arrays and objects in the order in which they begin; one that has not ended yet is nil.
    var containers: [Container?] = []
    var path = JSONPath()
    var repeatedValues = 0
    var repeatedText = 0

    /// What a container is when everything in it is written out, itself included.
    struct Measure {
        /// How many arrays and objects are inside one another.
        var depth = 0
        var values = 0
        /// Bytes of strings, names and numbers.
        var text = 0

        mutating func add(_ inner: Measure) {
            depth = max(depth, inner.depth)
            values += inner.values
            text += inner.text
        }
    }

    struct Container {
        var value: JSON
        var measure: Measure
    }

    init(nesting: Int) {
        self.nesting = nesting
    }

    /// Nil for undefined.
    mutating func value(_ json: JSON, depth: Int) throws(ScriptValue.Fault) -> JSON? {
        var measure = Measure()
        return try value(json, depth: depth, &measure)
    }

    /// - Parameter measure: grows by what the value adds to the container it stands in.
    private mutating func value(
        _ json: JSON, depth: Int, _ measure: inout Measure
    ) throws(ScriptValue.Fault) -> JSON? {
        switch json {
        case .null, .bool:
            measure.add(Measure(values: 1))
            return json
        case .number(let number):
            measure.add(Measure(values: 1, text: number.text.utf8.count))
            return json
        case .string(let string):
            measure.add(Measure(values: 1, text: string.string.utf8.count))
            return json
        case .array(let elements):
            return try array(elements, depth: depth, &measure)
        case .object(let object):
            guard let (name, content) = ScriptValue.tag(of: object) else {
                return try members(object, depth: depth, &measure)
            }
            return try tagged(name, content, depth: depth, &measure)
        }
    }

    private mutating func array(
        _ elements: [JSON], depth: Int, _ measure: inout Measure
    ) throws(ScriptValue.Fault) -> JSON {
        let index = containers.count
        containers.append(nil)
        var inner = Measure(values: 1)
        var result: [JSON] = []
        result.reserveCapacity(elements.count)
        for (position, element) in elements.enumerated() {
            path.elements.append(.index(position))
            result.append(try value(element, depth: depth + 1, &inner) ?? .null)
            path.elements.removeLast()
        }
        return end(.array(result), at: index, inner, &measure)
    }

    private mutating func members(
        _ object: JSONObject, depth: Int, _ measure: inout Measure
    ) throws(ScriptValue.Fault) -> JSON {
        let index = containers.count
        containers.append(nil)
        var inner = Measure(values: 1)
        var result = JSONObject()
        for member in object {
            path.elements.append(.name(member.name))
            inner.text += member.name.string.utf8.count
            if let value = try value(member.value, depth: depth + 1, &inner) { result[member.name] = value }
            path.elements.removeLast()
        }
        return end(.object(result), at: index, inner, &measure)
    }

    private mutating func end(
        _ value: JSON, at index: Int, _ inner: Measure, _ measure: inout Measure
    ) -> JSON {
        var whole = inner
        whole.depth += 1
        containers[index] = Container(value: value, measure: whole)
        measure.add(whole)
        return value
    }

    private mutating func tagged(
        _ name: JSONString, _ content: JSON, depth: Int, _ measure: inout Measure
    ) throws(ScriptValue.Fault) -> JSON? {
        switch (name, content) {
        case ("$undefined", .bool(true)):
            return nil
        case ("$number", .string("-0")):
            measure.add(Measure(values: 1, text: 2))
            return .number(JSONNumber(-0.0) ?? 0)
        case ("$number", .string):
            throw fault("a finite number")
        case ("$date", .null):
            throw fault("a valid date")
        case ("$date", .number(let number)):
            guard let milliseconds = number.int, let text = isoText(milliseconds: milliseconds) else {
                throw fault("a date within 8.64e15 milliseconds of 1970")
            }
            measure.add(Measure(values: 1, text: text.utf8.count))
            return .string(JSONString(text))
        case ("$object", .object(let object)):
            return try members(object, depth: depth, &measure)
        case ("$ref", .number(let number)):
            return try reference(number, depth: depth, &measure)
        default:
            throw fault("a value in the tagged form, which has no \(name) like this")
        }
    }

    private mutating func reference(
        _ number: JSONNumber, depth: Int, _ measure: inout Measure
    ) throws(ScriptValue.Fault) -> JSON {
        guard let index = number.int, containers.indices.contains(index) else {
            throw fault("a reference to an array or object that began earlier")
        }
        guard let target = containers[index] else { throw fault("a value without cycles") }
        repeatedValues += target.measure.values
        repeatedText += target.measure.text
        guard depth + target.measure.depth <= nesting, repeatedValues <= 1_000_000, repeatedText <= 16 << 20 else {
            throw fault("a value that does not grow beyond bounds when shared parts are repeated")
        }
        measure.add(target.measure)
        return target.value
    }

    private func fault(_ expected: String) -> ScriptValue.Fault {
        ScriptValue.Fault(path: path, expected: expected)
    }
}

/// As `Date.prototype.toISOString` writes it; nil beyond the range of a script's dates.
private func isoText(milliseconds: Int) -> String? {
    guard milliseconds.magnitude <= 8_640_000_000_000_000 else { return nil }
    let day = milliseconds / 86_400_000 - (milliseconds % 86_400_000 < 0 ? 1 : 0)
    let time = milliseconds - day * 86_400_000
    // Days to a date of the proleptic Gregorian calendar, in years that begin in March and eras of 400 years.
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let yearText =
        (0...9999).contains(year) ? padded(year, 4) : (year < 0 ? "-" : "+") + padded(abs(year), 6)
    return "\(yearText)-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(padded(time / 3_600_000, 2)):"
        + "\(padded(time / 60_000 % 60, 2)):\(padded(time / 1_000 % 60, 2)).\(padded(time % 1_000, 3))Z"
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
