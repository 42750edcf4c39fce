#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
internal import BridgeJSON
public import PageModel

/// Writes the URL changes of pages to a file that survives the process: one JSON object a line, added at the end.
///
/// What ``record(_:)`` has returned for is in the file even when the process is killed in the next instant. (It is the
/// operating system's then; a machine that loses its power may lose it.) A line that a kill has torn is cut off when the file
/// is opened the next time. A file is one recorder's at a time.
public actor HistoryRecorder {
    /// The file.
    public nonisolated let path: String
    private var descriptor: Int32

    /// Opens the file, making it (mode 0600) where there is none.
    ///
    /// - Throws: ``HistoryRecorderError``: where the file cannot be opened, another recorder has it, or it is none of a
    ///   recorder's.
    public init(path: String) throws {
        self.path = path
        descriptor = try openFile(path, O_RDWR | O_CREAT | O_APPEND)
        do {
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw HistoryRecorderError.isInUse(path) }
            try Self.repair(descriptor, path)
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
    }

    deinit { if descriptor >= 0 { closeDescriptor(descriptor) } }

    /// Adds a change, and returns when it is in the file.
    ///
    /// - Throws: ``HistoryRecorderError``. Nothing of the change is in the file then.
    public func record(_ change: WebPageURLChange) throws {
        guard descriptor >= 0 else { throw HistoryRecorderError.isClosed(path) }
        var writer = JSONWriter()
        try JSON.encode(change, into: &writer)
        writer.write(raw: "\n")
        let start = lseek(descriptor, 0, SEEK_END)
        let line = writer.bytes
        var written = 0
        while written < line.count {
            let count = line[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = HistoryRecorderError.failed(.writing(path))
                // What would come after half a line would be lost with it.
                if ftruncate(descriptor, start) != 0 { close() }
                throw failure
            }
            written += count
        }
    }

    /// Adds every change of a page, until it closes.
    ///
    /// - Throws: ``HistoryRecorderError`` at the first that cannot be added.
    public func record(_ changes: WebPageURLChanges) async throws {
        for await change in changes { try record(change) }
    }

    /// Lets the file go. A recorder that is let go does that too.
    public func close() {
        if descriptor >= 0 { closeDescriptor(descriptor) }
        descriptor = -1
    }

    /// The changes in a file, oldest first; a torn last line is left out.
    ///
    /// - Throws: ``HistoryRecorderError`` where the file cannot be read or is none of a recorder's.
    public static func changes(in path: String) throws -> [WebPageURLChange] {
        let descriptor = try openFile(path, O_RDONLY)
        defer { closeDescriptor(descriptor) }
        let lines = try read(descriptor, path).split(separator: newline, omittingEmptySubsequences: false)
        if lines.count == 1 { try checkTorn(lines[0], path) }
        return try lines.dropLast().enumerated().map { try change(in: $1, path, number: $0 + 1) }
    }

    // MARK: Parts

    private static let newline = UInt8(ascii: "\n")

    /// Cuts off what comes after the last line's end, if the file is a recorder's. However long it is, only its ends are read.
    private static func repair(_ descriptor: Int32, _ path: String) throws {
        let size = lseek(descriptor, 0, SEEK_END)
        var end = size
        var tail: [UInt8] = []
        while end > 0 {
            let start = max(0, end - chunk)
            let bytes = try read(descriptor, path, from: start, count: end - start)
            if let last = bytes.lastIndex(of: newline) {
                end = start + off_t(last) + 1
                break
            }
            tail.insert(contentsOf: bytes, at: 0)
            end = start
        }
        // Another kind of file is not to be cut.
        if end == 0 { try checkTorn(tail[...], path) } else { try checkFirstLine(descriptor, path) }
        guard end < size else { return }
        guard ftruncate(descriptor, end) == 0 else { throw HistoryRecorderError.failed(.writing(path)) }
    }

    private static func checkFirstLine(_ descriptor: Int32, _ path: String) throws {
        var line: [UInt8] = []
        while true {
            let bytes = try read(descriptor, path, from: off_t(line.count), count: chunk)
            line += bytes.prefix { $0 != newline }
            if bytes.isEmpty || bytes.contains(newline) { break }
        }
        _ = try change(in: line[...], path, number: 1)
    }

    /// Whether that can be what a kill has left of a file's first line: a beginning of it, or all but its end.
    private static func checkTorn(_ line: ArraySlice<UInt8>, _ path: String) throws {
        let isBeginning = zip(line, #"{"url":""#.utf8).allSatisfy { $0 == $1 }
        let isWhole = (try? JSON(parsing: Array(line))) != nil
        guard !isBeginning || isWhole, !line.isEmpty else { return }
        _ = try change(in: line, path, number: 1)
    }

    private static func change(in line: ArraySlice<UInt8>, _ path: String, number: Int) throws -> WebPageURLChange {
        do {
            return try JSON.decode(WebPageURLChange.self, from: JSON(parsing: Array(line)))
        } catch {
            throw HistoryRecorderError.isNoHistory(path, line: number, "\(error)")
        }
    }

    private static let chunk: off_t = 1 << 16

    private static func read(
        _ descriptor: Int32, _ path: String, from start: off_t = 0, count: off_t = .max
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Int(chunk))
        while bytes.count < count {
            let wanted = min(buffer.count, Int(count) - bytes.count)
            let found = buffer.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, wanted, start + off_t(bytes.count))
            }
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else { throw HistoryRecorderError.failed(.reading(path)) }
            if found == 0 { break }
            bytes.append(contentsOf: buffer[..<found])
        }
        return bytes
    }
}

/// Without waiting for anybody: a pipe may have nobody at its other end.
private func openFile(_ path: String, _ flags: Int32) throws -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw HistoryRecorderError.failed(.opening(path)) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        closeDescriptor(descriptor)
        throw HistoryRecorderError.failed("\(path) cannot be opened: Not a regular file")
    }
    return descriptor
}

private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }

/// Why a history cannot be written or read.
public enum HistoryRecorderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was done with which file, and the system's reason.
    case failed(String)
    /// Another recorder has the file.
    case isInUse(String)
    /// The recorder was closed.
    case isClosed(String)
    /// The file holds something else; which line, and why.
    case isNoHistory(String, line: Int, String)

    public var description: String {
        switch self {
        case .failed(let what): what
        case .isInUse(let path): "\(path) is another recorder's at the moment; give each its own file"
        case .isClosed(let path): "the recorder of \(path) is closed"
        case .isNoHistory(let path, let line, let reason):
            "\(path), line \(line), is not of a history, and the file is left as it is: \(reason)"
        }
    }
}

extension String {
    fileprivate static func opening(_ path: String) -> String { fault("cannot be opened", path) }
    fileprivate static func reading(_ path: String) -> String { fault("cannot be read", path) }
    fileprivate static func writing(_ path: String) -> String { fault("cannot be written", path) }

    private static func fault(_ what: String, _ path: String) -> String {
        "\(path) \(what): \(String(cString: strerror(errno)))"
    }
}
