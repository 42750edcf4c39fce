#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Bridgehead

/// What a page asks of the device it runs on; here, of the machine that serves it.
struct GetDeviceInfo: BridgeEvent, DemoEvent {
    static let name = "getDeviceInfo"

    struct Reply: Codable, Sendable {
        var system: String
        var version: String
        var processors: Int
    }

    static func register(on bridge: Bridge) {
        #if os(Linux)
            let system = "Linux"
        #else
            let system = "macOS"
        #endif
        bridge.on(GetDeviceInfo.self) { _, _ in
            Reply(
                system: system, version: ProcessInfo.processInfo.operatingSystemVersionString,
                processors: ProcessInfo.processInfo.activeProcessorCount)
        }
    }
}
