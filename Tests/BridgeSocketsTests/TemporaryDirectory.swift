// A place for the sockets of a test.

import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A new directory, removed with what a test left in it.
final class TemporaryDirectory: Sendable {
    private let root: String

    init() throws {
        var template = Array("/tmp/bridgehead.XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        root = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for name in ["s", "file", "link"] { unlink(path(name)) }
        rmdir(root)
    }

    func path(_ name: String) -> String { "\(root)/\(name)" }

    /// The type and permission bits of a file; `nil` when there is none.
    func mode(_ name: String) -> UInt32? {
        var status = stat()
        return lstat(path(name), &status) == 0 ? UInt32(status.st_mode) : nil
    }
}
