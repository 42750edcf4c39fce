import Bridgehead

/// An untyped event: answers its payload, whatever it is.
enum Echo: DemoEvent {
    static let name = "echo"

    static func register(on bridge: Bridge) {
        bridge.on(name) { payload, _ in payload }
    }
}
