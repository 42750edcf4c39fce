#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Foundation

/// Starts a program with descriptors 3 and 4, which Foundation's `Process` cannot.
enum Spawn {
    #if canImport(Darwin)
        typealias FileActions = posix_spawn_file_actions_t?
    #else
        typealias FileActions = posix_spawn_file_actions_t
    #endif

    /// Starts it in a process group of its own, so that all of its processes can be ended at once, and none by this
    /// terminal's Ctrl-C; with the signals as they are by default, whatever this process does with its own; and with no
    /// descriptor but 0 to 4.
    ///
    /// - Parameter overrides: environment variables that it gets beside this process's, or instead.
    static func start(
        _ path: String, _ arguments: [String], reading: Int32, writing: Int32, errors: String,
        variables overrides: [String: String]
    ) throws(BrowserUnavailable) -> pid_t {
        #if canImport(Darwin)
            var files: posix_spawn_file_actions_t? = nil
            var attributes: posix_spawnattr_t? = nil
            let closing = POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
            var files = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
            let closing: Int32 = 0
        #endif
        posix_spawn_file_actions_init(&files)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
        }
        for descriptor: Int32 in 0...1 { posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0) }
        posix_spawn_file_actions_addopen(&files, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&files, reading, 3)
        posix_spawn_file_actions_adddup2(&files, writing, 4)
        closeAll(from: 5, &files)
        let flags = Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | closing)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        for signal in [SIGKILL, SIGSTOP] { sigdelset(&all, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, flags)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        let environment = ProcessInfo.processInfo.environment.merging(overrides) { $1 }
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process = pid_t()
        let code = posix_spawn(&process, path, &files, &attributes, &words, &variables)
        guard code == 0 else { throw BrowserUnavailable("\(path): \(String(cString: strerror(code)))") }
        return process
    }

    /// Descriptors that somebody in this process has opened without close-on-exec stay here. Darwin does that by a flag; of
    /// glibc it is an extension of version 2.34, which its module does not show. With an older one they are inherited.
    private static func closeAll(from first: Int32, _ files: inout FileActions) {
        #if !canImport(Darwin)
            typealias Function = @convention(c) (UnsafeMutablePointer<FileActions>, Int32) -> Int32
            guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
            _ = unsafeBitCast(symbol, to: Function.self)(&files, first)
        #endif
    }
}
