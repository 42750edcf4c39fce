#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension JSONWriter {
    mutating func write(_ double: Double) throws(Mismatch) {
        guard double.isFinite else { throw .notFinite(double) }
        write(finite: double)
    }

    mutating func write(_ float: Float) throws(Mismatch) {
        guard let number = JSONNumber(float) else { throw .notFinite(float) }
        write(number)
    }

    /// Writes a value of a type that JSON has a rule of its own for, or that is worth a short cut; false for all others.
    ///
    /// - Parameter depth: how many containers are around it.
    mutating func writeSpecial<Value>(_ value: Value, depth: Int) throws(Mismatch) -> Bool {
        let type = Value.self
        // The casts are of a type to itself; `as?` would look that up each time.
        if type == String.self {
            write(unsafeBitCast(value, to: String.self))
        } else if type == Int.self {
            write(unsafeBitCast(value, to: Int.self))
        } else if type == Double.self {
            try write(unsafeBitCast(value, to: Double.self))
        } else if type == Float.self {
            try write(unsafeBitCast(value, to: Float.self))
        } else if type == JSON.self {
            write(unsafeBitCast(value, to: JSON.self), depth: depth)
        } else if type == [String].self {
            write(unsafeBitCast(value, to: [String].self))
        } else if type == Date.self, let date = value as? Date {
            guard let text = date.iso8601 else {
                throw Mismatch(expected: "a date within 100,000,000 days of 1970", found: "another")
            }
            write(text)
        } else if type == URL.self, let url = value as? URL {
            write(url.absoluteString)
        } else if type == Data.self, let data = value as? Data {
            write(data.base64EncodedString())
        } else if type == Decimal.self, let decimal = value as? Decimal {
            guard !decimal.isNaN else { throw Mismatch(expected: "a number", found: "NaN") }
            write(JSONNumber(unchecked: decimal.description))
        } else {
            return false
        }
        return true
    }

    private mutating func write(_ strings: [String]) {
        write(raw: "[")
        for (index, string) in strings.enumerated() {
            if index > 0 { write(raw: ",") }
            write(string)
        }
        write(raw: "]")
    }
}

extension Mismatch {
    static func notFinite(_ value: some BinaryFloatingPoint) -> Mismatch {
        Mismatch(expected: "a finite number", found: "\(value)")
    }
}
