import Bridgehead

/// A typed payload: a page that sends something else learns where it is wrong and what was expected (−32602).
struct AddToCart: BridgeEvent, DemoEvent {
    static let name = "addToCart"
    var id: Int
    var price: Double
    var note: String?

    struct Reply: Codable, Sendable {
        var id: Int
        var total: Double
        var note: String?
    }

    static func register(on bridge: Bridge) {
        bridge.on(AddToCart.self) { item, _ in Reply(id: item.id, total: item.price, note: item.note) }
    }
}
