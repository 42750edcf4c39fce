import BridgeJSON
import Testing

/// What a value hands to its encoder is let go when the value is written, or is refused.
struct EncoderLifetimeTests {
    private final class Witness: Sendable {}

    /// A key that is alive while an encoder knows it.
    private struct Key: CodingKey {
        let stringValue: String
        let witness: Witness?
        var intValue: Int? { nil }
        init(_ name: String, _ witness: Witness?) { (stringValue, self.witness) = (name, witness) }
        init(stringValue: String) { self.init(stringValue, nil) }
        init?(intValue: Int) { nil }
    }

    private enum Shape: CaseIterable, Sendable {
        case object, list, superclass, nested, members
    }

    private struct Refusal: Error {}

    private struct Value: Encodable {
        let shape: Shape
        let isRefused: Bool
        weak var witness: Witness?

        func encode(to encoder: any Encoder) throws {
            var top = encoder.container(keyedBy: Key.self)
            let key = Key("a", witness)
            switch shape {
            case .object:
                var object = top.nestedContainer(keyedBy: Key.self, forKey: key)
                try object.encode(1, forKey: Key("b", nil))
            case .list:
                var list = top.nestedUnkeyedContainer(forKey: key)
                try list.encode(1)
            case .superclass:
                var single = top.superEncoder(forKey: key).singleValueContainer()
                try single.encode(["b": [1]])
            case .nested:
                var list = top.nestedUnkeyedContainer(forKey: Key("l", nil))
                var object = list.nestedContainer(keyedBy: Key.self)
                var inner = object.nestedUnkeyedContainer(forKey: key)
                var innermost = inner.superEncoder().container(keyedBy: Key.self)
                try innermost.encode(1, forKey: Key("b", nil))
            case .members:
                try top.encode([1: [2]], forKey: key)
            }
            if isRefused { throw Refusal() }
        }
    }

    @Test(arguments: Shape.allCases, [false, true])
    private func nothingIsKept(of shape: Shape, isRefused: Bool) throws {
        var strong: Witness? = Witness()
        weak let witness = strong
        var refusals = 0
        for depth in 0..<2 {
            let value = Value(shape: shape, isRefused: isRefused, witness: witness)
            do { _ = try depth == 0 ? JSON.encode(value) : JSON.encode(["v": [value]]) } catch { refusals += 1 }
        }
        #expect(refusals == (isRefused ? 2 : 0))
        strong = nil
        #expect(witness == nil)
    }
}
