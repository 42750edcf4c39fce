#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What is asked of a server.
public struct WebPageRequest: Hashable, Sendable {
    /// Where to.
    public var url: URL
    /// In upper case, as it is sent (RFC 9110, section 9).
    public var method: String
    /// By name, as they are sent.
    public var headerFields: [String: String]
    /// What is sent with it.
    public var body: Data?

    /// A request, by default one that asks for a document.
    public init(_ url: URL, method: String = "GET", headerFields: [String: String] = [:], body: Data? = nil) {
        self.url = url
        self.method = method
        self.headerFields = headerFields
        self.body = body
    }
}
