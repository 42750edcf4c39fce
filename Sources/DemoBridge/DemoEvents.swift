package import Bridgehead

// To add an event:
// 1. a file in Events/, named after it: its declaration and its handler;
// 2. its entry in `DemoEvents.all` below;
// 3. a page that uses it: `await bridge.request("name", { … })`.
// DemoEventsTests fails when a file has no entry.

/// One event of the demo: its name, and its handler.
package protocol DemoEvent: SendableMetatype {
    static var name: String { get }
    static func register(on bridge: Bridge)
}

package enum DemoEvents {
    package static let all: [any DemoEvent.Type] = [
        AddToCart.self,
        AskPage.self,
        Download.self,
        Echo.self,
        GetDeviceInfo.self,
        GetRandomTitle.self,
        RenamePage.self,
        SignIn.self,
    ]

    package static func register(on bridge: Bridge) {
        for event in all { event.register(on: bridge) }
    }
}
