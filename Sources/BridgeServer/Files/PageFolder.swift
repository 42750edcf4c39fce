#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The folder that pages are served from. Nothing outside of it is reached, nor anything that a name beginning with `.`
/// leads to: a link is followed first and then judged by where it ends.
struct PageFolder: Sendable {
    /// Without links, and without a slash at its end.
    private let root: String

    /// nil when `path` is no folder that can be read.
    init?(_ path: String) {
        guard let root = Self.resolved(path), let status = FileStatus(path: root), status.isFolder,
            access(root, R_OK | X_OK) == 0
        else { return nil }
        self.root = root == "/" ? "" : root
    }

    func page(_ path: PagePath) -> FoundPage {
        guard let place = inside(path.names), let status = FileStatus(path: place) else { return .missing }
        if status.isFolder {
            guard path.isFolder || path.names.isEmpty else { return .folderWithoutSlash }
            guard let index = inside(path.names + ["index.html"]) else { return .missing }
            return open(index, name: "index.html")
        }
        guard !path.isFolder else { return .missing }
        return open(place, name: path.names.last ?? "")
    }

    /// The real path, when it is one of the root's own.
    private func inside(_ names: [String]) -> String? {
        guard let place = Self.resolved(([root] + names).joined(separator: "/") + (names.isEmpty ? "/" : "")) else {
            return nil
        }
        if place == root || place == "/" && root.isEmpty { return place }
        guard place.utf8.starts(with: (root + "/").utf8) else { return nil }
        let below = place.utf8.dropFirst(root.utf8.count + 1).split(separator: 0x2F)
        return below.allSatisfy { $0.first != 0x2E } ? place : nil
    }

    private func open(_ path: String, name: String) -> FoundPage {
        // Neither a pipe without a writer nor a link put there meanwhile can hold up or lead out.
        #if canImport(Darwin)
            let descriptor = Darwin.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        #else
            let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        #endif
        guard descriptor >= 0 else { return .missing }
        let file = OpenFile(descriptor: descriptor)
        guard let status = FileStatus(descriptor: descriptor), status.isRegular else { return .missing }
        return .file(ServedFile(name: name, tag: status.tag, size: status.size, contents: .file(file)))
    }

    private static func resolved(_ path: String) -> String? {
        guard !path.utf8.contains(0), let result = realpath(path, nil) else { return nil }
        defer { free(result) }
        return String(cString: result)
    }
}

/// What stat(2) says of a file.
struct FileStatus {
    private let status: stat

    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.status = status
    }

    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.status = status
    }

    var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
    var size: Int { Int(status.st_size) }

    var tag: EntityTag {
        #if canImport(Darwin)
            let modified = status.st_mtimespec
        #else
            let modified = status.st_mtim
        #endif
        return EntityTag(
            inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: modified.tv_sec,
            nanoseconds: modified.tv_nsec)
    }
}
