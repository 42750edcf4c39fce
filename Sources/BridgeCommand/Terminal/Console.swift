#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Synchronization

/// Standard output and standard error. Lines are written whole and at once, so that two threads never mix
/// and whoever waits for a line (Playwright, a script) sees it. A reader that went away (`| head`) is no
/// fault: what it does not read is dropped in silence.
final class Console: Sendable {
    enum Stream: Int32, Sendable {
        case output = 1
        case error = 2
    }

    let outputStyle: Style
    let errorStyle: Style
    let outputIsTerminal: Bool
    private let lock = Mutex(())

    init(environment: Environment) {
        outputIsTerminal = isatty(Stream.output.rawValue) == 1
        outputStyle = Style(enabled: environment.usesColor(onTerminal: outputIsTerminal))
        errorStyle = Style(enabled: environment.usesColor(onTerminal: isatty(Stream.error.rawValue) == 1))
    }

    /// Writes `line` and a line feed.
    func write(_ line: String, to stream: Stream = .output) {
        write(raw: line + "\n", to: stream)
    }

    func write(raw text: String, to stream: Stream = .output) {
        var text = text
        lock.withLock { _ in
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
                        return
                    }
                }
            }
        }
    }

    private static func wait(_ descriptor: inout pollfd) -> Int32 { poll(&descriptor, 1, -1) }
}
