/// A JSON number with the digits as written: `-0`, `1E400` and thirty digits stay what they are.
///
/// Equality and hashing are by exact decimal value at any length: `1 == 1.0 == 10e-1`, `-0 == 0`. (Exponents of more
/// than 17 digits are compared as written.)
public struct JSONNumber: Sendable, CustomStringConvertible {
    /// The number as it is written in JSON.
    public let text: String

    /// A number from text that is known to follow the grammar.
    init(unchecked text: String) {
        self.text = text
    }

    /// A number from JSON text; `nil` when that is no JSON number (RFC 8259, section 6).
    public init?(_ text: String) {
        guard case .number(let number)? = try? JSON(parsing: text), number.text.hasSameScalars(as: text) else {
            return nil
        }
        self = number
    }

    /// An integer of any width, exactly.
    public init(_ integer: some BinaryInteger) {
        text = integer.description
    }

    /// The shortest digits that read back as that double (an integral one without `.0`); `nil` for NaN and infinities.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        if let small = Int64(exactly: double), abs(double) < 1e15, small != 0 || double.sign == .plus {
            text = small.description
        } else {
            text = double.description.droppingZeroFraction
        }
    }

    /// As the initialiser for `Double`, with a float's shorter digits.
    init?(_ float: Float) {
        guard float.isFinite else { return nil }
        text = float.description.droppingZeroFraction
    }

    /// The integer; `nil` when the value is not integral or does not fit. `1.0` and `1e2` are integers.
    public var int: Int? { integer(as: Int.self) }

    /// The nearest double; `nil` when the magnitude is beyond a double's range (`1e400`). `1e-400` is zero.
    public var double: Double? {
        if let small = smallDecimal { return small }
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The nearest float; `nil` when the magnitude is beyond a float's range.
    package var float: Float? {
        guard let value = Float(text), value.isFinite else { return nil }
        return value
    }

    /// The value as an integer type of any width; `nil` when it is not integral or does not fit.
    package func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
        if let small = smallInteger { return Integer(exactly: small) }
        return DecimalValue(text).integer(as: type)
    }

    public var description: String { text }

    /// Plain integers of at most 15 digits, which is nearly all of them (and each of them a double).
    private var smallInteger: Int64? {
        text.withUTF8Bytes { bytes in
            var offset = 0
            let isNegative = bytes.first == UInt8(ascii: "-")
            if isNegative { offset = 1 }
            guard bytes.count - offset <= 15 else { return nil }
            var value: Int64 = 0
            while offset < bytes.count {
                let digit = bytes[offset] &- UInt8(ascii: "0")
                guard digit <= 9 else { return nil }
                value = value &* 10 &+ Int64(digit)
                offset += 1
            }
            return isNegative ? -value : value
        }
    }
}

extension JSONNumber {
    /// Plain decimals of at most 15 digits: a division of two doubles that are exact rounds correctly.
    private var smallDecimal: Double? {
        text.withUTF8Bytes { bytes in
            guard bytes.count <= 16 else { return nil }
            var mantissa: Int64 = 0
            var scale = 1.0
            var isFraction = false
            var offset = bytes.first == UInt8(ascii: "-") ? 1 : 0
            let isNegative = offset == 1
            while offset < bytes.count {
                let digit = bytes[offset] &- UInt8(ascii: "0")
                if digit <= 9 {
                    mantissa = mantissa &* 10 &+ Int64(digit)
                    if isFraction { scale *= 10 }
                } else if bytes[offset] == UInt8(ascii: ".") {
                    isFraction = true
                } else {
                    return nil
                }
                offset += 1
            }
            guard mantissa <= 1 << 53 else { return nil }
            let magnitude = Double(mantissa) / scale
            return isNegative ? -magnitude : magnitude
        }
    }
}

extension JSONNumber: Hashable {
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.text == right.text || DecimalValue(left.text) == DecimalValue(right.text)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(DecimalValue(text))
    }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) {
        self.init(value)
    }
}

extension String {
    fileprivate var droppingZeroFraction: String {
        // `hasSuffix` would compare by canonical equivalence, which is slow.
        let endsInZero = withUTF8Bytes { $0.count > 2 && $0[$0.count - 1] == 0x30 && $0[$0.count - 2] == 0x2E }
        return endsInZero ? String(dropLast(2)) : self
    }
}
