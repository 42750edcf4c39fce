import BridgeJSON

/// How near a message is to an expectation that it does not meet. The one that it was meant for has its id and name;
/// among those, the one that has its members, whatever their values; among those, the one that agrees with it deepest.
/// Web pages have the same rule in web-fixtures/conformance/match.mjs.
struct Fit: Comparable {
    private var marks = 0
    private var members = 0
    private let depth: Int

    /// Members that say which message it is.
    private static let marking: [JSONString] = ["requestId", "id", "eventName", "method"]

    init(_ arrived: Arrived, _ expectation: Expectation, _ difference: Difference, _ bindings: Bindings) {
        depth = difference.path.elements.count
        guard case .value(let json) = expectation, let expected = json.object, let actual = arrived.json?.object else {
            return
        }
        for member in expected {
            guard let value = actual[member.name] else { continue }
            members += 1
            var trial = bindings
            if Self.marking.contains(member.name), (try? trial.match(member.value, value)) != nil { marks += 1 }
        }
    }

    static func < (left: Fit, right: Fit) -> Bool {
        (left.marks, left.members, left.depth) < (right.marks, right.members, right.depth)
    }
}
