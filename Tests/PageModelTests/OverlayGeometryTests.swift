import Testing

@testable import PageModel

/// Where overlays are, in exact numbers, of what pages measured.
@Suite struct OverlayGeometryTests {
    typealias Anchor = OverlayMeasurement.Anchor
    static let footer = OverlayPlacement.placeholder("app-footer-placeholder")

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// Of the only overlays, in order.
        let heights: [Double]
        var places: [OverlayPlacement] = [footer]
        var hidden: Set<Int> = []
        let measurement: OverlayMeasurement
        /// "y+height", or what is wrong.
        let frames: [String]

        var testDescription: String { name }
    }

    private static func page(
        _ height: Double, width: Double = 393, scrollY: Double = 0, scale: Double = 1, _ anchors: Anchor...
    ) -> OverlayMeasurement {
        OverlayMeasurement(
            viewportWidth: width, viewportHeight: 659, scrollY: scrollY, scale: scale, pageHeight: height,
            contentHeight: height + anchors.filter { $0.clip == nil }.reduce(0) { $0 + $1.height }, anchors: anchors)
    }

    private static let header = OverlayPlacement.placeholder("header")

    static let rows: [Row] = [
        Row(
            name: "short page", heights: [120], measurement: page(300, Anchor(footer, top: 284, height: 120)),
            frames: ["284+120"]),
        Row(
            name: "long page", heights: [120], measurement: page(5_000, Anchor(footer, top: 4_984, height: 120)),
            frames: ["4984+120"]),
        Row(
            name: "long page, scrolled", heights: [120],
            measurement: page(5_000, scrollY: 4_461, Anchor(footer, top: 4_984, height: 120)), frames: ["4984+120"]),
        Row(
            name: "in the middle", heights: [120], measurement: page(5_000, Anchor(footer, top: 2_500.5, height: 120)),
            frames: ["2500.5+120"]),
        Row(
            name: "at the top", heights: [120], measurement: page(5_000, Anchor(footer, top: 0, height: 120)),
            frames: ["0+120"]),
        Row(
            name: "end of content", heights: [120], places: [.endOfContent],
            measurement: page(300, Anchor(.endOfContent, top: 300, height: 120)), frames: ["300+120"]),
        Row(
            name: "stacked", heights: [120], places: [.stacked],
            measurement: page(300, Anchor(.stacked, top: 300, height: 120)), frames: ["300+120"]),
        Row(
            name: "inner scroller, in sight", heights: [120],
            measurement: page(800, Anchor(footer, top: 700, height: 120, clip: .init(top: 100, bottom: 750))),
            frames: ["700+120"]),
        Row(
            name: "inner scroller, one pixel in sight", heights: [120],
            measurement: page(800, Anchor(footer, top: 749, height: 120, clip: .init(top: 100, bottom: 750))),
            frames: ["749+120"]),
        Row(
            name: "inner scroller, below", heights: [120],
            measurement: page(800, Anchor(footer, top: 750, height: 120, clip: .init(top: 100, bottom: 750))),
            frames: ["750+120 scrolledOut"]),
        Row(
            name: "inner scroller, above", heights: [120],
            measurement: page(800, Anchor(footer, top: -20, height: 120, clip: .init(top: 100, bottom: 750))),
            frames: ["-20+120 scrolledOut"]),
        Row(
            name: "two in an inner scroller, the second out", heights: [40, 40], places: [footer, footer],
            measurement: page(800, Anchor(footer, top: 700, height: 80, clip: .init(top: 0, bottom: 740))),
            frames: ["700+40", "740+40 scrolledOut"]),
        Row(
            name: "not rendered", heights: [120], measurement: page(800, Anchor(footer, top: 0, isRendered: false)),
            frames: ["notRendered"]),
        Row(
            name: "none", heights: [120], measurement: page(800, Anchor(footer, count: 0, top: 0, isRendered: false)),
            frames: ["noMarker"]),
        Row(name: "not told of", heights: [120], measurement: page(800), frames: ["noMarker"]),
        Row(
            name: "two of that id", heights: [120],
            measurement: page(800, Anchor(footer, count: 2, top: 100, height: 120)), frames: ["100+120"]),
        Row(
            name: "zoomed with fingers", heights: [120],
            measurement: page(5_000, scale: 2.5, Anchor(footer, top: 4_984, height: 120)), frames: ["4984+120"]),
        Row(
            name: "zoomed page", heights: [120],
            measurement: page(5_000, width: 196.5, Anchor(footer, top: 4_984, height: 120)), frames: ["4984+120"]),
        Row(
            name: "two markers", heights: [44, 120], places: [header, footer],
            measurement: page(5_000, Anchor(header, top: 10, height: 44), Anchor(footer, top: 4_984, height: 120)),
            frames: ["10+44", "4984+120"]),
        Row(
            name: "three at one marker", heights: [44, 0, 400], places: [footer, footer, footer],
            measurement: page(5_000, Anchor(footer, top: 100, height: 444)),
            frames: ["100+44", "144+0 noHeight", "144+400"]),
        Row(
            name: "hidden by the app, and one below", heights: [44, 400], places: [footer, footer], hidden: [0],
            measurement: page(5_000, Anchor(footer, top: 100, height: 400)), frames: ["hidden", "100+400"]),
        Row(
            name: "height 0", heights: [0], measurement: page(300, Anchor(footer, top: 284, height: 0)),
            frames: ["284+0 noHeight"]),
        Row(
            name: "height 44", heights: [44], measurement: page(300, Anchor(footer, top: 284, height: 44)),
            frames: ["284+44"]),
        Row(
            name: "height 400", heights: [400], measurement: page(300, Anchor(footer, top: 284, height: 400)),
            frames: ["284+400"]),
        Row(name: "no overlay", heights: [], places: [], measurement: page(300), frames: []),
    ]

    @Test(arguments: rows) func framesFollowFromWhatWasMeasured(_ row: Row) throws {
        let view = try NativeView(label: "x", "")
        let items = row.heights.indices.map { index in
            OverlayRequest.Item(
                id: index + 1, placement: row.places[index], height: row.heights[index],
                isHidden: row.hidden.contains(index), view: view, version: 1)
        }
        let geometry = OverlayGeometry(
            OverlayRequest(number: 1, items: items, explain: false, safeArea: nil), row.measurement)
        let frames = items.map { item in
            guard let place = geometry.places[item.id] else { return "nothing" }
            if let frame = place.frame { #expect(frame.x == 0 && frame.width == row.measurement.viewportWidth) }
            let reason = place.reason?.name
            let frame = place.frame.map { "\(text($0.y))+\(text($0.height))" }
            return [frame, reason].compactMap(\.self).joined(separator: " ")
        }
        #expect(frames == row.frames)
        #expect(geometry.contentHeight == row.measurement.contentHeight)
    }

    private func text(_ number: Double) -> String { number == number.rounded() ? "\(Int(number))" : "\(number)" }

    @Test func whatAPageSaysIsRead() {
        let value: JavaScriptValue = [
            "isLoaded": true, "viewport": ["width": 393, "height": 659], "scroll": ["x": 1, "y": 2.5], "scale": 2,
            "pageHeight": 300, "contentHeight": 420.25,
            "anchors": [
                [
                    "at": ["placeholder": "a"], "count": 2, "top": 284, "height": 120, "isRendered": true,
                    "clip": ["top": 1, "bottom": 2],
                ],
                ["at": ["endOfContent": true], "count": 1, "top": 3, "height": 4, "isRendered": false, "clip": nil],
                ["at": ["stacked": true], "count": 1, "top": 5, "height": 6, "isRendered": true],
            ],
        ]
        #expect(
            OverlayMeasurement(value)
                == OverlayMeasurement(
                    viewportWidth: 393, viewportHeight: 659, scrollX: 1, scrollY: 2.5, scale: 2, pageHeight: 300,
                    contentHeight: 420.25,
                    anchors: [
                        Anchor(.placeholder("a"), count: 2, top: 284, height: 120, clip: .init(top: 1, bottom: 2)),
                        Anchor(.endOfContent, top: 3, height: 4, isRendered: false),
                        Anchor(.stacked, top: 5, height: 6),
                    ]))
        let message = OverlayMessage(["event": ["overlay": 3, "name": "like", "value": nil]], request: 1)
        #expect(message == .event(overlay: 3, name: "like", value: nil))
    }

    /// It is a page's word: each part of it may be anything.
    @Test func whatIsNoMeasurementIsNone() {
        let good: JavaScriptObject = [
            "isLoaded": true, "viewport": ["width": 393, "height": 659], "scroll": ["x": 1, "y": 2.5], "scale": 2,
            "pageHeight": 300, "contentHeight": 420,
            "anchors": [["at": ["stacked": true], "count": 1, "top": 5, "height": 6, "isRendered": true]],
        ]
        #expect(OverlayMeasurement(.object(good)) != nil)
        for name in good.keys {
            for bad in [nil, .null, "x", .number(.nan), .number(.infinity), [[:]], ["x": 1]] as [JavaScriptValue?] {
                var value = good
                value[name] = bad
                #expect(OverlayMeasurement(.object(value)) == nil, "\(name) \(String(describing: bad))")
            }
        }
        for bad in [
            .undefined, .null, 1, "x", [], ["event": ["overlay": "1", "name": "x"]], ["event": ["overlay": 1]],
        ]
            as [JavaScriptValue]
        {
            #expect(OverlayMessage(bad, request: 1) == nil)
        }
    }
}

extension OverlayAbsence {
    var name: String {
        switch self {
        case .notMeasured: "notMeasured"
        case .hidden: "hidden"
        case .noMarker: "noMarker"
        case .notRendered: "notRendered"
        case .scrolledOut: "scrolledOut"
        case .noHeight: "noHeight"
        case .failed: "failed"
        case .removed: "removed"
        }
    }
}
