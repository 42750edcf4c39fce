/// What a page answers with when it cannot do what it was asked.
///
/// ``domain`` and ``code`` are WebKit's, so that code which tells errors by those can be kept.
public enum WebPageError: Error, Hashable, Sendable {
    /// A script threw, or a promise was rejected.
    case javaScriptException(JavaScriptException)
    /// The script's value is none that can leave the page: a function, a symbol, a node, a window, a promise.
    case javaScriptResultTypeIsUnsupported
    /// The frame is not there any more.
    case javaScriptInvalidFrameTarget
    /// The process that ran the page's script has ended.
    case webContentProcessTerminated
    /// The page was closed, or what showed it has ended; why.
    case pageClosed(String)
    /// The load was stopped, or another came in its place.
    case cancelled
    /// The policy or the kind of the answer ended the load (204, what cannot be shown).
    case frameLoadInterrupted
    /// Nothing here can load such a URL.
    case cannotShowURL
    /// The network's fault, by Chromium's name for it (`net::ERR_CONNECTION_REFUSED`).
    case network(String)
    /// What shows the page cannot do it; what, and what can.
    case unsupported(String)

    /// What a script threw.
    public struct JavaScriptException: Hashable, Sendable {
        /// `String(thrown)`.
        public var message: String
        /// From 1; 0 where it is not known, as for a rejection.
        public var line: Int
        /// From 1; 0 where it is not known.
        public var column: Int
        /// The script's file; nil for what this side sent.
        public var sourceURL: String?

        /// What a script threw, and where if that is known.
        public init(message: String, line: Int = 0, column: Int = 0, sourceURL: String? = nil) {
            self.message = message
            self.line = line
            self.column = column
            self.sourceURL = sourceURL
        }
    }

    /// A promise that nothing can settle any more, in WebKit's words: a call whose document went away.
    public static let unreachable = WebPageError.javaScriptException(
        JavaScriptException(message: "Completion handler for function call is no longer reachable"))

    /// `WKErrorDomain`, `WebKitErrorDomain` or `NSURLErrorDomain`.
    public var domain: String {
        switch self {
        case .javaScriptException, .javaScriptResultTypeIsUnsupported, .javaScriptInvalidFrameTarget,
            .webContentProcessTerminated, .pageClosed, .unsupported:
            "WKErrorDomain"
        case .frameLoadInterrupted, .cannotShowURL: "WebKitErrorDomain"
        case .cancelled, .network: "NSURLErrorDomain"
        }
    }

    /// Within ``domain``. Of the network's faults those that have a number of their own there; −1 for the others.
    public var code: Int {
        switch self {
        case .unsupported: 1
        case .webContentProcessTerminated: 2
        case .pageClosed: 3
        case .javaScriptException: 4
        case .javaScriptResultTypeIsUnsupported: 5
        case .javaScriptInvalidFrameTarget: 12
        case .cannotShowURL: 101
        case .frameLoadInterrupted: 102
        case .cancelled: -999
        case .network(let name): Self.networkCodes[name] ?? -1
        }
    }

    private static let networkCodes = [
        "net::ERR_TIMED_OUT": -1001, "net::ERR_CONNECTION_TIMED_OUT": -1001, "net::ERR_NAME_NOT_RESOLVED": -1003,
        "net::ERR_CONNECTION_REFUSED": -1004, "net::ERR_CONNECTION_FAILED": -1004,
        "net::ERR_ADDRESS_UNREACHABLE": -1004, "net::ERR_CONNECTION_RESET": -1005,
        "net::ERR_CONNECTION_CLOSED": -1005, "net::ERR_CONNECTION_ABORTED": -1005,
        "net::ERR_TOO_MANY_REDIRECTS": -1007, "net::ERR_INTERNET_DISCONNECTED": -1009,
        "net::ERR_EMPTY_RESPONSE": -1017,
    ]
}

extension WebPageError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .javaScriptException(let exception):
            exception.line == 0
                ? "A JavaScript exception occurred: \(exception.message)"
                : "A JavaScript exception occurred: \(exception.message) "
                    + "(\(exception.sourceURL ?? "script"):\(exception.line):\(exception.column))"
        case .javaScriptResultTypeIsUnsupported: "JavaScript execution returned a result of an unsupported type"
        case .javaScriptInvalidFrameTarget: "The frame is not in the page any more"
        case .webContentProcessTerminated: "The page's process has ended"
        case .pageClosed(let reason): "The page is closed: \(reason)"
        case .cancelled: "The load was cancelled"
        case .frameLoadInterrupted: "Frame load interrupted"
        case .cannotShowURL: "The URL can't be shown"
        case .network("net::ERR_CONNECTION_CLOSED"): "The network connection was lost (net::ERR_CONNECTION_CLOSED)"
        case .network(let name): "The load failed: \(name)"
        case .unsupported(let what): "Not supported: \(what)"
        }
    }
}
