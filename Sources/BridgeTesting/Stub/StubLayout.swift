public import PageModel

/// What a stub's page is like without overlays, in CSS pixels.
public struct StubLayout: Hashable, Sendable {
    /// Of the layout viewport.
    public var viewportWidth: Double
    /// Of the layout viewport.
    public var viewportHeight: Double
    /// The page's own.
    public var height: Double
    /// Where elements are from the document's top, by their ids.
    public var placeholders: [String: Double]
    /// Which of them the page does not show.
    public var unrendered: Set<String>
    /// What is to be seen of the scrolling part that each is in, where it is in one. Such a part keeps its height.
    public var clips: [String: OverlayMeasurement.Clip]
    /// By how much the user has zoomed in.
    public var scale: Double
    /// Whether all that belongs to the page has loaded.
    public var isLoaded = true

    /// A page, by default of an iPhone's size and without placeholders.
    public init(
        viewportWidth: Double = 393, viewportHeight: Double = 659, height: Double = 2_000,
        placeholders: [String: Double] = [:], unrendered: Set<String> = [],
        clips: [String: OverlayMeasurement.Clip] = [:], scale: Double = 1
    ) {
        self.viewportWidth = viewportWidth
        self.viewportHeight = viewportHeight
        self.height = height
        self.placeholders = placeholders
        self.unrendered = unrendered
        self.clips = clips
        self.scale = scale
    }

    /// What such a page measures: each place is below what is above it, and what stands there lengthens the page.
    public func measurement(with request: OverlayRequest) -> OverlayMeasurement {
        var asked: [OverlayPlacement] = []
        for item in request.items where !asked.contains(item.placement) { asked.append(item.placement) }
        var reserved = 0.0
        var anchors: [OverlayPlacement: OverlayMeasurement.Anchor] = [:]
        for placement in asked.sorted(by: { rank($0) < rank($1) }) {
            let wanted = request.items.filter { $0.placement == placement && !$0.isHidden }.reduce(0) { $0 + $1.height }
            let anchor = anchor(placement, wanted, below: reserved)
            if anchor.clip == nil { reserved += anchor.height }
            anchors[placement] = anchor
        }
        return OverlayMeasurement(
            isLoaded: isLoaded, viewportWidth: viewportWidth, viewportHeight: viewportHeight, scale: scale,
            pageHeight: height, contentHeight: height + reserved, anchors: asked.compactMap { anchors[$0] })
    }

    private func anchor(
        _ placement: OverlayPlacement, _ wanted: Double, below reserved: Double
    ) -> OverlayMeasurement.Anchor {
        guard case .placeholder(let id) = placement else {
            return OverlayMeasurement.Anchor(placement, top: height + reserved, height: wanted)
        }
        guard let top = placeholders[id] else {
            return OverlayMeasurement.Anchor(placement, count: 0, top: 0, isRendered: false)
        }
        guard !unrendered.contains(id) else {
            return OverlayMeasurement.Anchor(placement, top: 0, isRendered: false)
        }
        return OverlayMeasurement.Anchor(placement, top: top + reserved, height: wanted, clip: clips[id])
    }

    private func rank(_ placement: OverlayPlacement) -> (Double, Int) {
        switch placement {
        case .placeholder(let id): (placeholders[id] ?? 0, 0)
        case .endOfContent: (.infinity, 0)
        case .stacked: (.infinity, 1)
        }
    }
}
