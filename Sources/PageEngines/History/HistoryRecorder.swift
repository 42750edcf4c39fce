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
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HistoryRecorderError.failed(.opening(path)) }
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
                _ = ftruncate(descriptor, start)
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
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HistoryRecorderError.failed(.opening(path)) }
        defer { closeDescriptor(descriptor) }
        let lines = try contents(descriptor, path).split(separator: newline, omittingEmptySubsequences: false)
            .dropLast()
        return try lines.enumerated().map { index, line in
            do {
                return try JSON.decode(WebPageURLChange.self, from: JSON(parsing: Array(line)))
            } catch {
                throw HistoryRecorderError.isNoHistory(path, line: index + 1, "\(error)")
            }
        }
    }

    // MARK: Parts

    private static let newline = UInt8(ascii: "\n")

    /// Cuts off what comes after the last line's end, if that can be the beginning of a line of a recorder's.
    private static func repair(_ descriptor: Int32, _ path: String) throws {
        let bytes = try contents(descriptor, path)
        let end = bytes.lastIndex(of: newline).map { $0 + 1 } ?? 0
        // Another kind of file is not to be cut.
        if let first = bytes.first, first != UInt8(ascii: "{") {
            throw HistoryRecorderError.isNoHistory(path, line: 1, "it does not begin with an object")
        }
        guard end < bytes.count else { return }
        guard ftruncate(descriptor, off_t(end)) == 0 else { throw HistoryRecorderError.failed(.writing(path)) }
    }

    private static func contents(_ descriptor: Int32, _ path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(bytes.count))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw HistoryRecorderError.failed(.reading(path)) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
        }
    }
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
