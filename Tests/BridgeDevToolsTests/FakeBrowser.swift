import BridgeDevTools
import Foundation

/// A script that is started in a browser's place.
final class FakeBrowser: Sendable {
    let path: String

    /// - Parameter body: of a shell script.
    init(_ body: String, shell: String = "/bin/sh") throws {
        path = FileManager.default.temporaryDirectory.appending(path: "fake-browser-\(UUID().uuidString)").path
        try "#!\(shell)\n\(body)\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func start(_ options: BrowserOptions = BrowserOptions()) throws -> DevToolsBrowser {
        try DevToolsBrowser(path: path, options: options)
    }

    /// Waits for an order, and reads it whole.
    static let wait = "dd bs=65536 count=1 <&3 >/dev/null 2>/dev/null"
    /// Says that it runs, when it is asked: what is said before somebody listens is lost.
    static let ready = wait + #"; printf '{"method":"ready"}\0' >&4"#
    /// Waits for the end of its orders.
    static let obey = "cat <&3 >/dev/null; exit 0"
}

extension BrowserProcess {
    /// How it ended, once it has.
    func ended() async -> BrowserEnd {
        await withCheckedContinuation { continuation in onEnd { continuation.resume(returning: $0) } }
    }
}
