/// Where in a page a ``NativeOverlay`` stands.
public enum OverlayPlacement: Hashable, Sendable {
    /// Over the first element with that id, which is made as tall as the overlay and is usually empty:
    /// `<div id="app-footer-placeholder"></div>`.
    case placeholder(String)
    /// Behind all that the page's body has: a transparent spacer keeps the place there.
    case endOfContent
    /// Below the page, as two views in one scroll view: nothing is put into the page, whose height is what counts.
    case stacked
}

/// A rectangle in CSS pixels, from the document's upper left corner, as in a scroll view.
public struct OverlayRect: Hashable, Sendable {
    /// From the left edge.
    public var x: Double
    /// From the document's top: scrolling does not change it.
    public var y: Double
    /// To the right.
    public var width: Double
    /// Downwards.
    public var height: Double

    /// A rectangle; all in CSS pixels.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// How far the edges of a screen reach into a page, in CSS pixels.
public struct OverlayInsets: Hashable, Sendable {
    /// From above.
    public var top: Double
    /// From the right.
    public var right: Double
    /// From below.
    public var bottom: Double
    /// From the left.
    public var left: Double

    /// Insets; all in CSS pixels.
    public init(top: Double = 0, right: Double = 0, bottom: Double = 0, left: Double = 0) {
        self.top = top
        self.right = right
        self.bottom = bottom
        self.left = left
    }
}

/// Why an overlay is not to be seen.
public enum OverlayAbsence: Hashable, Sendable {
    /// No document has been measured with it yet.
    case notMeasured
    /// ``NativeOverlay/isHidden`` is set.
    case hidden
    /// The page does not have the element that it stands over.
    case noMarker(OverlayPlacement)
    /// The page has the element, and does not show it (`display: none` and the like).
    case notRendered(OverlayPlacement)
    /// The element is outside what a scrolling part of the page shows of itself.
    case scrolledOut
    /// Its height is 0.
    case noHeight
    /// What shows the page cannot draw overlays; why.
    case failed(String)
    /// It has been removed.
    case removed
}

extension OverlayAbsence: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notMeasured: "no document has been measured with the overlay yet"
        case .hidden: "the overlay is hidden: set isHidden to false"
        case .noMarker(.placeholder(let id)):
            "the page has no element with the id \"\(id)\": add <div id=\"\(id)\"></div> to it, where the view shall stand"
        case .noMarker: "the page has no body that the overlay could stand behind"
        case .notRendered(.placeholder(let id)):
            "the page does not show its element with the id \"\(id)\" (display: none, visibility: hidden, or one around it)"
        case .notRendered: "the page does not show its body (display: none or visibility: hidden)"
        case .scrolledOut: "the overlay's element is scrolled out of the part of the page that it is in"
        case .noHeight: "the overlay's height is 0"
        case .failed(let why): "the overlay could not be drawn: \(why)"
        case .removed: "the overlay has been removed"
        }
    }
}

/// Why an overlay cannot be attached, or has not been placed.
public enum OverlayError: Error, Hashable, Sendable {
    /// A height is a finite number of CSS pixels from 0 to ``NativeOverlay/highest``.
    case invalidHeight(Double)
    /// A placeholder's id is not empty.
    case emptyPlaceholder
    /// The page has loaded, and the overlay has no place in it.
    case notPlaced(OverlayAbsence)
}

extension OverlayError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidHeight(let height):
            "\(height) is no height: give CSS pixels from 0 to \(Int(NativeOverlay.highest))"
        case .emptyPlaceholder: "the id of a placeholder is empty: name the element that the view shall stand over"
        case .notPlaced(let reason): "\(reason)"
        }
    }
}
