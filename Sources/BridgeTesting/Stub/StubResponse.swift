#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import PageModel

/// What a load of a ``StubWebView`` comes to.
public enum StubResponse: Sendable {
    /// A document, whatever its status: a server's 404 is shown like any other page.
    case page(title: String = "", status: Int = 200)
    /// Another request, for which the stub is asked again.
    case redirect(URL)
    /// Nothing comes: the old document stays.
    case failure(WebPageError)
    /// A document that breaks off.
    case failureAfterCommit(WebPageError, title: String = "")
    /// 204: the old document stays.
    case noContent
    /// What cannot be shown: the old document stays.
    case unshowable(mimeType: String)
    /// Nothing, until ``StubWebView/respond(_:)``.
    case pending
}

/// What was asked of a ``StubWebView``, in order.
public enum StubCall: Hashable, Sendable {
    case load(WebPageRequest)
    case loadHTML(String, baseURL: URL?)
    case reload(fromOrigin: Bool)
    case stopLoading
    case go(to: URL)
    case evaluate(StubScript)
    case call(StubScript)
    case addUserScript(String)
    case removeAllUserScripts
    case addMessageHandler(String, WebPageContentWorld)
    case removeMessageHandler(String, WebPageContentWorld)
    case close
}

/// A script that was sent to a ``StubWebView``.
public struct StubScript: Hashable, Sendable {
    /// The program, or the function's body.
    public var source: String
    /// By name; none for a program.
    public var arguments: [String: JavaScriptValue]
    /// Nil for the main frame.
    public var frame: WebPageFrameInfo?
    /// Where it runs.
    public var world: WebPageContentWorld

    /// A script, by default for the page itself.
    public init(
        source: String, arguments: [String: JavaScriptValue] = [:], frame: WebPageFrameInfo? = nil,
        world: WebPageContentWorld = .page
    ) {
        self.source = source
        self.arguments = arguments
        self.frame = frame
        self.world = world
    }
}

/// A promise of the stub's page that was rejected.
public struct StubRejection: Error, Hashable, Sendable, CustomStringConvertible {
    /// As `String(error)` has it in the page.
    public var description: String
}
