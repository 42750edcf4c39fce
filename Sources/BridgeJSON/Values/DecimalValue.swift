/// A number's exact decimal value in one normal form: the digits without zeros at either end, times a power of ten.
struct DecimalValue: Hashable {
    /// No leading and no trailing zero; empty for zero.
    private(set) var digits: [UInt8] = []
    private(set) var isNegative = false
    /// The power of ten that the digits, read as an integer, are multiplied by.
    private(set) var exponent = 0
    /// The written exponent where it is too long for arithmetic; `exponent` is then relative to it.
    private var hugeExponent: String?

    /// - Parameter text: a number that follows the JSON grammar.
    init(_ text: String) {
        var exponentDigits: [UInt8] = []
        var isExponentNegative = false
        var isFraction = false
        var isExponent = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"):
                if isExponent { isExponentNegative = true } else { isNegative = true }
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digit = byte &- UInt8(ascii: "0")
                if isExponent {
                    if digit != 0 || !exponentDigits.isEmpty { exponentDigits.append(digit) }
                } else {
                    if digit != 0 || !digits.isEmpty { digits.append(digit) }
                    if isFraction { exponent -= 1 }
                }
            default: break
            }
        }
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty {
            isNegative = false
            exponent = 0
        } else if exponentDigits.count <= 17 {
            let written = exponentDigits.reduce(0) { $0 * 10 + Int($1) }
            exponent += isExponentNegative ? -written : written
        } else {
            let magnitude = String(decoding: exponentDigits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
            hugeExponent = isExponentNegative ? "-\(magnitude)" : magnitude
        }
    }

    /// Whether `exponent` is all there is to the exponent.
    var isExponentComplete: Bool { hugeExponent == nil }

    /// The value as an integer; `nil` when it is not integral or does not fit.
    func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
        guard !digits.isEmpty else { return 0 }
        // 40 digits are more than the widest integer (128 bits) has, and keep the loop short.
        guard isExponentComplete, exponent >= 0, exponent < 40, digits.count + exponent < 40 else { return nil }
        var value: Integer = 0
        for position in 0..<(digits.count + exponent) {
            let digit = position < digits.count ? Integer(digits[position]) : 0
            let (product, isProductWrong) = value.multipliedReportingOverflow(by: 10)
            let (sum, isSumWrong) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !isProductWrong, !isSumWrong else { return nil }
            value = sum
        }
        return value
    }
}
