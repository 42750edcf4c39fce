/// What is about to be loaded, and why. Nothing is sent before it is decided upon.
public struct WebPageNavigationAction: Hashable, Sendable {
    /// As `WKNavigationType`.
    public enum NavigationType: String, Hashable, Sendable, CaseIterable {
        case linkActivated, formSubmitted, backForward, reload, formResubmitted, other
    }

    /// What would be sent.
    public var request: WebPageRequest
    /// What led to it.
    public var navigationType: NavigationType
    /// The frame whose document asks for it; nil where this side does.
    public var sourceFrame: WebPageFrameInfo?
    /// The frame that would show it; nil for a new window.
    public var targetFrame: WebPageFrameInfo?
    /// Whether a server sent an earlier request here.
    public var isRedirect: Bool
    /// Whether the user has just done something that the page may open windows for.
    public var hasUserGesture: Bool
    /// Whether the link says that it is to be saved (`download`).
    public var shouldPerformDownload: Bool

    /// An action, by default one of this side.
    public init(
        request: WebPageRequest, navigationType: NavigationType = .other, sourceFrame: WebPageFrameInfo? = nil,
        targetFrame: WebPageFrameInfo? = nil, isRedirect: Bool = false, hasUserGesture: Bool = false,
        shouldPerformDownload: Bool = false
    ) {
        self.request = request
        self.navigationType = navigationType
        self.sourceFrame = sourceFrame
        self.targetFrame = targetFrame
        self.isRedirect = isRedirect
        self.hasUserGesture = hasUserGesture
        self.shouldPerformDownload = shouldPerformDownload
    }
}

/// What becomes of an action or a response.
public enum WebPageNavigationPolicy: String, Hashable, Sendable {
    case allow
    /// Nothing is loaded, and the page stays as it is.
    case cancel
}
