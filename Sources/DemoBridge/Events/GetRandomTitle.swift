#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Bridgehead

/// The smallest event: no payload, a string as reply, answered in place.
struct GetRandomTitle: BridgeEvent, DemoEvent {
    static let name = "getRandomTitle"
    typealias Reply = String

    static func register(on bridge: Bridge) {
        bridge.on(GetRandomTitle.self) { _, _ in "Title: \(UUID())" }
    }
}
