import Foundation

/// A folder of a test's own, gone with it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "bridgehead-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url.appending(path: name))
    }

    /// A browser that never says anything, and makes the file `begun`. It ends as browsers do, when nobody is at the other end
    /// any more.
    func silentBrowser() throws -> String {
        try write("#!/bin/sh\necho > '\(path("begun"))'\nexec cat <&3 >/dev/null\n", to: "browser")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path("browser"))
        return path("browser")
    }

    /// Until a file is there that another process writes.
    func waitFor(_ name: String) async throws {
        let file = path(name)
        try await awaiting(file) {
            while !FileManager.default.fileExists(atPath: file) { try await Task.sleep(for: .milliseconds(5)) }
        }
    }
}
