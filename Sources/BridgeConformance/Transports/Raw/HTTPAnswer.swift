import BridgeHTTP
import BridgeJSON

/// One answer, interim ones too.
struct HTTPAnswer {
    let status: Int
    let fields: HTTPFields
    var body: [UInt8]

    /// Compares it with `{"status", "headers", "body", "body-text"}`.
    func match(_ expected: JSON, _ bindings: inout Bindings) throws(Difference) {
        var tentative = bindings
        try matchStatus(expected["status"])
        for header in expected["headers"]?.object?.members ?? [] {
            try match(header.name.string, header.value, &tentative)
        }
        if let expected = expected["body"] {
            let path = Self.path("body")
            guard let json = Arrived(body).json else {
                throw Difference(path: path, expected: expected, actual: JSON(String(decoding: body, as: UTF8.self)))
            }
            do throws(Difference) {
                try tentative.match(expected, json)
            } catch {
                throw Difference(
                    path: JSONPath(path.elements + error.path.elements), expected: error.expected,
                    actual: error.actual)
            }
        }
        if let expected = expected["body-text"] {
            guard (try? Content(expected).bytes(&tentative)) == body else {
                throw Difference(path: Self.path("body-text"), expected: expected, actual: JSON(showing: body))
            }
        }
        bindings = tentative
    }

    /// A number, or a list of those that are right.
    private func matchStatus(_ expected: JSON?) throws(Difference) {
        guard let expected else { return }
        guard (expected.array ?? [expected]).contains(where: { $0.int == status }) else {
            throw Difference(path: Self.path("status"), expected: expected, actual: JSON(status))
        }
    }

    /// `null`: absent. A list: elements that it has, whatever else. Otherwise its value.
    private func match(_ name: String, _ expected: JSON, _ bindings: inout Bindings) throws(Difference) {
        let values = fields.values(name)
        let actual: JSON? = values.isEmpty ? .none : JSON(values.joined(separator: ", "))
        let path = Self.path("headers", name)
        switch expected {
        case .null:
            guard actual == nil else { throw Difference(path: path, expected: .none, actual: actual) }
        case .array(let elements):
            let present = fields.elements(name).map { $0.lowercased() }
            guard elements.allSatisfy({ present.contains($0.string?.lowercased() ?? "") }) else {
                throw Difference(path: path, expected: expected, actual: actual)
            }
        default:
            guard let actual else { throw Difference(path: path, expected: expected, actual: .none) }
            do throws(Difference) {
                try bindings.match(expected, actual)
            } catch {
                throw Difference(path: path, expected: error.expected, actual: error.actual)
            }
        }
    }

    private static func path(_ names: String...) -> JSONPath {
        JSONPath(names.map { .name(JSONString($0)) })
    }
}
