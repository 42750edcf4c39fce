#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Foundation

/// A browser of Chromium's family, headless, that is driven by a pipe: no port is opened, and it ends when this process
/// does, however that ends. Its profile is its own, and goes with it.
struct BrowserProcess: Sendable {
    private static let names = [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge",
        "brave-browser",
    ]
    private static let places = [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ]

    let process: pid_t
    /// What the browser reads its orders from, and writes to.
    let orders: Int32
    let answers: Int32
    private let profile: String

    /// The first browser that there is.
    static func find(searchPath: String) -> String? {
        let folders = searchPath.split(separator: ":")
        let candidates = names.flatMap { name in folders.map { "\($0)/\(name)" } } + places
        return candidates.first { access($0, X_OK) == 0 }
    }

    init(path: String) throws(BrowserFailure) {
        var template = Array((NSTemporaryDirectory() + "/bridgehead-browser-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw BrowserFailure("no folder for its profile: \(Self.fault)") }
        profile = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(BrowserFailure) {
            let toBrowser = try Self.pipe()
            let fromBrowser = try Self.pipe()
            defer {
                Self.closeAll(toBrowser.reading, fromBrowser.writing)
            }
            do throws(BrowserFailure) {
                process = try Self.start(path, profile, reading: toBrowser.reading, writing: fromBrowser.writing)
            } catch {
                Self.closeAll(toBrowser.writing, fromBrowser.reading)
                throw error
            }
            orders = toBrowser.writing
            answers = fromBrowser.reading
        } catch {
            try? FileManager.default.removeItem(atPath: profile)
            throw error
        }
    }

    /// Ends it with all its processes, and takes its profile away.
    func end() {
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        Self.closeAll(orders)
        removeSocket()
        // Its other processes may still be at their last writes.
        for _ in 0..<50 {
            if (try? FileManager.default.removeItem(atPath: profile)) != nil { return }
            guard FileManager.default.fileExists(atPath: profile) else { return }
            usleep(20_000)
        }
    }

    /// Who is killed leaves the socket behind by which another start of the browser would find it: elsewhere, in a folder
    /// that the profile has a link to.
    private func removeSocket() {
        let link = profile + "/SingletonSocket"
        guard let socket = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return }
        let folder = (socket as NSString).deletingLastPathComponent
        for name in ["SingletonSocket", "SingletonCookie"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private static func start(
        _ path: String, _ profile: String, reading: Int32, writing: Int32
    ) throws(BrowserFailure) -> pid_t {
        var flags = [
            "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(profile)", "--no-first-run",
            "--disable-gpu",
            "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
            "--disable-default-apps", "--disable-sync", "--mute-audio", "--disable-background-timer-throttling",
            "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
            // Tabs come and go: a process for each would take most of the time.
            "--renderer-process-limit=1",
        ]
        // Chromium refuses to start its sandbox as root, which is what a container is.
        if geteuid() == 0 { flags.append("--no-sandbox") }
        #if canImport(Darwin)
            var files: posix_spawn_file_actions_t? = nil
            var attributes: posix_spawnattr_t? = nil
        #else
            var files = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&files)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
        }
        for descriptor: Int32 in 0...2 { posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0) }
        posix_spawn_file_actions_adddup2(&files, reading, 3)
        posix_spawn_file_actions_adddup2(&files, writing, 4)
        // A group of its own, so that all of its processes can be ended at once, and none by this terminal's Ctrl-C.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + flags + ["about:blank"]).map { strdup($0) } + [nil]
        let environment = ProcessInfo.processInfo.environment
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process = pid_t()
        let code = posix_spawn(&process, path, &files, &attributes, &arguments, &variables)
        guard code == 0 else { throw BrowserFailure("\(path): \(String(cString: strerror(code)))") }
        return process
    }

    /// Two ends that no other program inherits, and that are none of the numbers that the browser expects.
    private static func pipe() throws(BrowserFailure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let result = Darwin.pipe(&ends)
        #else
            let result = Glibc.pipe(&ends)
        #endif
        guard result == 0 else { throw BrowserFailure("no pipe: \(fault)") }
        let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        closeAll(ends[0], ends[1])
        guard moved[0] >= 0, moved[1] >= 0 else { throw BrowserFailure("no pipe: \(fault)") }
        return (moved[0], moved[1])
    }

    private static func closeAll(_ descriptors: Int32...) {
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    }

    private static var fault: String { String(cString: strerror(errno)) }
}

/// Why a browser does not do what it should.
package struct BrowserFailure: Error, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    static let ended = BrowserFailure("the browser has ended")
    static let cancelled = BrowserFailure("the run was interrupted")
}
