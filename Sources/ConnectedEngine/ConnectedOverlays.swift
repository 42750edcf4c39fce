internal import BridgeJSON
internal import PageEngines
public import PageModel

/// Overlays that the page's client draws.
@MainActor
final class ConnectedOverlays: OverlaySurface {
    var receive: (@MainActor (OverlayMessage) -> Void)?
    private weak var view: ConnectedWebView?
    /// What holds in the page: it answers and tells in one order.
    private var last = 0

    init(_ view: ConnectedWebView) {
        self.view = view
    }

    func apply(_ request: OverlayRequest) async throws -> OverlayMeasurement {
        guard let view else { throw WebPageError.pageClosed("nobody follows it any more") }
        let wanted = try JSON(tagging: JavaScriptValue(request))
        let answer = try await view.ask("$/page.overlays", ["wanted": wanted]) { self.last = request.number }
        guard let measurement = OverlayMeasurement(answer) else {
            throw WebPageError.unsupported("the page's measurement cannot be read: \(answer)")
        }
        return measurement
    }

    func pageDidTell(_ payload: JSON) {
        guard let value = JavaScriptValue(tagged: payload), let message = OverlayMessage(value, request: last) else {
            return
        }
        receive?(message)
    }
}

extension ConnectedWebView {
    /// See `BackingWebView.makeOverlaySurface()`.
    public func makeOverlaySurface() -> any OverlaySurface {
        let made = ConnectedOverlays(self)
        overlays = made
        return made
    }
}
