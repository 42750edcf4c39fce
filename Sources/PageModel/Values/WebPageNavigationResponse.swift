#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a server answered, before any of it is shown.
public struct WebPageNavigationResponse: Hashable, Sendable {
    /// Where it came from, after redirects.
    public var url: URL
    /// 0 where the scheme has none.
    public var statusCode: Int
    /// By name in lower case; of a field that came several times, the values joined by a comma (RFC 9110, section 5.2).
    public var headerFields: [String: String]
    /// Empty when it is not told.
    public var mimeType: String
    /// False for a frame in the page.
    public var isForMainFrame: Bool
    /// Whether it can be shown; what cannot be is not loaded, whatever is decided.
    public var canShowMIMEType: Bool

    /// A response, by default a page that can be shown.
    public init(
        url: URL, statusCode: Int = 200, headerFields: [String: String] = [:], mimeType: String = "text/html",
        isForMainFrame: Bool = true, canShowMIMEType: Bool = true
    ) {
        self.url = url
        self.statusCode = statusCode
        self.headerFields = headerFields
        self.mimeType = mimeType
        self.isForMainFrame = isForMainFrame
        self.canShowMIMEType = canShowMIMEType
    }
}
