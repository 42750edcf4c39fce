extension JSON {
    /// Decodes a Swift value from a JSON value.
    ///
    /// Numbers decode exactly: an integer type takes any number that is integral and in its range (`1.0` too), `Double`
    /// any that fits. `true` is no number and `1` no boolean. `Date` is ISO 8601 text, `Data` base64, `URL` a string,
    /// `Decimal` a number of at most 38 digits; `JSON` takes anything as it is. In a `String` a lone surrogate becomes
    /// U+FFFD. Note that a `Dictionary` cannot hold two names that are canonically equivalent; ``JSONObject`` can.
    ///
    /// - Throws: the path of the first value that does not fit, and what was expected there. Also thrown for values
    ///   that nest more deeply than 128 levels in the decoded types.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from json: JSON
    ) throws(JSONCodingError) -> Value {
        let decoder = ValueDecoder(json, parent: nil, key: nil)
        do {
            return try decoder.decode(type)
        } catch {
            throw JSONCodingError(error, path: decoder.failurePlace?.path(of: error) ?? [])
        }
    }

    /// Encodes a Swift value as a JSON value, by the rules of ``decode(_:from:)``.
    ///
    /// Members that are `nil` are left out where synthesized code does so, `nil` in an array is `null`. Dates get
    /// milliseconds when they have any.
    ///
    /// - Throws: the path of a value that JSON cannot say: NaN, an infinity, a date out of range, nesting of more than
    ///   128 levels.
    public static func encode(_ value: some Encodable) throws(JSONCodingError) -> JSON {
        if let json = value as? JSON { return json }
        var writer = JSONWriter()
        try encode(value, into: &writer)
        do throws(JSONError) {
            return try JSON(parsing: writer.bytes, maximumDepth: highestMaximumDepth)
        } catch {
            throw JSONCodingError(error)
        }
    }

    /// Encodes a Swift value and writes it; what was written before stays as it was if that fails.
    ///
    /// - Throws: also for a value that has more than `maximumDepth` levels of nesting.
    package static func encode(
        _ value: some Encodable, into writer: inout JSONWriter, maximumDepth: Int = .max
    ) throws(JSONCodingError) {
        let start = writer.count
        try ValueEncoder.encode(value, into: &writer)
        if writer.deepest > maximumDepth {
            writer.truncate(to: start)
            throw JSONCodingError(expected: "at most \(maximumDepth) levels of nesting", found: "more")
        }
    }
}

/// Types nest at most this deeply when they are coded: their `init(from:)` and `encode(to:)` call one another, and a
/// Dispatch worker on Darwin has 512 KiB of stack.
let maximumCodingDepth = 128
