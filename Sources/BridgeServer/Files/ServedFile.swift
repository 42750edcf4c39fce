#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file to be served: what is said about it, and where its bytes are.
struct ServedFile {
    enum Contents {
        case bytes([UInt8])
        case file(OpenFile)
    }

    let name: String
    let tag: EntityTag
    let size: Int
    let contents: Contents
}

/// What a path of a page leads to.
enum FoundPage {
    case file(ServedFile)
    /// A folder that was asked for without its slash, against which the page's links would be read wrongly.
    case folderWithoutSlash
    case missing
}

/// An open regular file, closed when nobody holds it any more.
final class OpenFile {
    private let descriptor: Int32

    /// Takes over the descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// The next bytes, at most `count`; empty at the end of the file, nil when they cannot be read.
    func read(_ count: Int) -> [UInt8]? {
        var result: Int
        var bytes: [UInt8] = []
        repeat {
            result = -1
            bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                #if canImport(Darwin)
                    result = Darwin.read(descriptor, buffer.baseAddress, count)
                #else
                    result = Glibc.read(descriptor, buffer.baseAddress, count)
                #endif
                initialized = max(result, 0)
            }
        } while result < 0 && errno == EINTR
        return result < 0 ? nil : bytes
    }
}
