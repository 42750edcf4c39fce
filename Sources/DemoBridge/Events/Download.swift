package import Bridgehead

/// Progress and cancellation: pretends to download in ten chunks. `abort()` in the page cancels the task that sleeps
/// here.
package struct Download: BridgeEvent, DemoEvent {
    package static let name = "download"
    var url: String

    package struct Progress: Codable, Sendable {
        var received: Int
        var total: Int
    }

    package struct Reply: Codable, Sendable {
        var path: String
    }

    package static func register(on bridge: Bridge) {
        register(on: bridge, clock: ContinuousClock())
    }

    /// - Parameter clock: on which time passes between two chunks.
    package static func register(on bridge: Bridge, clock: some Clock<Duration>) {
        bridge.on(Download.self) { event, call in
            let total = 10
            for received in 1...total {
                try await clock.sleep(for: .milliseconds(200))
                call.report(Progress(received: received, total: total))
            }
            let name = event.url.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "file"
            return Reply(path: "/downloads/\(name)")
        }
    }
}
