public import BridgeJSON

/// A failure as it travels: a code, a message and, if there is more to say, data.
///
/// A handler throws one of its own with any 32-bit code outside −32768…−32000 and −32800; it reaches the page as it is.
/// A code inside those ranges is the protocol's, so it is sent as `handlerFailed` with the code in `data.code`.
/// A failure that comes back from a page, or that the bridge itself answers, has one of the codes in ``Code``.
public struct BridgeFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The protocol's or the application's number for what went wrong.
    public var code: Int
    /// One sentence for people.
    public var message: String
    /// What there is to say beyond that.
    public var data: JSON?

    /// A failure to throw from a handler.
    public init(_ code: Int, _ message: String, data: JSON? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// Message, code and what `data` has as `help`.
    public var description: String {
        guard let help = data?["help"]?.string else { return "\(message) (\(code))" }
        return "\(message) (\(code)): \(help)"
    }

    /// The protocol's own codes. The first five are those of the JSON-RPC 2.0 specification, section 5.1.
    public enum Code {
        /// Not JSON, or nested deeper than the limit.
        public static let parseError = -32700
        /// JSON, but no message; an id that is in flight already; a batch that is empty or over the limit.
        public static let invalidRequest = -32600
        /// No handler. `data` has `eventName`, `nearest` and `help`.
        public static let methodNotFound = -32601
        /// The payload does not decode. `data` has `path` and `expected`.
        public static let invalidParams = -32602
        /// The result cannot be encoded or is over the limit; a fault of the bridge.
        public static let internalError = -32603
        /// The handler threw an error without a code; or the server drains (`data.reason`).
        public static let handlerFailed = -32000
        /// A deadline passed.
        public static let timedOut = -32001
        /// The handler let go of the request without answering.
        public static let noReply = -32003
        /// The connection ended before the answer came: the outcome is unknown.
        public static let connectionClosed = -32004
        /// The document that should answer is gone.
        public static let pageNavigatedAway = -32005
        /// There is no page to call.
        public static let pageNotConnected = -32006
        /// More requests in flight than the limit.
        public static let tooManyRequests = -32008
        /// Script in the page threw.
        public static let scriptException = -32010
        /// Script in the page returned what cannot be sent, or what the caller's `Reply` does not decode from.
        public static let unsupportedResult = -32011
        /// Taken back by the caller, or at the end of draining.
        public static let cancelled = -32800
    }
}

// The failures the bridge itself answers with. What there is to explain stands in `data.help`.
extension BridgeFailure {
    package static func parseError(_ help: String) -> BridgeFailure {
        BridgeFailure(Code.parseError, "Parse error", data: .help(help))
    }

    package static func invalidRequest(_ help: String) -> BridgeFailure {
        BridgeFailure(Code.invalidRequest, "Invalid Request", data: .help(help))
    }

    package static let duplicateID = BridgeFailure(
        Code.invalidRequest, "Invalid Request",
        data: ["duplicate": true, "help": "a request with this id is still in flight"])

    package static func unsupportedVersion(_ supported: Int) -> BridgeFailure {
        BridgeFailure(
            Code.invalidRequest, "Invalid Request",
            data: [
                "supported": [JSON(supported)],
                "help": "this server does not speak the version of the protocol that $/hello asks for",
            ])
    }

    package static func invalidParams(path: JSONPath, expected: String) -> BridgeFailure {
        invalidParams(path: path, expected: expected, help: "\(path): expected \(expected)")
    }

    /// For a payload that does not decode.
    package static func invalidParams(_ error: JSONCodingError) -> BridgeFailure {
        invalidParams(path: error.path, expected: error.expected, help: error.description)
    }

    private static func invalidParams(path: JSONPath, expected: String, help: String) -> BridgeFailure {
        BridgeFailure(
            Code.invalidParams, "Invalid params",
            data: ["path": JSON("\(path)"), "expected": JSON(expected), "help": JSON(help)])
    }

    package static func internalError(_ help: String, path: JSONPath? = nil) -> BridgeFailure {
        var data = JSONObject()
        if let path { data["path"] = JSON("\(path)") }
        data["help"] = JSON(help)
        return BridgeFailure(Code.internalError, "Internal error", data: .object(data))
    }

    /// The wording is WebKit's, for a reply handler that was released without being called.
    package static func noReply(_ name: String) -> BridgeFailure {
        BridgeFailure(
            Code.noReply, "WKWebView API client did not respond to this postMessage",
            data: .help("the handler of \"\(name)\" let go of the request without answering it"))
    }

    package static func timedOut(_ help: String) -> BridgeFailure {
        BridgeFailure(Code.timedOut, "Timed out", data: .help(help))
    }

    package static let connectionClosed = BridgeFailure(
        Code.connectionClosed, "Connection closed",
        data: .help("the connection ended before the answer came; whether the request was carried out is unknown"))

    package static let pageNavigatedAway = BridgeFailure(
        Code.pageNavigatedAway, "Page navigated away", data: .help("the document that should answer is gone"))

    package static func pageNotConnected(_ help: String) -> BridgeFailure {
        BridgeFailure(Code.pageNotConnected, "Page not connected", data: .help(help))
    }

    package static func tooManyRequests(_ limit: Int) -> BridgeFailure {
        BridgeFailure(
            Code.tooManyRequests, "Too many requests",
            data: .help("\(limit) requests are in flight in this session already; the limit is named inFlight"))
    }

    package static let draining = BridgeFailure(
        Code.handlerFailed, "The server is shutting down",
        data: ["reason": "draining", "help": "new requests are not taken while the server drains"])

    package static func unsupportedResult(path: JSONPath, expected: String) -> BridgeFailure {
        BridgeFailure(
            Code.unsupportedResult, "Unsupported result",
            data: ["path": JSON("\(path)"), "help": JSON("\(path): expected \(expected)")])
    }

    /// For an answer that does not decode.
    package static func unsupportedResult(_ error: JSONCodingError, of event: String) -> BridgeFailure {
        BridgeFailure(
            Code.unsupportedResult, "Unsupported result",
            data: [
                "path": JSON("\(error.path)"), "expected": JSON(error.expected),
                "help": JSON("the page's answer to \"\(event)\" is of another type: \(error)"),
            ])
    }

    package static let cancelled = BridgeFailure(Code.cancelled, "Cancelled")

    package static let cancelledByDraining = BridgeFailure(
        Code.cancelled, "Cancelled", data: ["reason": "draining", "help": "the server stopped before the answer came"])
}

extension JSON {
    fileprivate static func help(_ text: String) -> JSON { ["help": JSON(text)] }
}
