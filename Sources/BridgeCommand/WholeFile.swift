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
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path, kind, errno) }
        var fault: Int32?
        var written = 0
        while written < bytes.count, fault == nil {
            let count = bytes[written...].withUnsafeBytes { posixWrite(descriptor, $0) }
            if count > 0 { written += count } else if errno != EINTR { fault = errno }
        }
        if close(descriptor) != 0, fault == nil { fault = errno }
        if fault == nil, rename(temporary, path) != 0 { fault = errno }
        if let fault {
            unlink(temporary)
            throw failure(path, kind, fault)
        }
    }

    private static func failure(_ path: String, _ kind: String, _ code: Int32) -> CommandFailure {
        CommandFailure(.cannotWrite, "Cannot write the \(kind) '\(path)': \(String(cString: strerror(code))).")
    }

    private static func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
