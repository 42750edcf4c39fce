/// What answers for the user where a page asks for a window or a dialog. The page's script waits meanwhile.
@MainActor
public protocol WebPageUIHandling: AnyObject {
    /// What becomes of `window.open` and of links to a new window.
    ///
    /// - Parameter action: its target is nil; it tells whether the user asked for it.
    func webPage(
        _ page: any WebPageRepresentable, createWindowFor action: WebPageNavigationAction
    ) async -> WebPageNewWindowPolicy

    func webPage(_ page: any WebPageRepresentable, showAlert message: String, from frame: WebPageFrameInfo) async

    /// - Returns: whether the user agrees.
    func webPage(
        _ page: any WebPageRepresentable, askToConfirm message: String, from frame: WebPageFrameInfo
    ) async -> Bool

    /// - Returns: what the user entered; nil when they did not want to.
    func webPage(
        _ page: any WebPageRepresentable, promptFor message: String, defaultText: String, from frame: WebPageFrameInfo
    ) async -> String?
}

/// What becomes of a window that a page wants to open. `window.open` returns null in either case.
public enum WebPageNewWindowPolicy: String, Hashable, Sendable {
    /// The page goes there itself, as in an app that shows one page.
    case openInSamePage
    /// Nothing happens.
    case deny
}

extension WebPageUIHandling {
    /// Opens it in the same page.
    public func webPage(
        _ page: any WebPageRepresentable, createWindowFor action: WebPageNavigationAction
    ) async -> WebPageNewWindowPolicy { .openInSamePage }

    /// Goes on at once.
    public func webPage(
        _ page: any WebPageRepresentable, showAlert message: String, from frame: WebPageFrameInfo
    ) async {}

    /// Does not agree.
    public func webPage(
        _ page: any WebPageRepresentable, askToConfirm message: String, from frame: WebPageFrameInfo
    ) async -> Bool { false }

    /// Does not want to.
    public func webPage(
        _ page: any WebPageRepresentable, promptFor message: String, defaultText: String, from frame: WebPageFrameInfo
    ) async -> String? { nil }
}
