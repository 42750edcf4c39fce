import BridgeJSON

/// What a string that is `{{…}}` stands for.
enum Placeholder: Hashable {
    case anything
    case kind(Kind)
    /// The vector's limit, changed by one operation.
    case limit(Operation)
    /// The target's authority.
    case host
    /// A value of its own.
    case name(String, isInteger: Bool)

    enum Kind: String, CaseIterable {
        case string, integer, number, boolean, array, object

        func takes(_ json: JSON) -> Bool {
            switch (self, json) {
            case (.string, .string), (.number, .number), (.boolean, .bool), (.array, .array), (.object, .object): true
            case (.integer, .number(let number)):
                number.text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
            default: false
            }
        }
    }

    enum Operation: Hashable {
        case none
        case plus(Int), times(Int), by(Int)

        func apply(_ value: Int) -> Int {
            switch self {
            case .none: value
            case .plus(let number): value &+ number
            case .times(let number): value &* number
            case .by(let number): value / number
            }
        }
    }

    /// The member that lets an expected object have more of them.
    static let more = "{{...}}"

    /// - Parameter text: all of it, braces included.
    init?(_ text: some StringProtocol) {
        guard text.hasPrefix("{{"), text.hasSuffix("}}"), text.count > 4 else { return nil }
        let inner = text.dropFirst(2).dropLast(2)
        let isInteger = inner.hasPrefix("#")
        let name = isInteger ? inner.dropFirst() : inner
        if name == "_" {
            self = .anything
        } else if let kind = Kind(rawValue: String(name)) {
            self = .kind(kind)
        } else if name == "host" {
            self = .host
        } else if name.hasPrefix("limit"), let operation = Operation(name.dropFirst("limit".count)) {
            self = .limit(operation)
        } else if !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }) {
            self = .name(String(name), isInteger: isInteger)
        } else {
            return nil
        }
    }
}

extension Placeholder.Operation {
    /// `+1`, `-1`, `*2`, `/2` or nothing.
    init?(_ text: some StringProtocol) {
        guard let sign = text.first else {
            self = .none
            return
        }
        guard let number = Int(text.dropFirst()), number > 0 else { return nil }
        switch sign {
        case "+": self = .plus(number)
        case "-": self = .plus(-number)
        case "*": self = .times(number)
        case "/": self = .by(number)
        default: return nil
        }
    }
}
