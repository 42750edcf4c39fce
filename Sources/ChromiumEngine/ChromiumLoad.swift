#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
internal import PageEngines
internal import PageModel

/// A load that has not come to its end.
struct ChromiumLoad {
    enum Target {
        case new
        case reload
        /// Of this side's asking.
        case item(WebPageBackForwardList.Item)
        /// Of the page's asking: which item is known when it is there.
        case traversal
    }

    let navigation: WebPageNavigation
    let target: Target
    let initialURL: URL
    var request: WebPageRequest
    var type: WebPageNavigationAction.NavigationType
    /// Chromium's name for it; nil until it has begun there.
    var loader: String?
    /// Whether the page itself asked for it: then its URL does not show before the commit.
    var isOfPage = false
    var hasStarted = false
    var isCommitted = false
    /// Why it fails, where that is known before it does.
    var failure: WebPageError?

    init(_ navigation: WebPageNavigation, _ request: WebPageRequest, _ target: Target) {
        self.navigation = navigation
        self.target = target
        self.request = request
        initialURL = request.url
        switch target {
        case .new: type = .other
        case .reload: type = .reload
        case .item, .traversal: type = .backForward
        }
    }

    /// Of the URL that shows before the commit; nil for a reload, whose URL is the same.
    var provisionalCause: WebPageURLChange.Cause? {
        switch target {
        case .new: .load
        case .reload: nil
        case .item, .traversal: .traversal
        }
    }
}
