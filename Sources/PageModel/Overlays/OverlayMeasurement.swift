/// What a page measured of itself at one moment, all in CSS pixels.
public struct OverlayMeasurement: Hashable, Sendable {
    /// A place that overlays stand at.
    public struct Anchor: Hashable, Sendable {
        /// What it was asked for as.
        public var placement: OverlayPlacement
        /// How many elements have that id; 1 for what needs none.
        public var count: Int
        /// From the document's top: `getBoundingClientRect().top + scrollY`.
        public var top: Double
        /// What is kept free there.
        public var height: Double
        /// Whether the page shows it.
        public var isRendered: Bool
        /// What the parts around it that scroll, or clip, let be seen; nil where there is none.
        public var clip: Clip?

        /// A place in a page.
        public init(
            _ placement: OverlayPlacement, count: Int = 1, top: Double, height: Double = 0, isRendered: Bool = true,
            clip: Clip? = nil
        ) {
            self.placement = placement
            self.count = count
            self.top = top
            self.height = height
            self.isRendered = isRendered
            self.clip = clip
        }
    }

    /// A strip of a document.
    public struct Clip: Hashable, Sendable {
        /// From the document's top.
        public var top: Double
        /// From the document's top.
        public var bottom: Double

        /// A strip; both from the document's top.
        public init(top: Double, bottom: Double) {
            self.top = top
            self.bottom = bottom
        }
    }

    /// Whether the document and all that belongs to it has loaded.
    public var isLoaded: Bool
    /// Of the layout viewport, without scroll bars.
    public var viewportWidth: Double
    /// Of the layout viewport, without scroll bars.
    public var viewportHeight: Double
    /// How far the page is scrolled.
    public var scrollX: Double
    /// How far the page is scrolled.
    public var scrollY: Double
    /// By how much the user has zoomed in with two fingers; 1 without.
    public var scale: Double
    /// The page's own height, without what is kept free for overlays.
    public var pageHeight: Double
    /// The document's height as it is, with all overlays.
    public var contentHeight: Double
    /// One for each placement that was asked for.
    public var anchors: [Anchor]

    /// A page at one moment.
    public init(
        isLoaded: Bool = true, viewportWidth: Double, viewportHeight: Double, scrollX: Double = 0, scrollY: Double = 0,
        scale: Double = 1, pageHeight: Double, contentHeight: Double, anchors: [Anchor]
    ) {
        self.isLoaded = isLoaded
        self.viewportWidth = viewportWidth
        self.viewportHeight = viewportHeight
        self.scrollX = scrollX
        self.scrollY = scrollY
        self.scale = scale
        self.pageHeight = pageHeight
        self.contentHeight = contentHeight
        self.anchors = anchors
    }
}
