#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import Observation
public import PageModel

/// Presentation: what a browser's view shows and what its buttons do. Everything that the page itself says is read from the
/// page, so that the two cannot differ.
@MainActor @Observable
public final class InAppBrowserViewModel {
    /// What a person is told, until the next navigation.
    public enum Notice: Hashable, Sendable {
        /// The policy does not let the page go there.
        case denied(URL)
        /// The page could not be loaded; why.
        case failed(WebPageError)
    }

    @ObservationIgnored private let page: any WebPageRepresentable
    @ObservationIgnored private let navigationHandler: InAppBrowserNavigationHandler
    @ObservationIgnored private let openOutside: @MainActor (URL) -> Void
    @ObservationIgnored private var history: Task<Void, Never>?
    /// What a person is to be told.
    public private(set) var notice: Notice?
    /// The address that is shown: committed ones only, so that no page is seen under another's.
    public private(set) var address: URL?
    /// Every URL that the page has been at, in order.
    public private(set) var visits: [WebPageURLChange] = []

    /// Takes the page's navigation handler's place, and its UI handler's where it has none.
    ///
    /// - Parameter openOutside: opens a URL in the app that it belongs to.
    public init(
        page: any WebPageRepresentable, policy: URLPolicy = URLPolicy(),
        openOutside: @escaping @MainActor (URL) -> Void = { _ in }
    ) {
        self.page = page
        self.openOutside = openOutside
        navigationHandler = InAppBrowserNavigationHandler(policy: policy)
        navigationHandler.owner = self
        page.navigationHandler = navigationHandler
        if page.uiHandler == nil { page.uiHandler = navigationHandler }
        address = page.backForwardList.currentItem?.url
        let changes = page.urlChanges
        history = Task { [weak self] in
            for await change in changes where change.isCommitted { self?.visit(change) }
        }
    }

    isolated deinit { history?.cancel() }

    private func visit(_ change: WebPageURLChange) {
        address = change.url
        visits.append(change)
    }

    // MARK: What is shown

    /// The page's title; until it has one, its host.
    public var title: String { page.title.isEmpty ? address?.host() ?? "" : page.title }
    /// 0 to 1 while the page loads; nil otherwise.
    public var progress: Double? { page.isLoading ? page.estimatedProgress : nil }
    /// Whether the one button for both stops; otherwise it reloads.
    public var isLoading: Bool { page.isLoading }
    /// Whether the back button can be pressed.
    public var canGoBack: Bool { page.canGoBack }
    /// Whether the forward button can be pressed.
    public var canGoForward: Bool { page.canGoForward }
    /// Whether the lock is shown.
    public var isSecure: Bool { page.hasOnlySecureContent }

    // MARK: What is pressed

    /// Goes where a person's input leads.
    ///
    /// - Returns: whether it leads anywhere.
    @discardableResult
    public func open(_ input: String) -> Bool {
        guard let url = URLPolicy.url(fromInput: input) else { return false }
        page.load(url)
        return true
    }

    /// The back button.
    public func goBack() { page.goBack() }
    /// The forward button.
    public func goForward() { page.goForward() }
    /// The button that is one of two.
    public func reloadOrStop() { if page.isLoading { page.stopLoading() } else { page.reload() } }
    /// The notice has been read.
    public func dismissNotice() { notice = nil }
}

extension InAppBrowserViewModel: InAppBrowserNavigationOwner {
    /// See `InAppBrowserNavigationOwner.open(outside:)`.
    public func open(outside url: URL) { openOutside(url) }
    /// See `InAppBrowserNavigationOwner.didDeny(_:)`.
    public func didDeny(_ url: URL) { notice = .denied(url) }
    /// See `InAppBrowserNavigationOwner.didStart()`.
    public func didStart() { notice = nil }
    /// See `InAppBrowserNavigationOwner.didFail(_:)`.
    public func didFail(_ error: WebPageError) { notice = .failed(error) }
}
