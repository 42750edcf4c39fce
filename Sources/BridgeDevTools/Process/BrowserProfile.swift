#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Foundation

/// A folder for one browser's data, which only this user can look into.
///
/// It is locked for as long as this process keeps it: one whose owner was killed is free, and the next start of any browser
/// takes it away.
struct BrowserProfile: Sendable {
    private static let prefix = "bridgehead-browser-"

    let path: String
    private let lock: Int32

    /// Where the browser's standard error goes.
    var errors: String { path + "/standard-error" }
    /// Where the browser's own files go.
    var data: String { path + "/data" }
    /// Environment variables by which what it writes elsewhere is here too: its crash reports, for which it has a place in the
    /// user's home whatever its profile is, and temporary files, some of which it leaves when it is killed. Not these where
    /// the name of the socket that it makes there would not fit into an address.
    var variables: [String: String] {
        let socket = "\(path)/org.chromium.Chromium.XXXXXX/SingletonSocket"
        let fits = socket.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        return ["XDG_CONFIG_HOME": path + "/config"].merging(fits ? ["TMPDIR": path] : [:]) { $1 }
    }

    init() throws(BrowserUnavailable) {
        let parent = FileManager.default.temporaryDirectory.path
        Self.removeAbandoned(in: parent)
        // Another process may take it for abandoned before it is locked.
        for _ in 0..<10 {
            var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { break }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let lock = Self.lock(path) {
                self.path = path
                self.lock = lock
                return
            }
        }
        throw BrowserUnavailable("no folder for its profile: \(String(cString: strerror(errno)))")
    }

    /// The last lines that the browser wrote to standard error, without what could steer a terminal.
    var lastWords: String {
        guard let file = FileHandle(forReadingAtPath: errors), let size = try? file.seekToEnd() else { return "" }
        let most: UInt64 = 600
        try? file.seek(toOffset: size - min(size, most))
        var bytes = (try? file.readToEnd()) ?? Data()
        // Whole lines, if there are.
        if size > most, let cut = bytes.firstIndex(of: 0x0a) { bytes = bytes[cut...] }
        let isSpace = CharacterSet.whitespacesAndNewlines.union(.controlCharacters).contains
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.split(whereSeparator: isSpace)
            .map { String($0) }.joined(separator: " ")
    }

    /// Waits, should processes of the browser that were killed still be at their last writes: not for a thread that others
    /// need.
    func remove() {
        for _ in 0..<50 where !Self.remove(path) { usleep(20_000) }
        close(lock)
    }

    /// - Returns: nil when somebody else has it, or has taken it away.
    private static func lock(_ path: String) -> Int32? {
        let lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard lock >= 0 else { return nil }
        var (own, there) = (stat(), stat())
        if flock(lock, LOCK_EX | LOCK_NB) == 0, fstat(lock, &own) == 0, lstat(path, &there) == 0,
            own.st_ino == there.st_ino, own.st_uid == geteuid()
        {
            return lock
        }
        close(lock)
        return nil
    }

    private static func removeAbandoned(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            guard let lock = lock("\(parent)/\(name)") else { continue }
            _ = remove("\(parent)/\(name)")
            close(lock)
        }
    }

    /// - Returns: whether there is nothing left.
    private static func remove(_ path: String) -> Bool {
        // Who is killed leaves the socket behind by which another start of the browser would find it: elsewhere, in a
        // folder that the profile has a link to.
        if let socket = try? FileManager.default.destinationOfSymbolicLink(atPath: path + "/data/SingletonSocket") {
            let folder = (socket as NSString).deletingLastPathComponent
            for name in ["SingletonSocket", "SingletonCookie"] { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        try? FileManager.default.removeItem(atPath: path)
        return access(path, F_OK) != 0
    }
}
