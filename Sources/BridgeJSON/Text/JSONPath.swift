/// Where in a JSON value something is: `$` for the whole, `$.items[2].price`, `$["a b"]`.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    package enum Element: Sendable, Hashable {
        case name(JSONString)
        case index(Int)
    }

    package var elements: [Element]

    package init(_ elements: [Element] = []) {
        self.elements = elements
    }

    /// The path in the notation above: `.name` where the name is an identifier, else the name as JSON in brackets.
    public var description: String {
        elements.reduce(into: "$") { text, element in
            switch element {
            case .index(let index): text += "[\(index)]"
            case .name(let name) where name.isIdentifier: text += ".\(name.string)"
            case .name(let name): text += "[\(JSON.string(name).text)]"
            }
        }
    }
}

extension JSONString {
    fileprivate var isIdentifier: Bool {
        withUTF8 { bytes in
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            guard let first = bytes.first, !digits.contains(first) else { return false }
            return bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
                    true
                default: false
                }
            }
        }
    }
}
