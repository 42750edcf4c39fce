/// How a command ended, for the shell: the numbers of sysexits.h where it has one.
enum ExitCode: Int32, Sendable {
    case success = 0
    /// The request was answered with a failure.
    case failure = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case internalFault = 70
    /// The machine does not give what is needed.
    case systemFault = 71
    case cannotWrite = 73
    /// Standard output does not take what was to be written.
    case outputFailed = 74
    case timedOut = 75
    case configuration = 78
    /// A SIGINT or SIGTERM that is an order.
    case interrupted = 130
}

/// A command that cannot go on: what to say, and the code to leave with.
struct CommandFailure: Error {
    let code: ExitCode
    let message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
