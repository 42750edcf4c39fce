#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What is asked of a server.
public struct WebPageRequest: Hashable, Sendable {
    /// Where to. One that is relative to a base is kept as the whole that it is.
    public var url: URL { didSet { url = url.absoluteURL } }
    /// In upper case, as it is sent (RFC 9110, section 9).
    public var method: String
    /// By name, as they are sent.
    public var headerFields: [String: String]
    /// What is sent with it.
    public var body: Data?

    /// A request, by default one that asks for a document.
    public init(_ url: URL, method: String = "GET", headerFields: [String: String] = [:], body: Data? = nil) {
        self.url = url.absoluteURL
        self.method = method
        self.headerFields = headerFields
        self.body = body
    }
}
