import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Files that the commands write, where something is there already. No browser has to be.
@Suite(.timeLimit(.minutes(20))) struct WrittenFileTests {
    enum Obstacle: CaseIterable { case pipe, device, socket, folder, linkToPipe, deadLink, inNoFolder, inAFile }

    static let commands = [
        ["serve", "--port", "0", "--port-file"], ["browse", "http://a.test", "--screenshot"],
        ["browse", "http://a.test", "--history"],
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Before there is a browser, which would be 69 here.
    @Test(arguments: commands, Obstacle.allCases)
    func whatIsNoRegularFileIsLeftAsItIs(_ command: [String], _ obstacle: Obstacle) async throws {
        // A history is begun where such a link leads, as any file is that something is added to.
        if command.last == "--history", obstacle == .deadLink { return }
        guard let path = try place(obstacle) else { return }
        let before = kind(path)
        let result = try await Tool.run(
            command + [path], environment: ["BRIDGEHEAD_BROWSER": "/nonexistent/browser"])
        #expect(result.status == 73, "\(result)")
        #expect(result.error.contains(path))
        if obstacle == .pipe || obstacle == .linkToPipe {
            #expect(result.error.contains("Not a regular file"), "\(result.error)")
        }
        #expect(result.output == "")
        #expect(kind(path) == before)
    }

    @Test func ofALinkWhatItLeadsToIsWritten() async throws {
        try folder.write("old", to: "port")
        let inside = folder.path("inside")
        try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: inside + "/second", withDestinationPath: "../port")
        let link = folder.path("first")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "inside/second")
        let (tool, port) = try await Tool.serve(["--port-file", link])
        #expect(try String(contentsOfFile: folder.path("port"), encoding: .utf8) == "\(port)\n")
        #expect(kind(folder.path("port")) == S_IFREG)
        #expect(kind(link) == S_IFLNK)
        #expect(kind(inside + "/second") == S_IFLNK)
        #expect(try FileManager.default.contentsOfDirectory(atPath: inside) == ["second"])
        tool.signal(SIGTERM)
        #expect(try await tool.result().status == 0)
    }

    /// - Returns: nil where this user can make no such thing.
    private func place(_ obstacle: Obstacle) throws -> String? {
        let path = folder.path("there")
        switch obstacle {
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .device:
            // A copy of /dev/full, which is root's to make.
            #if os(Linux)
                guard mknod(path, S_IFCHR | 0o600, 1 << 8 | 7) == 0 else { return nil }
            #else
                return nil
            #endif
        case .socket:
            let descriptor = streamSocket(AF_UNIX)
            defer { close(descriptor) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
        case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        case .linkToPipe:
            try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "pipe")
        case .deadLink: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "gone")
        case .inNoFolder: return path + "/file"
        case .inAFile:
            try folder.write("", to: "there")
            return path + "/file"
        }
        return path
    }

    /// nil: nothing is there.
    private func kind(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
