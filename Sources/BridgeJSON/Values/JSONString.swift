/// A JSON string: a Swift `String` that also keeps lone surrogates, which JSON text can say (`"\ud800"`) and
/// `String` cannot.
///
/// Equality and hashing are by Unicode scalars: `"\u{e9}"` and `"e\u{301}"` are two strings.
public struct JSONString: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    private enum Storage: Sendable {
        case wellFormed(String)
        /// WTF-8: UTF-8 in which a lone surrogate is three bytes; at least one is there.
        case illFormed([UInt8])
    }

    private let storage: Storage

    /// The same text.
    public init(_ string: String) {
        storage = .wellFormed(string)
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// A string with lone surrogates. The bytes must be WTF-8, which the parser sees to.
    init(wtf8 bytes: [UInt8]) {
        storage = .illFormed(bytes)
    }

    /// The string, with U+FFFD in the place of each lone surrogate.
    public var string: String {
        switch storage {
        case .wellFormed(let string): return string
        case .illFormed(var bytes):
            for (start, byte) in bytes.enumerated() where byte == 0xED && bytes[start + 1] >= 0xA0 {
                bytes[start] = 0xEF
                bytes[start + 1] = 0xBF
                bytes[start + 2] = 0xBD
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    public var description: String { string }

    /// Whether there are no lone surrogates.
    package var isWellFormed: Bool {
        if case .wellFormed = storage { return true }
        return false
    }

    /// Calls `body` with the UTF-8 bytes (WTF-8 when there are lone surrogates).
    @inline(__always)
    package func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        switch storage {
        case .wellFormed(let string): string.withUTF8Bytes(body)
        case .illFormed(let bytes): bytes.withUnsafeBufferPointer(body)
        }
    }

    /// Whether this is that string, scalar for scalar.
    @inline(__always)
    package func equals(_ other: String) -> Bool {
        if case .wellFormed(let string) = storage { return string.hasSameScalars(as: other) }
        return false
    }
}

extension JSONString: Hashable {
    public static func == (left: JSONString, right: JSONString) -> Bool {
        switch (left.storage, right.storage) {
        case (.wellFormed(let left), .wellFormed(let right)): left.hasSameScalars(as: right)
        case (.illFormed(let left), .illFormed(let right)): left == right
        default: false
        }
    }

    /// Hashes the bytes, not the normal form: a peer must not be able to choose many names with one hash.
    public func hash(into hasher: inout Hasher) {
        withUTF8 { bytes in
            hasher.combine(bytes.count)
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
    }
}

extension String {
    /// The string that these bytes are in UTF-8; `nil` when they are not valid (RFC 3629).
    ///
    /// - Parameter isASCII: whether the caller knows all bytes to be ASCII.
    @inline(__always)
    init?(utf8 bytes: UnsafeRawBufferPointer, isASCII: Bool) {
        self = bytes.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
        // Decoding repairs what is not valid, which then differs. (`String(validating:)` does not get specialized.)
        guard isASCII || withUTF8Bytes({ UnsafeRawBufferPointer($0).hasSameBytes(as: bytes) }) else { return nil }
    }

    /// Calls `body` with the UTF-8 bytes; copies only strings that are not native (bridged ones on Darwin).
    @inline(__always)
    package func withUTF8Bytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }

    /// Equality by Unicode scalars, as JSON compares names; `==` would compare by canonical equivalence.
    @inline(__always)
    package func hasSameScalars(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return withUTF8Bytes { left in
            other.withUTF8Bytes { right in
                UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer(right))
            }
        }
    }
}
