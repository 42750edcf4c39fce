public import Observation

/// The native views over a page. They belong to the page, not to a document: each document that comes has them again.
///
/// ```swift
/// let overlay = try page.overlays.attach(footer, at: .placeholder("app-footer-placeholder"), height: 120)
/// try await overlay.placed()
/// overlay.height = 400
/// ```
/// At most one request is under way to the page; what changes meanwhile goes with the next one.
@MainActor
@Observable
public final class PageOverlays {
    /// What the page is at a moment.
    package enum PageState {
        /// There is no document.
        case empty
        case loading
        case loaded
    }

    /// In the order in which they were attached; those at one place stand below one another in it.
    public private(set) var all: [NativeOverlay] = []
    private var isExplaining = false
    private var insets: OverlayInsets?

    @ObservationIgnored private let surface: any OverlaySurface
    @ObservationIgnored private let state: @MainActor () -> PageState
    @ObservationIgnored private var lastID = 0
    @ObservationIgnored private var lastNumber = 0
    /// What was asked before is of another document.
    @ObservationIgnored private var firstNumber = 0
    /// What holds in the document, and what it measured last.
    @ObservationIgnored private var current: (request: OverlayRequest, measurement: OverlayMeasurement)?
    /// What is under way.
    @ObservationIgnored private var pending: OverlayRequest?
    @ObservationIgnored private var isOutdated = false
    @ObservationIgnored private var isApplying = false
    /// Whether the document may have something of this side's.
    @ObservationIgnored private var isTouched = false
    /// Why the surface refused the last request.
    @ObservationIgnored private var failure: (any Error)?
    @ObservationIgnored private var end: WebPageError?
    @ObservationIgnored private var waiters: [Int: Waiter] = [:]
    @ObservationIgnored private var lastWaiter = 0

    private struct Waiter {
        let overlay: NativeOverlay
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// - Parameters:
    ///   - surface: of nobody else.
    ///   - state: what the page is now.
    package init(_ surface: any OverlaySurface, state: @escaping @MainActor () -> PageState) {
        self.surface = surface
        self.state = state
        surface.receive = { [weak self] in self?.receive($0) }
    }

    isolated deinit { for waiter in waiters.values { waiter.continuation.resume(throwing: CancellationError()) } }

    /// Puts a view over the page, behind those that are there already.
    ///
    /// - Parameter height: in CSS pixels, from 0.
    /// - Throws: ``OverlayError/invalidHeight(_:)``, ``OverlayError/emptyPlaceholder``. Whether the page has such a place is
    ///   told by the overlay.
    @discardableResult
    public func attach(_ view: NativeView, at placement: OverlayPlacement, height: Double) throws -> NativeOverlay {
        guard (0...NativeOverlay.highest).contains(height) else { throw OverlayError.invalidHeight(height) }
        if placement == .placeholder("") { throw OverlayError.emptyPlaceholder }
        lastID += 1
        let overlay = NativeOverlay(lastID, view, placement, height, self)
        all.append(overlay)
        if let end { overlay.place(nil, .failed("\(end)"), contentHeight: nil) }
        didChange()
        return overlay
    }

    /// Whether the page shows where markers, spacers and overlays are, and what was measured; false at first.
    public var explain: Bool {
        get { isExplaining }
        set {
            guard newValue != isExplaining else { return }
            isExplaining = newValue
            didChange()
        }
    }

    /// What the page's CSS variables `--safe-area-inset-top`, `-right`, `-bottom` and `-left` are; nil, as at first: there are
    /// none. A length that is not finite counts as 0.
    public var safeArea: OverlayInsets? {
        get { insets }
        set {
            guard newValue != insets else { return }
            insets = newValue
            didChange()
        }
    }

    // MARK: What the overlays ask

    func remove(_ overlay: NativeOverlay) {
        all.removeAll { $0 === overlay }
        finish(.failure(OverlayError.notPlaced(.removed))) { $0.overlay === overlay }
        didChange()
    }

    func placed(_ overlay: NativeOverlay) async throws {
        if let outcome = outcome(of: overlay) { return try outcome.get() }
        lastWaiter += 1
        let ticket = lastWaiter
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                waiters[ticket] = Waiter(overlay: overlay, continuation: continuation)
            }
        } onCancel: {
            Task { @MainActor in
                self.waiters.removeValue(forKey: ticket)?.continuation.resume(throwing: CancellationError())
            }
        }
    }

    /// - Returns: nil while it is not known.
    private func outcome(of overlay: NativeOverlay) -> Result<Void, any Error>? {
        if let end { return .failure(end) }
        guard state() == .loaded, !isOutdated, pending == nil else { return nil }
        if let failure { return .failure(failure) }
        guard let current, current.measurement.isLoaded else { return nil }
        return overlay.frame == nil ? .failure(OverlayError.notPlaced(overlay.reason ?? .notMeasured)) : .success(())
    }

    private func finish(_ result: Result<Void, any Error>, where isMeant: (Waiter) -> Bool) {
        for (ticket, waiter) in waiters.sorted(by: { $0.key < $1.key }) where isMeant(waiter) {
            waiters[ticket] = nil
            waiter.continuation.resume(with: result)
        }
    }

    private func finishThoseKnown() {
        for (ticket, waiter) in waiters.sorted(by: { $0.key < $1.key }) {
            guard let outcome = outcome(of: waiter.overlay) else { continue }
            waiters[ticket] = nil
            waiter.continuation.resume(with: outcome)
        }
    }

    // MARK: What the page does

    /// Another document has taken the place of the one before.
    package func documentDidBegin() {
        isTouched = false
        forget(.notMeasured)
        didChange()
    }

    /// No document is there before the next load.
    package func documentDidEnd(_ error: WebPageError) {
        isTouched = false
        forget(.notMeasured)
        finish(.failure(error)) { _ in true }
    }

    /// Nothing comes of the page any more.
    package func pageDidEnd(_ error: WebPageError) {
        guard end == nil else { return }
        end = error
        forget(.failed("\(error)"))
        finish(.failure(error)) { _ in true }
    }

    private func forget(_ reason: OverlayAbsence) {
        firstNumber = lastNumber + 1
        current = nil
        failure = nil
        for overlay in all { overlay.place(nil, reason, contentHeight: nil) }
    }

    private func receive(_ message: OverlayMessage) {
        switch message {
        case .measurement(let measurement, let number):
            take(measurement, number)
            finishThoseKnown()
        case .event(let id, let name, let value):
            all.first { $0.id == id }?.view.handle(name, value)
        case .outdated: didChange()
        }
    }

    private func take(_ measurement: OverlayMeasurement, _ number: Int) {
        let candidates = [pending, current?.request].compactMap(\.self)
        guard number >= firstNumber, end == nil, let request = candidates.first(where: { $0.number == number }) else {
            return
        }
        current = (request, measurement)
        failure = nil
        let geometry = OverlayGeometry(request, measurement)
        for overlay in all {
            let place = geometry.places[overlay.id]
            // One that was attached meanwhile goes with the next request.
            overlay.place(
                place?.frame, place.map(\.reason) ?? .notMeasured,
                contentHeight: place.map { _ in geometry.contentHeight })
        }
    }

    // MARK: Requests

    /// What is in the page is not, or may not be, what is wanted.
    package func didChange() {
        guard isWanted || isTouched, end == nil else { return }
        isOutdated = true
        guard !isApplying, state() != .empty else { return }
        isApplying = true
        Task { await applyAll() }
    }

    private var isWanted: Bool { !all.isEmpty || isExplaining || insets != nil }

    private func applyAll() async {
        while isOutdated, end == nil, state() != .empty {
            isOutdated = false
            isTouched = true
            lastNumber += 1
            let request = OverlayRequest(
                number: lastNumber, items: all.map(\.item), explain: isExplaining, safeArea: insets)
            pending = request
            do {
                let measurement = try await surface.apply(request)
                // What the page told afterwards may have come before.
                if current?.request.number != request.number { take(measurement, request.number) }
                if !isWanted { isTouched = false }
            } catch {
                didFail(error, request)
            }
            pending = nil
            finishThoseKnown()
        }
        isApplying = false
    }

    private func didFail(_ error: any Error, _ request: OverlayRequest) {
        guard request.number >= firstNumber, end == nil else { return }
        switch error as? WebPageError {
        // The document has gone: another one comes, or the page ends, and both are told.
        case .pageClosed, .webContentProcessTerminated, .cancelled: return
        case let error? where error == .unreachable: return
        default: break
        }
        failure = error
        current = nil
        for overlay in all { overlay.place(nil, .failed("\(error)"), contentHeight: nil) }
    }

    /// A load has come to its end, whatever that is.
    package func loadDidEnd() {
        didChange()
        finishThoseKnown()
    }
}
