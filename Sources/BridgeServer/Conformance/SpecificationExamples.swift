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
        let pair = try JSON.decode(Pair.self, from: payload)
        return try combine([pair.minuend, pair.subtrahend], { $0.subtractingReportingOverflow($1) }, -)
    }

    @Sendable private static func sum(_ payload: JSON) throws -> JSON {
        let operands = try JSON.decode([Operand].self, from: payload)
        return try combine([Operand(value: 0)] + operands, { $0.addingReportingOverflow($1) }, +)
    }

    /// Exact for whole numbers as long as they fit.
    private static func combine(
        _ operands: [Operand], _ whole: (Int, Int) -> (partialValue: Int, overflow: Bool),
        _ floating: (Double, Double) -> Double
    ) throws -> JSON {
        var exact = operands.first?.value.int
        for operand in operands.dropFirst() {
            guard let left = exact, let right = operand.value.int, case (let value, false) = whole(left, right) else {
                exact = nil
                break
            }
            exact = value
        }
        if let exact { return JSON(exact) }
        let numbers = operands.compactMap(\.value.double)
        guard let first = numbers.first, let result = JSON(numbers.dropFirst().reduce(first, floating)) else {
            throw BridgeFailure(1, "The result is beyond all numbers")
        }
        return result
    }

    /// A number as written.
    private struct Operand: Decodable {
        let value: JSON

        init(value: JSON) { self.value = value }

        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(JSON.self)
            guard value.double != nil else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "expected a number"))
            }
        }
    }

    /// By position or by name.
    private struct Pair: Decodable {
        let minuend: Operand
        let subtrahend: Operand

        private enum CodingKeys: CodingKey { case minuend, subtrahend }

        init(from decoder: any Decoder) throws {
            if let members = try? decoder.container(keyedBy: CodingKeys.self) {
                minuend = try members.decode(Operand.self, forKey: .minuend)
                subtrahend = try members.decode(Operand.self, forKey: .subtrahend)
                return
            }
            var elements = try decoder.unkeyedContainer()
            minuend = try elements.decode(Operand.self)
            subtrahend = try elements.decode(Operand.self)
            guard elements.isAtEnd else {
                throw DecodingError.dataCorruptedError(in: elements, debugDescription: "expected two numbers")
            }
        }
    }
}
