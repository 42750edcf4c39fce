#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The file that tells a script the port.
enum PortFile {
    /// Writes `port` and a line feed, under another name first: whoever finds the file finds it whole.
    static func write(_ port: Int, to path: String) throws(CommandFailure) {
        let temporary = "\(path).\(getpid()).tmp"
        let text = Array("\(port)\n".utf8)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path, errno) }
        var fault: Int32?
        if text.withUnsafeBytes({ posixWrite(descriptor, $0) }) != text.count { fault = errno }
        if close(descriptor) != 0, fault == nil { fault = errno }
        if fault == nil, rename(temporary, path) != 0 { fault = errno }
        if let fault {
            unlink(temporary)
            throw failure(path, fault)
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure(.cannotWrite, "Cannot write the port file '\(path)': \(String(cString: strerror(code))).")
    }

    private static func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
