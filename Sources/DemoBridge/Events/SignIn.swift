import Bridgehead

/// A failure of the app's own: code, message and data reach the page as they are.
struct SignIn: BridgeEvent, DemoEvent {
    static let name = "signIn"

    static func register(on bridge: Bridge) {
        bridge.on(SignIn.self) { _, _ in
            throw BridgeFailure(4001, "Not signed in", data: ["reason": "the demo knows no accounts"])
        }
    }
}
