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
    private struct State {
        /// Why standard output did not take something, the first time.
        var fault: Int32?
        /// How many lines a stream did not take in time, and were not told of yet.
        var lost: [Stream: Int] = [:]
        /// Streams that hold the beginning of a line whose rest was lost.
        var torn: Set<Stream> = []
    }

    /// Held while something is written.
    private let state = Mutex(State())

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
        guard let code = state.withLock({ $0.fault }) else { return }
        throw CommandFailure(.outputFailed, "Cannot write to standard output: \(String(cString: strerror(code))).")
    }

    /// Writes `line` and a line feed.
    func write(_ line: String, to stream: Stream = .output) {
        write(raw: line + "\n", to: stream)
    }

    func write(raw text: String, to stream: Stream = .output) {
        state.withLock { state in _ = Self.write(text, to: stream, patience: -1, &state) }
    }

    /// Writes a line that may be lost: a reader that does not read (a script that waited for `Listening` and no longer
    /// looks, a terminal held with Ctrl-S) must not hold up the server.
    ///
    /// - Parameter notice: the line that says how many were lost before this one.
    func log(_ line: String, to stream: Stream, notice: (Int) -> String) {
        state.withLock { state in
            guard Self.waitUntilWritable(stream, patience: 0) else {
                state.lost[stream, default: 0] += 1
                return
            }
            var text = state.torn.remove(stream) == nil ? "" : "\n"
            if let count = state.lost.removeValue(forKey: stream) { text += notice(count) + "\n" }
            text += line + "\n"
            if !Self.write(text, to: stream, patience: Self.patience, &state) { state.torn.insert(stream) }
        }
    }

    /// How long the rest of a line waits for a reader that took its beginning, in milliseconds.
    private static let patience: Int32 = 1_000

    /// What a pipe that is writable takes at once (PIPE_BUF).
    #if canImport(Darwin)
        private static let pieceLength = 512
    #else
        private static let pieceLength = 4096
    #endif

    /// - Parameter patience: how long to wait for the reader, in milliseconds; -1: without end.
    /// - Returns: false when that ran out.
    private static func write(_ text: String, to stream: Stream, patience: Int32, _ state: inout State) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, rest.count > 0 {
                if patience >= 0, !waitUntilWritable(stream, patience: patience) { return false }
                let length = patience < 0 ? rest.count : min(rest.count, pieceLength)
                #if canImport(Darwin)
                    let count = Darwin.write(stream.rawValue, start, length)
                #else
                    let count = Glibc.write(stream.rawValue, start, length)
                #endif
                if count > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if count < 0, errno == EINTR || errno == EAGAIN {
                    _ = waitUntilWritable(stream, patience: patience)
                } else {
                    if stream == .output, errno != EPIPE { state.fault = state.fault ?? errno }
                    break
                }
            }
            return true
        }
    }

    /// - Returns: whether writing does not block, be it that it fails.
    private static func waitUntilWritable(_ stream: Stream, patience: Int32) -> Bool {
        var descriptor = pollfd(fd: stream.rawValue, events: Int16(POLLOUT), revents: 0)
        return poll(&descriptor, 1, patience) != 0
    }
}
