#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How a browser's process ended.
package struct BrowserEnd: Sendable, Hashable, CustomStringConvertible {
    package enum Cause: Sendable, Hashable {
        case status(Int32)
        case signal(Int32)
        /// It was asked for.
        case stopped
        /// Somebody else in this process has taken the status.
        case unknown
    }

    package let cause: Cause
    /// The last that it wrote to standard error, on one line, for people.
    package let lastWords: String

    package var description: String {
        let how =
            switch cause {
            case .status(let status): " (exit status \(status))"
            case .signal(let signal): " (\(String(cString: strsignal(signal))), signal \(signal))"
            case .stopped, .unknown: ""
            }
        let isExpected = cause == .stopped || cause == .status(0)
        return "the browser has ended\(how)" + (isExpected || lastWords.isEmpty ? "" : ": \(lastWords)")
    }
}

extension BrowserEnd.Cause {
    /// - Parameter status: as `waitpid` gives it.
    init(waitStatus status: Int32) {
        let signal = status & 0x7f
        self = signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
    }
}
