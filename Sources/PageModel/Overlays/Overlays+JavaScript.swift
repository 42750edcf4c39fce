// What native side and page say to each other of overlays, as the page has it.

extension JavaScriptValue {
    /// What the page's module is given.
    package init(_ request: OverlayRequest) {
        self = [
            "overlays": .array(request.items.map { JavaScriptValue($0) }), "explain": .bool(request.explain),
            "safeArea": request.safeArea.map { area in
                let finite = { (length: Double) in JavaScriptValue.number(length.isFinite ? length : 0) }
                return [
                    "top": finite(area.top), "right": finite(area.right), "bottom": finite(area.bottom),
                    "left": finite(area.left),
                ]
            } ?? .null,
        ]
    }

    private init(_ item: OverlayRequest.Item) {
        self = [
            "id": .number(Double(item.id)), "at": JavaScriptValue(item.placement), "height": .number(item.height),
            "isHidden": .bool(item.isHidden), "label": .string(item.view.label), "style": .string(item.view.style),
            "view": .array(item.view.nodes.map { JavaScriptValue($0) }), "version": .number(Double(item.version)),
        ]
    }

    private init(_ placement: OverlayPlacement) {
        self =
            switch placement {
            case .placeholder(let id): ["placeholder": .string(id)]
            case .endOfContent: ["endOfContent": true]
            case .stacked: ["stacked": true]
            }
    }

    private init(_ node: NativeView.Node) {
        switch node {
        case .text(let text): self = .string(text)
        case .element(let element):
            self = [
                "name": .string(element.name),
                "attributes": .array(element.attributes.map { [.string($0.name), .string($0.value)] }),
                "children": .array(element.children.map { JavaScriptValue($0) }),
            ]
        }
    }
}

extension OverlayPlacement {
    fileprivate init?(_ value: JavaScriptValue?) {
        if let id = value?["placeholder"]?.string {
            self = .placeholder(id)
        } else if value?["endOfContent"] != nil {
            self = .endOfContent
        } else if value?["stacked"] != nil {
            self = .stacked
        } else {
            return nil
        }
    }
}

extension OverlayMeasurement {
    /// - Returns: nil for what is none: it is a page's word.
    package init?(_ value: JavaScriptValue?) {
        guard let value, let isLoaded = value["isLoaded"]?.bool, let width = value["viewport"]?.length("width"),
            let height = value["viewport"]?.length("height"), let x = value["scroll"]?.length("x"),
            let y = value["scroll"]?.length("y"), let scale = value.length("scale"),
            let page = value.length("pageHeight"), let content = value.length("contentHeight"),
            let anchors = value["anchors"]?.array
        else { return nil }
        let read = anchors.compactMap { Anchor($0) }
        guard read.count == anchors.count else { return nil }
        self.init(
            isLoaded: isLoaded, viewportWidth: width, viewportHeight: height, scrollX: x, scrollY: y, scale: scale,
            pageHeight: page, contentHeight: content, anchors: read)
    }
}

extension OverlayMeasurement.Anchor {
    fileprivate init?(_ value: JavaScriptValue) {
        guard let placement = OverlayPlacement(value["at"]), let count = value["count"]?.int,
            let top = value.length("top"), let height = value.length("height"),
            let isRendered = value["isRendered"]?.bool
        else { return nil }
        var clip: OverlayMeasurement.Clip?
        if let strip = value["clip"], !strip.isNullish {
            guard let top = strip.length("top"), let bottom = strip.length("bottom") else { return nil }
            clip = OverlayMeasurement.Clip(top: top, bottom: bottom)
        }
        self.init(placement, count: count, top: top, height: height, isRendered: isRendered, clip: clip)
    }
}

extension OverlayMessage {
    /// - Parameters:
    ///   - value: `{ measurement }` or `{ event }`.
    ///   - request: that holds in the page.
    /// - Returns: nil for what is neither.
    package init?(_ value: JavaScriptValue, request: Int) {
        if let measurement = OverlayMeasurement(value["measurement"]) {
            self = .measurement(measurement, request: request)
        } else if let event = value["event"], let id = event["overlay"]?.int, let name = event["name"]?.string {
            self = .event(overlay: id, name: name, value: event["value"]?.string)
        } else {
            return nil
        }
    }
}

extension JavaScriptValue {
    fileprivate func length(_ name: String) -> Double? {
        self[name]?.number.flatMap { $0.isFinite ? $0 : nil }
    }
}
