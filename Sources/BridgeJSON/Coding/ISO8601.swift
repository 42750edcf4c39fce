/// Dates as text, in the form that ISO 8601 and RFC 3339 share and that a page's `Date` reads and writes.
///
/// Years have four digits, or a sign and six as in ECMAScript's extended form.
enum ISO8601 {
    /// Seconds since 1970 in UTC; `nil` when the text is no such date.
    static func seconds(from text: UnsafeBufferPointer<UInt8>) -> Double? {
        var reader = Reader(text: text)
        guard let year = reader.year(), reader.skip("-"),
            let month = reader.number(2), (1...12).contains(month), reader.skip("-"),
            let day = reader.number(2), day >= 1, day <= days(in: month, of: year), reader.skip("Tt"),
            let hour = reader.number(2), hour <= 23, reader.skip(":"),
            let minute = reader.number(2), minute <= 59, reader.skip(":"),
            // 60 is a leap second, counted as the next minute's first.
            let second = reader.number(2), second <= 60,
            let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let time = (hour * 60 + minute) * 60 + second - offset
        return Double(daysSince1970(year, month, day) * 86_400 + time) + fraction
    }

    /// The date in UTC, without a fraction when that is zero; `nil` beyond 100,000,000 days from 1970 (ECMA-262, 21.4.1.1).
    static func text(milliseconds: Double) -> String? {
        guard abs(milliseconds) <= 8.64e15 else { return nil }
        let (day, rest) = Int(milliseconds).quotientAndRemainder(dividingBy: 86_400_000, rounding: .down)
        let (year, month, dayOfMonth) = civil(daysSince1970: day)
        let isExtended = !(0...9999).contains(year)
        var text = isExtended ? (year < 0 ? "-" : "+") + padded(abs(year), 6) : padded(year, 4)
        text += "-\(padded(month, 2))-\(padded(dayOfMonth, 2))T"
        text += "\(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1000 % 60, 2))"
        if rest % 1000 != 0 { text += ".\(padded(rest % 1000, 3))" }
        return text + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = number.description
        return String(repeating: "0", count: width - digits.utf8.count) + digits
    }

    // MARK: The proleptic Gregorian calendar, in eras of 400 years that begin on 1 March

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.quotientAndRemainder(dividingBy: 400, rounding: .down)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097, rounding: .down)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int {
    fileprivate enum Rounding { case down }

    /// Division whose remainder is never negative.
    fileprivate func quotientAndRemainder(dividingBy divisor: Int, rounding: Rounding) -> (Int, Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// Reads the parts of a date in their order.
private struct Reader {
    let text: UnsafeBufferPointer<UInt8>
    var position = 0

    var isAtEnd: Bool { position == text.count }

    /// Skips one of the given characters.
    mutating func skip(_ characters: StaticString) -> Bool {
        guard !isAtEnd, characters.withUTF8Buffer({ $0.contains(text[position]) }) else { return false }
        position += 1
        return true
    }

    /// A number of exactly so many digits.
    mutating func number(_ width: Int) -> Int? {
        guard text.count - position >= width else { return nil }
        var value = 0
        for byte in text[position..<(position + width)] {
            guard byte &- UInt8(ascii: "0") <= 9 else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += width
        return value
    }

    mutating func year() -> Int? {
        if skip("+") { return number(6) }
        // There is no year -0.
        if skip("-") { return number(6).flatMap { $0 == 0 ? nil : -$0 } }
        return number(4)
    }

    /// A fraction of a second, 0 without one.
    mutating func fraction() -> Double? {
        guard skip(".,") else { return 0 }
        let start = position
        var value = 0.0
        var unit = 1.0
        while let digit = number(1) {
            // More digits than a double has are read and do not count.
            guard unit < 1e15 else { continue }
            unit *= 10
            value = value * 10 + Double(digit)
        }
        return position > start ? value / unit : nil
    }

    /// The seconds east of UTC: `Z`, `+02:00`, `+0200` or `+02`.
    mutating func offset() -> Int? {
        if skip("Zz") { return 0 }
        let isWest = !isAtEnd && text[position] == UInt8(ascii: "-")
        guard skip("+-"), let hours = number(2), hours <= 23 else { return nil }
        var minutes = 0
        if skip(":") || !isAtEnd {
            guard let written = number(2), written <= 59 else { return nil }
            minutes = written
        }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }
}
