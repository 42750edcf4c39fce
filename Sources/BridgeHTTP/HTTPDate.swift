/// The IMF-fixdate of RFC 9110, section 5.6.7, as in `Date`: `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter seconds: since 1970, UTC, without leap seconds; from there to the year 9999.
    package static func string(secondsSince1970 seconds: Int) -> String {
        let seconds = min(max(seconds, 0), 253_402_300_799)
        let (day, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
        // Civil date from days, in years that begin in March, so that the leap day is a year's last.
        let shifted = day + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = (marchMonth + 2) % 12
        let year = era * 400 + yearOfEra + (month < 2 ? 1 : 0)
        let date = "\(days[day % 7]), \(padded(dayOfMonth)) \(months[month]) \(year)"
        return "\(date) \(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60)) GMT"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
