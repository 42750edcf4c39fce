/// What a page posted with `window.webkit.messageHandlers.NAME.postMessage(BODY)`.
public struct WebPageScriptMessage: Hashable, Sendable {
    /// The handler's.
    public var name: String
    /// What was posted.
    public var body: JavaScriptValue
    /// That posted it; scripts can be sent there.
    public var frame: WebPageFrameInfo
    /// That of the handler.
    public var world: WebPageContentWorld

    /// A message as a page posts it.
    public init(name: String, body: JavaScriptValue, frame: WebPageFrameInfo, world: WebPageContentWorld = .page) {
        self.name = name
        self.body = body
        self.frame = frame
        self.world = world
    }
}

/// Hears what a page posts. The promise that the page gets is fulfilled with `undefined` when this returns.
@MainActor
public protocol WebPageScriptMessageHandling: AnyObject {
    func webPage(_ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage)
}

/// Answers what a page posts.
@MainActor
public protocol WebPageScriptMessageReplying: AnyObject {
    /// - Returns: what the page's promise is fulfilled with.
    /// - Throws: whatever it throws rejects the promise, with an `Error` whose message is the error's description.
    func webPage(
        _ page: any WebPageRepresentable, didReceive message: WebPageScriptMessage
    ) async throws -> JavaScriptValue
}
