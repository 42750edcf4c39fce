public import PageModel

/// The overlays of a ``StubWebView``: what is asked of the page is recorded, and what the page is like is set.
///
/// ```swift
/// stub.overlays.layout = StubLayout(height: 2_000, placeholders: ["app-footer-placeholder": 1_800])
/// ```
@MainActor
public final class StubOverlays: OverlaySurface {
    /// What was asked, in order.
    public private(set) var requests: [OverlayRequest] = []
    /// What the page is like, without overlays. What is set is told, as by a page that changes.
    public var layout = StubLayout() { didSet { if layout != oldValue { tell() } } }
    /// See `OverlaySurface.receive`.
    public var receive: (@MainActor (OverlayMessage) -> Void)?
    /// What answers wait for; nil: they come at once.
    public var meanwhile: (@MainActor () async -> Void)?

    /// What the next request fails with; then it is nil again.
    public var failure: WebPageError?

    var whyDead: @MainActor () -> WebPageError? = { nil }

    init() {}

    /// See `OverlaySurface.apply(_:)`.
    public func apply(_ request: OverlayRequest) async throws -> OverlayMeasurement {
        if let error = whyDead() { throw error }
        requests.append(request)
        await meanwhile?()
        if let failure {
            self.failure = nil
            throw failure
        }
        if let error = whyDead() { throw error }
        return layout.measurement(with: request)
    }

    /// The user presses something in an overlay, or gives a field a value.
    public func send(_ event: String, value: String? = nil, from overlay: NativeOverlay) {
        receive?(.event(overlay: overlay.id, name: event, value: value))
    }

    private func tell() {
        guard let last = requests.last, whyDead() == nil else { return }
        receive?(.measurement(layout.measurement(with: last), request: last.number))
    }
}
