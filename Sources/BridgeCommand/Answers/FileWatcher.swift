#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Dispatch
import Synchronization

/// Says when a file has been saved, or is gone, by looking at it some times a second. Watching descriptors would miss
/// editors that save by renaming, folders that are replaced and file systems without notification; a `stat` costs
/// microseconds.
final class FileWatcher: Sendable {
    private let timer: Mutex<any DispatchSourceTimer>

    /// - Parameter changed: called on a queue of the watcher's, once the file has kept still for one look: a save that
    ///   truncates or removes it first is not read half-way.
    init(path: String, changed: @escaping @Sendable () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bridgehead.answers"))
        var known = Stamp(path: path)
        var reported = known
        timer.schedule(deadline: .now() + .milliseconds(150), repeating: .milliseconds(150), leeway: .milliseconds(20))
        timer.setEventHandler {
            let now = Stamp(path: path)
            if now == known, now != reported {
                reported = now
                changed()
            }
            known = now
        }
        timer.activate()
        self.timer = Mutex(timer)
    }

    deinit { timer.withLock { $0.cancel() } }
}

/// What tells one state of a file from another; nil where there is none.
private struct Stamp: Equatable {
    private let device: UInt64
    private let inode: UInt64
    /// Kind and permissions: what could not be read may be readable now.
    private let mode: UInt64
    private var size: Int64 = 0
    private var seconds = 0
    private var nanoseconds = 0

    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        mode = UInt64(status.st_mode)
        // What happens in a folder or a pipe in its place makes it no file.
        guard status.st_mode & S_IFMT == S_IFREG else { return }
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = Int(time.tv_sec)
        nanoseconds = Int(time.tv_nsec)
    }
}
