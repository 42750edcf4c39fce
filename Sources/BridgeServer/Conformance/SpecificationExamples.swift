import Bridgehead

/// The methods that the examples of the JSON-RPC 2.0 specification, section 7, call; `foobar` and `foo.get` are those
/// that it has no handler for.
enum SpecificationExamples {
    /// Leaves alone what the application has handlers for.
    static func register(on bridge: Bridge) {
        let taken = Set(bridge.events)
        for (name, answer) in answers where !taken.contains(name) {
            bridge.on(name) { payload, _ in try answer(payload) }
        }
    }

    private static let answers: [(name: String, answer: @Sendable (JSON) throws -> JSON)] = [
        ("subtract", subtract),
        ("sum", sum),
        ("get_data", { _ in ["hello", 5] }),
        ("update", { _ in .null }),
        ("notify_hello", { _ in .null }),
        ("notify_sum", { _ in .null }),
    ]

    @Sendable private static func subtract(_ payload: JSON) throws -> JSON {
        let operands = payload.array ?? [payload["minuend"], payload["subtrahend"]].compactMap { $0 }
        guard operands.count == 2 else {
            throw BridgeFailure.invalidParams(path: JSONPath(), expected: "minuend and subtrahend")
        }
        return try combine(operands, { $0.subtractingReportingOverflow($1) }, -)
    }

    @Sendable private static func sum(_ payload: JSON) throws -> JSON {
        guard let operands = payload.array else {
            throw BridgeFailure.invalidParams(path: JSONPath(), expected: "an array of numbers")
        }
        return try combine([0] + operands, { $0.addingReportingOverflow($1) }, +)
    }

    /// Exact for whole numbers as long as they fit.
    private static func combine(
        _ operands: [JSON], _ whole: (Int, Int) -> (partialValue: Int, overflow: Bool),
        _ floating: (Double, Double) -> Double
    ) throws -> JSON {
        var exact = operands.first?.int
        for operand in operands.dropFirst() {
            guard let left = exact, let right = operand.int, case (let value, false) = whole(left, right) else {
                exact = nil
                break
            }
            exact = value
        }
        if let exact { return JSON(exact) }
        let numbers = operands.compactMap(\.double)
        guard numbers.count == operands.count, let first = numbers.first else {
            throw BridgeFailure.invalidParams(path: JSONPath(), expected: "numbers")
        }
        guard let result = JSON(numbers.dropFirst().reduce(first, floating)) else {
            throw BridgeFailure.invalidParams(path: JSONPath(), expected: "numbers whose result is finite")
        }
        return result
    }
}
