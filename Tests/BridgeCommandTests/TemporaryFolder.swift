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

    /// Until a file is there that another process writes.
    func waitFor(_ name: String) async throws {
        let file = path(name)
        try await awaiting(file) {
            while !FileManager.default.fileExists(atPath: file) { try await Task.sleep(for: .milliseconds(5)) }
        }
    }
}
