extension JSON {
    /// What the parser takes for JSON.
    package enum Dialect: Sendable {
        /// RFC 8259 and nothing else.
        case strict
        /// With `//` and `/* */` comments and trailing commas, for files that people write.
        case annotated
    }

    /// The nesting that texts may have unless another limit is set.
    package static let defaultMaximumDepth = 512
    /// The highest nesting limit that can be set. Releasing a value takes stack for each of its levels, and a Dispatch
    /// worker on Darwin has 512 KiB of it.
    package static let highestMaximumDepth = 1024

    /// Parses a JSON text (RFC 8259): one value, nested 512 levels at most.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// Parses a JSON text in UTF-8. No byte order mark, comment or trailing comma is taken unless the dialect says so.
    ///
    /// - Parameter maximumDepth: how many arrays and objects may be open at once; at most ``highestMaximumDepth`` counts.
    package init(
        parsing bytes: UnsafeRawBufferPointer, maximumDepth: Int = defaultMaximumDepth, dialect: Dialect = .strict
    ) throws(JSONError) {
        var parser = JSONParser(bytes, maximumDepth: maximumDepth, dialect: dialect)
        self = try parser.parse()
    }

    /// Parses a JSON text in UTF-8.
    package init(
        parsing bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth, dialect: Dialect = .strict
    ) throws(JSONError) {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(JSONError) in
                try JSON(parsing: buffer, maximumDepth: maximumDepth, dialect: dialect)
            }
        }
        self = try result.get()
    }
}

/// A parsed text that still knows where in it each value is written. For files that people write, not for messages.
package struct JSONDocument: Sendable {
    package let root: JSON
    private let offsets: [JSONPath: Int]
    private let text: [UInt8]

    /// Parses a text in the annotated dialect.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        let result: Result<(root: JSON, offsets: [JSONPath: Int]), JSONError> = bytes.withUnsafeBytes { buffer in
            var parser = JSONParser(
                buffer, maximumDepth: JSON.defaultMaximumDepth, dialect: .annotated, recordsPlaces: true)
            do throws(JSONError) {
                return .success((try parser.parse(), parser.places))
            } catch {
                return .failure(error)
            }
        }
        (root, offsets) = try result.get()
        text = bytes
    }

    /// Line and column, from 1, of the value at that path (of a member: of its name), or of the nearest value around it when
    /// there is none.
    package func place(of path: JSONPath) -> (line: Int, column: Int) {
        var path = path
        while offsets[path] == nil, !path.elements.isEmpty { path.elements.removeLast() }
        // Lines are counted for the one that is asked about: for all of them that would take quadratic time.
        return text.withUnsafeBytes { JSONError.place(of: offsets[path] ?? 0, in: $0) }
    }
}
