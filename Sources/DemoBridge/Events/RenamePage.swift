import Bridgehead

/// Native → page: calls `updateTitle(title)`, a function that the page defines for its app.
struct RenamePage: BridgeEvent, DemoEvent {
    static let name = "renamePage"
    var title: String

    struct Reply: Codable, Sendable {
        var called: Bool
    }

    static func register(on bridge: Bridge) {
        bridge.on(RenamePage.self) { event, call in
            try await call.page.callFunction("updateTitle", event.title)
            return Reply(called: true)
        }
    }
}
