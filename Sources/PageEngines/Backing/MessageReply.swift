public import PageModel

/// Where the answer to a posted message goes: once. What is let go without an answer rejects the page's promise, in WebKit's
/// words.
@MainActor
public final class MessageReply {
    /// The texts of WebKit's own rejections.
    public enum Text {
        /// Nobody answered.
        public static let noResponse = "WKWebView API client did not respond to this postMessage"
        /// The body is none that can leave a page.
        package static let notCloneable = "The object can not be cloned."
        /// Nobody was there to answer.
        public static let pageGone = "The WKWebView was deallocated before the message was delivered"
    }

    /// What becomes of the promise.
    public enum Answer: Hashable, Sendable {
        case fulfil(JavaScriptValue)
        /// With an `Error` of that message.
        case reject(String)
    }

    private var send: (@MainActor (Answer) -> Void)?
    /// Whether the page's client tells the answer to `handleNativeResponse` by itself.
    package let isToldByClient: Bool

    /// - Parameter send: called once.
    public init(_ send: @escaping @MainActor (Answer) -> Void) {
        self.send = send
        isToldByClient = false
    }

    package init(toldByClient: Bool, _ send: @escaping @MainActor (Answer) -> Void) {
        self.send = send
        isToldByClient = toldByClient
    }

    isolated deinit { answer(.reject(Text.noResponse)) }

    /// A second answer is dropped.
    public func answer(_ answer: Answer) {
        guard let send else { return }
        self.send = nil
        send(answer)
    }
}
