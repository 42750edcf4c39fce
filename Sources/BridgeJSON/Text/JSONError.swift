/// Why a text is not JSON, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in words.
    public let reason: String
    /// The byte at which it shows, from 0.
    public let offset: Int
    /// The line, from 1; lines end with LF.
    public let line: Int
    /// The column, from 1, in Unicode scalars.
    public let column: Int
    /// The value that was being read.
    public let path: JSONPath

    public var description: String {
        "line \(line), column \(column) (\(path)): \(reason)"
    }

    init(reason: String, offset: Int, path: JSONPath, in bytes: UnsafeRawBufferPointer) {
        self.reason = reason
        self.offset = offset
        (line, column) = JSONError.place(of: offset, in: bytes)
        self.path = path
    }

    /// The line and column of a byte, as in `line` and `column`.
    static func place(of offset: Int, in bytes: UnsafeRawBufferPointer) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                // Continuation bytes do not begin a scalar.
                column += 1
            }
        }
        return (line, column)
    }
}
