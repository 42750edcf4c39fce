/// A JSON string: a Swift `String` that also keeps lone surrogates, which JSON text can say (`"\ud800"`) and
/// `String` cannot.
///
/// Equality and hashing are by Unicode scalars: `"\u{e9}"` and `"e\u{301}"` are two strings.
public struct JSONString: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The string, with U+FFFD in the place of each lone surrogate.
    public let string: String
    /// What it is when it has lone surrogates: WTF-8, which is UTF-8 in which a lone surrogate is three bytes.
    private let illFormed: [UInt8]?

    /// The same text.
    public init(_ string: String) {
        self.string = string
        illFormed = nil
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// A string with lone surrogates. The bytes must be WTF-8, which the parser sees to.
    init(wtf8 bytes: [UInt8]) {
        var repaired = bytes
        for (start, byte) in bytes.enumerated() where byte == 0xED && bytes[start + 1] >= 0xA0 {
            repaired[start] = 0xEF
            repaired[start + 1] = 0xBF
            repaired[start + 2] = 0xBD
        }
        string = String(decoding: repaired, as: UTF8.self)
        illFormed = bytes
    }

    public var description: String { string }

    /// Whether there are no lone surrogates.
    package var isWellFormed: Bool { illFormed == nil }

    /// Calls `body` with the UTF-8 bytes (WTF-8 when there are lone surrogates).
    @inline(__always)
    package func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        if let illFormed { return illFormed.withUnsafeBufferPointer(body) }
        return string.withUTF8Bytes(body)
    }

    /// A hash for tables whose names no peer chooses.
    package var quickHash: UInt64 { withUTF8 { $0.quickHash } }

    /// Whether this is that string, scalar for scalar.
    @inline(__always)
    package func equals(_ other: String) -> Bool {
        illFormed == nil && string.hasSameScalars(as: other)
    }
}

extension JSONString: Hashable {
    public static func == (left: JSONString, right: JSONString) -> Bool {
        left.string.hasSameScalars(as: right.string) && left.illFormed == right.illFormed
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
        if isASCII, bytes.count <= 15 {
            // What fits into the string itself (names, ids) is taken over without being looked at again.
            self.init(unsafeUninitializedCapacity: bytes.count) { buffer in
                UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
                return bytes.count
            }
            return
        }
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

    /// Whether the two are one value in memory, as short strings are that have the same text. False says nothing.
    @inline(__always)
    private func hasSameBits(as other: String) -> Bool {
        guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return false }
        return unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
    }

    /// Equality by Unicode scalars, as JSON compares names; `==` would compare by canonical equivalence.
    @inline(__always)
    package func hasSameScalars(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        if hasSameBits(as: other) { return true }
        return withUTF8Bytes { left in
            other.withUTF8Bytes { right in
                UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer(right))
            }
        }
    }
}
