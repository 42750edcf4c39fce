import Bridgehead

/// Native → page: asks the page that called, through the handler it registered with `bridge.handle("confirmRead", …)`,
/// and answers what it said.
struct AskPage: BridgeEvent, DemoEvent {
    static let name = "askPage"
    typealias Reply = JSON
    var question: String

    static func register(on bridge: Bridge) {
        bridge.on(AskPage.self) { event, call in
            try await call.page.send(ConfirmRead(question: event.question))
        }
    }
}

/// What the page is asked.
struct ConfirmRead: BridgeEvent {
    static let name = "confirmRead"
    typealias Reply = JSON
    var question: String
}
