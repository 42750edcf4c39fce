#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Date {
    /// From text in ISO 8601 form: date, `T`, time with seconds and any fraction, and `Z` or an offset.
    init?(iso8601 text: String) {
        guard let seconds = text.withUTF8Bytes({ ISO8601.seconds(from: $0) }) else { return nil }
        self.init(timeIntervalSince1970: seconds)
    }

    /// In UTC, with milliseconds if there are any; `nil` beyond the range that a page's `Date` has.
    var iso8601: String? {
        ISO8601.text(milliseconds: (timeIntervalSince1970 * 1000).rounded())
    }
}

extension Decimal {
    /// The number, if this type can hold all its digits.
    init?(exactly number: JSONNumber) {
        let value = DecimalValue(number.text)
        // A mantissa has 128 bits, an exponent eight.
        guard value.digits.count <= 38, value.isExponentComplete, (-128...127).contains(value.exponent) else {
            return nil
        }
        let digits = value.digits.isEmpty ? "0" : value.digits.map(\.description).joined()
        let text = "\(value.isNegative ? "-" : "")\(digits)e\(value.exponent)"
        guard let decimal = Decimal(string: text), !decimal.isNaN else { return nil }
        self = decimal
    }
}
