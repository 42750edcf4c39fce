import BridgeJSON

/// A message that came.
struct Arrived {
    let text: [UInt8]
    /// nil: it is no JSON.
    let json: JSON?

    init(_ text: [UInt8]) {
        self.text = text
        json = try? JSON(parsing: text, maximumDepth: JSON.highestMaximumDepth)
    }

    /// What stands for it in a difference.
    var shown: JSON { json ?? JSON(String(decoding: text, as: UTF8.self)) }

    /// Whether it says no: a failure, or a batch with nothing else in it.
    var isRefusal: Bool {
        guard let json else { return false }
        let parts = json.array ?? [json]
        return !parts.isEmpty && parts.allSatisfy { !($0["error"]?.isNull ?? true) }
    }
}

/// What one message has to be.
enum Expectation: CustomStringConvertible {
    case value(JSON)
    case text(JSON)

    init?(_ step: Step) {
        switch step {
        case .expect(let json): self = .value(json)
        case .expectText(let json): self = .text(json)
        default: return nil
        }
    }

    var description: String {
        switch self {
        case .value(let json), .text(let json): json.text
        }
    }

    func match(_ arrived: Arrived, _ bindings: inout Bindings) throws(Difference) {
        switch self {
        case .value(let json):
            guard let actual = arrived.json else {
                throw Difference(expected: json, actual: JSON(String(decoding: arrived.text, as: UTF8.self)))
            }
            try bindings.match(json, actual)
        case .text(let json):
            var tentative = bindings
            let text = String(decoding: arrived.text, as: UTF8.self)
            guard let expected = try? Content(json).bytes(&tentative), expected == arrived.text else {
                throw Difference(expected: json, actual: JSON(text))
            }
        }
    }
}

/// Finds which message is which of those expected. One that could be two of them is no reason for a wrong verdict: every
/// assignment is tried.
struct AnyOrder {
    private let expectations: [Expectation]
    private let start: Bindings
    private var arrived: [Arrived] = []
    /// For each message that came, which expectation it meets, in the assignment found last.
    private var assignment: [Int] = []
    private(set) var bindings: Bindings

    init(_ expectations: [Expectation], _ bindings: Bindings) {
        self.expectations = expectations
        start = bindings
        self.bindings = bindings
    }

    var isComplete: Bool { arrived.count == expectations.count }

    private func isTaken(_ index: Int) -> Bool { assignment.contains(index) }

    /// What has not come, for people.
    var missing: String {
        let missing = expectations.indices.filter { !isTaken($0) }.map { "\(expectations[$0])" }
        let rest = missing.count > 3 ? " and \(missing.count - 3) more" : ""
        return missing.prefix(3).joined(separator: " and ") + rest
    }

    /// - Throws: what it differs in from the expectation that it is nearest to.
    mutating func take(_ message: Arrived) throws(Difference) {
        arrived.append(message)
        var nearest: (fit: Fit, difference: Difference)?
        // Mostly the messages before need not be looked at again.
        for index in expectations.indices where !isTaken(index) {
            do throws(Difference) {
                try expectations[index].match(message, &bindings)
                assignment.append(index)
                return
            } catch {
                let fit = Fit(message, expectations[index], error, bindings)
                if nearest.map({ $0.fit < fit }) ?? true { nearest = (fit, error) }
            }
        }
        var attempts = 0
        guard let found = Self.assign(arrived[...], expectations, [], start, &attempts) else {
            throw nearest?.difference ?? Difference(expected: nil, actual: message.shown)
        }
        (assignment, bindings) = found
    }

    private static func assign(
        _ messages: ArraySlice<Arrived>, _ expectations: [Expectation], _ taken: [Int], _ bindings: Bindings,
        _ attempts: inout Int
    ) -> ([Int], Bindings)? {
        guard let message = messages.first else { return (taken, bindings) }
        for index in expectations.indices where !taken.contains(index) {
            // Many that are alike have more assignments than there is time.
            attempts += 1
            guard attempts < 10_000 else { return nil }
            var tentative = bindings
            guard (try? expectations[index].match(message, &tentative)) != nil else { continue }
            if let found = assign(messages.dropFirst(), expectations, taken + [index], tentative, &attempts) {
                return found
            }
        }
        return nil
    }
}
