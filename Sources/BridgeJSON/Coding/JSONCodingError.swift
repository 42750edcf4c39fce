/// Why a value does not decode or cannot be encoded, and where.
public struct JSONCodingError: Error, Sendable, CustomStringConvertible {
    /// The value in question; of a missing member, where it should be.
    public let path: JSONPath
    /// What should be there, in words ("an integer from -128 to 127"), or what code of the application's own says.
    public let expected: String
    /// What is there instead, in words; `nil` when `expected` says it all.
    public let found: String?
    /// The error that `init(from:)` or `encode(to:)` threw, when it is of the application's own.
    public let underlying: (any Error)?

    public var description: String {
        guard let found else { return "\(path): \(expected)" }
        return "\(path): expected \(expected), found \(found)"
    }

    /// About a value as a whole.
    init(expected: String, found: String) {
        self.init(path: [], description: "", underlying: Mismatch(expected: expected, found: found))
    }

    /// From anything that a coder or code called by it throws.
    ///
    /// - Parameter path: of an error that does not have its own.
    init(_ error: any Error, path: [any CodingKey] = []) {
        switch error {
        case let error as JSONCodingError: self = error
        case DecodingError.keyNotFound(let key, let context): self.init(context, key: key)
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            self.init(context, key: nil)
        case EncodingError.invalidValue(_, let context):
            self.init(
                path: context.codingPath, description: context.debugDescription, underlying: context.underlyingError)
        default: self.init(path: path, description: "\(error)", underlying: error)
        }
    }

    private init(_ context: DecodingError.Context, key: (any CodingKey)?) {
        // Our own context names the whole path; elsewhere the missing key comes beside it.
        let isOwn = context.underlyingError is Mismatch
        let path = context.codingPath + (isOwn ? [] : [key].compactMap(\.self))
        self.init(path: path, description: context.debugDescription, underlying: context.underlyingError)
    }

    private init(path: [any CodingKey], description: String, underlying: (any Error)?) {
        self.path = JSONPath(codingPath: path)
        if let mismatch = underlying as? Mismatch {
            expected = mismatch.expected
            found = mismatch.found
            self.underlying = nil
        } else {
            expected = description
            found = nil
            self.underlying = underlying
        }
    }
}

/// Rides in the errors of the standard library, which the code of applications may look for, and keeps in parts what
/// their description says.
struct Mismatch: Error {
    let expected: String
    let found: String

    var description: String { "Expected \(expected), found \(found)." }
}

/// The key of an array's element, or of `super`.
enum PlaceKey: CodingKey {
    case element(Int)
    case named(String)

    init?(intValue: Int) {
        self = .element(intValue)
    }

    init?(stringValue: String) {
        self = .named(stringValue)
    }

    static let `super` = PlaceKey.named("super")

    var intValue: Int? {
        if case .element(let index) = self { return index }
        return nil
    }

    var stringValue: String {
        switch self {
        case .element(let index): "\(index)"
        case .named(let name): name
        }
    }
}

extension JSONPath {
    /// An integer value alone does not make an index: a dictionary's key `"5"` has one too. `Index 5` is how the standard
    /// library's own key for elements calls itself.
    init(codingPath: [any CodingKey]) {
        self.init(
            codingPath.map { key in
                if case .element(let index)? = key as? PlaceKey { return .index(index) }
                if let index = key.intValue, key.stringValue == "Index \(index)" { return .index(index) }
                return .name(JSONString(key.stringValue))
            })
    }
}
