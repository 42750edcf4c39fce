internal import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A load that has not come to its end.
struct ConnectedLoad {
    enum Target {
        case new
        case reload
        case item(WebPageBackForwardList.Item)
    }

    let navigation: WebPageNavigation
    var target: Target
    let url: URL
    /// Whether the page itself asked for it: then nothing is known of it before the commit.
    var isOfPage = false
    var hasStarted = false
    var isCommitted = false
    /// Whether a document has to be asked still, as there is none now.
    var waitsForDocument = false
    /// The connection that was asked last.
    var asked: ObjectIdentifier?

    init(_ navigation: WebPageNavigation, _ url: URL, _ target: Target) {
        self.navigation = navigation
        self.target = target
        self.url = url
    }

    /// Of the URL that shows before the commit; nil for a reload, whose URL is the same.
    var provisionalCause: WebPageURLChange.Cause? {
        switch target {
        case .new: .load
        case .reload: nil
        case .item: .traversal
        }
    }

    var type: WebPageNavigationAction.NavigationType {
        switch target {
        case .new: .other
        case .reload: .reload
        case .item: .backForward
        }
    }
}
