#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The time of day in UTC as logs write it, without the weight of a date formatter.
enum Timestamp {
    /// `2026-05-01T12:04:11.240Z`
    static func now() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return text(seconds: Int(time.tv_sec), milliseconds: Int(time.tv_nsec) / 1_000_000)
    }

    /// `seconds` since 1970.
    static func text(seconds: Int, milliseconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        func pad(_ number: some BinaryInteger, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = "\(pad(Int(parts.tm_year) + 1900, 4))-\(pad(parts.tm_mon + 1))-\(pad(parts.tm_mday))"
        let clock = "\(pad(parts.tm_hour)):\(pad(parts.tm_min)):\(pad(parts.tm_sec)).\(pad(milliseconds, 3))"
        return "\(date)T\(clock)Z"
    }
}
