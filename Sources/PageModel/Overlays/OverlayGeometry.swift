/// Where overlays are in a page that was measured.
public struct OverlayGeometry: Hashable, Sendable {
    /// Where one overlay is.
    public struct Place: Hashable, Sendable {
        /// x 0, y that of its marker, as wide as the viewport, as tall as the overlay; nil where it has no place.
        public var frame: OverlayRect?
        /// Why it is not to be seen; nil where it is. That the page is scrolled elsewhere is no reason.
        public var reason: OverlayAbsence?
    }

    /// By the overlays' ids.
    public let places: [Int: Place]
    /// The document's height with all overlays.
    public let contentHeight: Double

    /// - Parameters:
    ///   - request: what held in the page.
    ///   - measurement: what the page measured then.
    public init(_ request: OverlayRequest, _ measurement: OverlayMeasurement) {
        var places: [Int: Place] = [:]
        /// What is taken at each place already.
        var taken: [OverlayPlacement: Double] = [:]
        for item in request.items {
            let anchor = measurement.anchors.first { $0.placement == item.placement }
            guard !item.isHidden else {
                places[item.id] = Place(frame: nil, reason: .hidden)
                continue
            }
            guard let anchor, anchor.count > 0 else {
                places[item.id] = Place(frame: nil, reason: .noMarker(item.placement))
                continue
            }
            guard anchor.isRendered else {
                places[item.id] = Place(frame: nil, reason: .notRendered(item.placement))
                continue
            }
            let frame = OverlayRect(
                x: 0, y: anchor.top + taken[item.placement, default: 0], width: measurement.viewportWidth,
                height: item.height)
            taken[item.placement, default: 0] += item.height
            places[item.id] = Place(frame: frame, reason: Self.reason(frame, anchor.clip))
        }
        self.places = places
        contentHeight = measurement.contentHeight
    }

    private static func reason(_ frame: OverlayRect, _ clip: OverlayMeasurement.Clip?) -> OverlayAbsence? {
        if frame.height == 0 { return .noHeight }
        guard let clip else { return nil }
        return frame.y < clip.bottom && frame.y + frame.height > clip.top ? nil : .scrolledOut
    }
}
