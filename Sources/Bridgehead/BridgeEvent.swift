@_exported public import BridgeJSON
@_exported public import BridgeWire

/// An event by name, with its payload as properties: one declaration for page → native and native → page.
///
/// ```swift
/// struct GetRandomTitle: BridgeEvent { static let name = "getRandomTitle"; typealias Reply = String }
/// ```
/// Names that begin with `$/` are the protocol's own; a handler for one is never called.
public protocol BridgeEvent: Codable, Sendable {
    /// What the other side answers. Nothing, unless declared; then it is `Codable`.
    associatedtype Reply: Sendable = Void
    /// What it may report before it answers. Never, unless declared: a stray report does not compile.
    associatedtype Progress: Codable & Sendable = Never

    static var name: String { get }
}
