#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Dispatch

/// Opens a page in the user's browser.
enum Browser {
    #if canImport(Darwin)
        private typealias FileActions = posix_spawn_file_actions_t?
        private static let opener = "open"
    #else
        private typealias FileActions = posix_spawn_file_actions_t
        private static let opener = "xdg-open"
    #endif

    /// Runs the program in `BROWSER`, else the system's opener; `BROWSER=none` opens nothing.
    /// - Parameter failed: called with the program's name, from another thread, if it cannot be run or fails.
    static func open(_ url: String, environment: Environment, failed: @escaping @Sendable (String) -> Void) {
        let program = environment["BROWSER"] ?? opener
        guard program != "none" else { return }
        // The browser's own chatter does not belong into this terminal; waiting for it leaves no zombie behind.
        DispatchQueue.global().async {
            if !run(program, url, environment) { failed(program) }
        }
    }

    private static func run(_ program: String, _ url: String, _ environment: Environment) -> Bool {
        #if canImport(Darwin)
            var files: FileActions = nil
        #else
            var files = FileActions()
        #endif
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(url), nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.assignments.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process = pid_t()
        guard posix_spawnp(&process, program, &files, nil, &arguments, &variables) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
