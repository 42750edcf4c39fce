public import Observation

/// A native view over a page, at a place of the page's: it scrolls with the page, follows what it stands over, and is there
/// again in each document that comes. Made by ``PageOverlays/attach(_:at:height:)``.
///
/// All properties can be observed. What is set here is in the page some moments later; ``frame``, ``contentHeight``,
/// ``isVisible`` and ``reason`` are what the page has measured, never what was only asked for. What is set several times at
/// once is drawn once.
@MainActor
@Observable
public final class NativeOverlay: Identifiable {
    /// The highest that an overlay can be, in CSS pixels. Browsers measure nothing right that is much higher.
    public nonisolated static let highest = 10_000_000.0

    /// Of this page's overlays, and no other's afterwards.
    public nonisolated let id: Int
    /// Where it stands.
    public nonisolated let placement: OverlayPlacement

    /// In the document, in CSS pixels: x 0, y the top of what it stands over, as wide as the viewport, as high as the overlay.
    /// Nil while it has no place; ``reason`` says why.
    public private(set) var frame: OverlayRect?
    /// The document's height with all its overlays, in CSS pixels; nil while none has been measured.
    public private(set) var contentHeight: Double?
    /// Why nothing of it is to be seen, however the page is scrolled; nil where something is.
    public private(set) var reason: OverlayAbsence? = .notMeasured
    /// Whether something of it is to be seen where the page is scrolled to it.
    public var isVisible: Bool { reason == nil }

    private var wantedHeight: Double
    private var wantedView: NativeView
    private var isWantedHidden = false
    @ObservationIgnored private(set) var version = 1
    @ObservationIgnored private weak var owner: PageOverlays?

    init(_ id: Int, _ view: NativeView, _ placement: OverlayPlacement, _ height: Double, _ owner: PageOverlays) {
        self.id = id
        self.placement = placement
        wantedView = view
        wantedHeight = height
        self.owner = owner
    }

    /// In CSS pixels. A setter cannot throw: what is below 0, or is no number, is set as 0, and what is over ``highest`` as
    /// that; it reads as what holds.
    public var height: Double {
        get { wantedHeight }
        set { set(\.wantedHeight, newValue > 0 ? min(newValue, Self.highest) : 0) }
    }

    /// What it shows. Another view takes the place of the one before as a whole.
    public var view: NativeView {
        get { wantedView }
        set {
            version += 1
            wantedView = newValue
            owner?.didChange()
        }
    }

    /// Whether it is not to be seen, and takes no height; false at first.
    public var isHidden: Bool {
        get { isWantedHidden }
        set { set(\.isWantedHidden, newValue) }
    }

    /// Takes it out of the page, which is as it was before. It does not come back.
    public func remove() {
        owner?.remove(self)
        owner = nil
        place(nil, .removed, contentHeight: nil)
    }

    /// Returns when it has a place in a page that has loaded, with all that was set before; at once where that is so. A place
    /// can be out of sight: see ``reason``.
    ///
    /// - Throws: ``OverlayError/notPlaced(_:)`` when a page has loaded and the overlay has no place in it, as without its
    ///   marker (a marker that comes later is followed all the same: observe ``frame``); `WebPageError` when the page has been
    ///   closed or its process has ended; `CancellationError`.
    public func placed() async throws {
        guard let owner else { throw OverlayError.notPlaced(reason ?? .removed) }
        try await owner.placed(self)
    }

    private func set<Value: Equatable>(_ keyPath: ReferenceWritableKeyPath<NativeOverlay, Value>, _ value: Value) {
        guard self[keyPath: keyPath] != value else { return }
        self[keyPath: keyPath] = value
        owner?.didChange()
    }

    /// Only what differs is told.
    func place(_ frame: OverlayRect?, _ reason: OverlayAbsence?, contentHeight: Double?) {
        if self.frame != frame { self.frame = frame }
        if self.contentHeight != contentHeight { self.contentHeight = contentHeight }
        if self.reason != reason { self.reason = reason }
    }

    var item: OverlayRequest.Item {
        OverlayRequest.Item(
            id: id, placement: placement, height: height, isHidden: isHidden, view: view, version: version)
    }
}
