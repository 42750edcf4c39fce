#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file that somebody waits for.
enum WholeFile {
    /// Writes it under another name first: whoever finds the file finds it whole.
    ///
    /// - Parameter kind: what it is, as the failure names it.
    static func write(_ bytes: [UInt8], to path: String, _ kind: String) throws(CommandFailure) {
        let destination = try check(path, kind)
        let temporary = "\(destination).\(getpid()).tmp"
        // One that a process of this number has left.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path, kind, errno) }
        var fault: Int32?
        var written = 0
        while written < bytes.count, fault == nil {
            let count = bytes[written...].withUnsafeBytes { posixWrite(descriptor, $0) }
            if count > 0 { written += count } else if errno != EINTR { fault = errno }
        }
        if close(descriptor) != 0, fault == nil { fault = errno }
        if fault == nil, rename(temporary, destination) != 0 { fault = errno }
        if let fault {
            unlink(temporary)
            throw failure(path, kind, fault)
        }
    }

    /// Looks whether it can be written, for those who would find out late. What is there and no regular file, such as a
    /// device or a pipe, is not replaced by one.
    ///
    /// - Returns: where it is written: of a link, what that leads to.
    @discardableResult
    static func check(_ path: String, _ kind: String) throws(CommandFailure) -> String {
        var status = stat()
        var destination = path
        if stat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw failure(path, kind, EISDIR)
            default: throw failure(path, kind, FileFault.notRegular.reason)
            }
            guard let resolved = realpath(path, nil) else { throw failure(path, kind, errno) }
            defer { free(resolved) }
            destination = String(cString: resolved)
        } else if errno != ENOENT {
            throw failure(path, kind, errno)
        } else if lstat(path, &status) == 0 {
            throw failure(path, kind, "It is a link to what is not there")
        }
        guard access(folder(of: destination), W_OK | X_OK) == 0 else { throw failure(path, kind, errno) }
        return destination
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return String(path[...slash])
    }

    private static func failure(_ path: String, _ kind: String, _ code: Int32) -> CommandFailure {
        failure(path, kind, String(cString: strerror(code)))
    }

    private static func failure(_ path: String, _ kind: String, _ reason: String) -> CommandFailure {
        CommandFailure(.cannotWrite, "Cannot write the \(kind) '\(path)': \(reason).")
    }

    private static func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
