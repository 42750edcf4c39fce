/// All that native code wants over a page. It is the whole of it each time: what is asked twice changes nothing.
public struct OverlayRequest: Sendable {
    /// One overlay.
    public struct Item: Sendable {
        /// ``NativeOverlay/id``.
        public var id: Int
        /// Where it stands. Those at one place stand below one another, in order.
        public var placement: OverlayPlacement
        /// In CSS pixels.
        public var height: Double
        /// Then it takes no height.
        public var isHidden: Bool
        /// What it shows.
        public var view: NativeView
        /// Another one for each other view.
        public var version: Int
    }

    /// Later ones have higher numbers.
    public var number: Int
    /// In the order in which they were attached.
    public var items: [Item]
    /// Whether the page shows the places, and what was measured.
    public var explain: Bool
    /// What the page's CSS variables `--safe-area-inset-top` and so on are set to.
    public var safeArea: OverlayInsets?
}

/// What a page tells of its overlays by itself.
public enum OverlayMessage: Hashable, Sendable {
    /// - Parameter request: the number of the last request that holds in the page.
    case measurement(OverlayMeasurement, request: Int)
    /// Something in an overlay was used that has an attribute `event`.
    case event(overlay: Int, name: String, value: String?)
    /// What was asked may not be in the document that is there now.
    case outdated
}

/// Draws overlays over a page, and measures it.
@MainActor
public protocol OverlaySurface: AnyObject {
    /// Called with what the page tells, in order.
    var receive: (@MainActor (OverlayMessage) -> Void)? { get set }

    /// Makes the document that is there have these overlays and no others. Not called again before it has returned.
    ///
    /// - Returns: what the page measures with them.
    /// - Throws: `WebPageError`.
    func apply(_ request: OverlayRequest) async throws -> OverlayMeasurement
}
