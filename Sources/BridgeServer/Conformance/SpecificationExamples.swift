import Bridgehead

/// The methods that the examples of the JSON-RPC 2.0 specification, section 7, call; `foobar` and `foo.get` are those
/// that it has no handler for.
enum SpecificationExamples {
    static func register(on bridge: Bridge) {
        bridge.on("subtract") { payload, _ in
            let operands = payload.array ?? [payload["minuend"], payload["subtrahend"]].compactMap { $0 }
            let path = payload.array == nil ? "$" : "$[\(operands.count)]"
            guard operands.count == 2 else {
                throw BridgeFailure.invalidParams(path: path, expected: "minuend and subtrahend")
            }
            return try combine(operands, { $0.subtractingReportingOverflow($1) }, -)
        }
        bridge.on("sum") { payload, _ in
            guard let operands = payload.array else {
                throw BridgeFailure.invalidParams(path: "$", expected: "an array of numbers")
            }
            return try combine([0] + operands, { $0.addingReportingOverflow($1) }, +)
        }
        bridge.on("get_data") { _, _ in ["hello", 5] as JSON }
        for name in ["update", "notify_hello", "notify_sum"] {
            bridge.on(name) { _, _ in JSON.null }
        }
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
            throw BridgeFailure.invalidParams(path: "$", expected: "numbers")
        }
        guard let result = JSON(numbers.dropFirst().reduce(first, floating)) else {
            throw BridgeFailure.invalidParams(path: "$", expected: "numbers whose result is finite")
        }
        return result
    }
}
