#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Dispatch
import Synchronization

/// Says when a file has been saved, by looking at it four times a second. Watching descriptors would miss editors that
/// save by renaming, folders that are replaced and file systems without notification; a `stat` costs microseconds.
final class FileWatcher: Sendable {
    private let timer: Mutex<any DispatchSourceTimer>

    /// - Parameter changed: called on a queue of the watcher's, once the file has kept still for one look: a save that
    ///   truncates first is not read half-way. Not called while the file is missing.
    init(path: String, changed: @escaping @Sendable () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bridgehead.answers"))
        var known = Stamp(path: path)
        var reported = known
        timer.schedule(deadline: .now() + .milliseconds(150), repeating: .milliseconds(150), leeway: .milliseconds(20))
        timer.setEventHandler {
            let now = Stamp(path: path)
            if let now, now == known, now != reported {
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

/// What tells one state of a file from another.
private struct Stamp: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
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
