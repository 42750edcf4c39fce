#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A frame of a page at one moment: a value, which does not change when the frame navigates.
public struct WebPageFrameInfo: Hashable, Sendable {
    /// Names the frame to the page that it is of; opaque.
    public var id: String
    /// Whether it is the page itself and no frame in it.
    public var isMainFrame: Bool
    /// What its document was loaded with.
    public var request: WebPageRequest
    /// Whose its document is.
    public var securityOrigin: WebPageSecurityOrigin

    /// - Parameter securityOrigin: that of the request when nil.
    public init(
        id: String, isMainFrame: Bool, request: WebPageRequest, securityOrigin: WebPageSecurityOrigin? = nil
    ) {
        self.id = id
        self.isMainFrame = isMainFrame
        self.request = request
        self.securityOrigin = securityOrigin ?? WebPageSecurityOrigin(request.url)
    }
}

/// An origin (RFC 6454). All empty for an opaque one, such as that of `about:blank` or of a sandboxed frame.
public struct WebPageSecurityOrigin: Hashable, Sendable, CustomStringConvertible {
    /// In lower case, without the colon.
    public var scheme: String
    /// In lower case.
    public var host: String
    /// 0 for the scheme's own port, as in WebKit.
    public var port: Int

    /// An opaque origin, unless said otherwise.
    public init(scheme: String = "", host: String = "", port: Int = 0) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// The origin of what is loaded from there.
    public init(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host(), !host.isEmpty else {
            self.init()
            return
        }
        let own = ["http": 80, "https": 443, "ws": 80, "wss": 443][scheme]
        let port = url.port ?? 0
        self.init(scheme: scheme, host: host.lowercased(), port: port == own ? 0 : port)
    }

    /// As the `Origin` field has it; `null` for an opaque one.
    public var description: String {
        guard !scheme.isEmpty else { return "null" }
        return port == 0 ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
