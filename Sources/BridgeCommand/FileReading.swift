#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Why a file cannot be read, in the system's words.
struct FileFault: Error {
    let reason: String

    init(_ code: Int32) {
        reason = String(cString: strerror(code))
    }

    private init(reason: String) { self.reason = reason }

    static let notRegular = FileFault(reason: "Not a regular file")
}

/// The whole of a regular file. Anything else is refused: a pipe would be waited for without end.
func readFile(_ path: String) throws(FileFault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
        // What open(2) says of a socket.
        throw errno == ENXIO || errno == EOPNOTSUPP ? .notRegular : FileFault(errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFault(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return try readAll(descriptor)
    case S_IFDIR: throw FileFault(EISDIR)
    default: throw .notRegular
    }
}

/// Everything up to the end of the input.
func readAll(_ descriptor: Int32) throws(FileFault) -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            result += buffer[..<count]
        } else if count == 0 {
            return result
        } else if errno != EINTR {
            throw FileFault(errno)
        }
    }
}
