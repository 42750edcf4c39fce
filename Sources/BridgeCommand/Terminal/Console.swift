#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Synchronization

/// Standard output and standard error. Lines are written whole and at once, so that two threads never mix
/// and whoever waits for a line (Playwright, a script) sees it. A reader that went away (`| head`) is no
/// fault: what it does not read is dropped in silence. Any other failure of standard output is remembered.
final class Console: Sendable {
    enum Stream: Int32, Sendable {
        case output = 1
        case error = 2
    }

    let outputStyle: Style
    let errorStyle: Style
    let outputIsTerminal: Bool
    let errorIsTerminal: Bool
    /// Why standard output did not take something, the first time; held while something is written.
    private let fault = Mutex<Int32?>(nil)

    init(environment: Environment) {
        outputIsTerminal = isatty(Stream.output.rawValue) == 1
        errorIsTerminal = isatty(Stream.error.rawValue) == 1
        outputStyle = Style(enabled: environment.usesColor(onTerminal: outputIsTerminal))
        errorStyle = Style(enabled: environment.usesColor(onTerminal: errorIsTerminal))
    }

    /// Gives the three standard descriptors that are closed to nobody else: what is printed would go to whatever has the
    /// number, such as the connection. They can be neither read nor written. Before anything is opened.
    static func reserveClosedStreams() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// - Throws: if anything that was written to standard output is lost.
    func checkOutput() throws(CommandFailure) {
        guard let code = fault.withLock({ $0 }) else { return }
        throw CommandFailure(.outputFailed, "Cannot write to standard output: \(String(cString: strerror(code))).")
    }

    /// Writes `line` and a line feed.
    func write(_ line: String, to stream: Stream = .output) {
        write(raw: line + "\n", to: stream)
    }

    func write(raw text: String, to stream: Stream = .output) {
        var text = text
        fault.withLock { fault in
            text.withUTF8 { bytes in
                var rest = UnsafeRawBufferPointer(bytes)
                while let start = rest.baseAddress, rest.count > 0 {
                    #if canImport(Darwin)
                        let count = Darwin.write(stream.rawValue, start, rest.count)
                    #else
                        let count = Glibc.write(stream.rawValue, start, rest.count)
                    #endif
                    if count > 0 {
                        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                    } else if count < 0, errno == EINTR || errno == EAGAIN {
                        var poll = pollfd(fd: stream.rawValue, events: Int16(POLLOUT), revents: 0)
                        _ = Self.wait(&poll)
                    } else {
                        if stream == .output, errno != EPIPE { fault = fault ?? errno }
                        return
                    }
                }
            }
        }
    }

    private static func wait(_ descriptor: inout pollfd) -> Int32 { poll(&descriptor, 1, -1) }
}
