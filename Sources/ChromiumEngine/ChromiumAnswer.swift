internal import BridgeJSON
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What a server has answered for a document, as the browser tells it.
struct ChromiumAnswer {
    private let url: URL
    private let status: Int
    private let headers: [JSON]
    private let fields: [String: String]

    init(_ url: URL, _ params: JSON) {
        self.url = url
        status = params["responseStatusCode"]?.int ?? 0
        headers = params["responseHeaders"]?.array ?? []
        var fields: [String: String] = [:]
        for field in headers {
            let name = Self.name(field)
            fields[name] = [fields[name], field["value"]?.string].compactMap(\.self).joined(separator: ", ")
        }
        self.fields = fields
    }

    private static func name(_ field: JSON) -> String { field["name"]?.string?.lowercased() ?? "" }

    private var mimeType: String {
        String((fields["content-type"] ?? "").prefix { $0 != ";" }).lowercased().filter { !$0.isWhitespace }
    }

    /// Where it sends to instead; nil: nowhere.
    var redirection: URL? {
        guard (300...399).contains(status), status != 304, let location = fields["location"] else { return nil }
        return URL(string: location, relativeTo: url)?.absoluteURL ?? url
    }

    func response(isForMainFrame: Bool) -> WebPageNavigationResponse {
        WebPageNavigationResponse(
            url: url, statusCode: status, headerFields: fields, mimeType: mimeType, isForMainFrame: isForMainFrame,
            canShowMIMEType: canShowMIMEType)
    }

    var isShown: Bool {
        status != 204 && status != 205 && canShowMIMEType
            && fields["content-disposition"]?.lowercased().hasPrefix("attachment") != true
    }

    private var canShowMIMEType: Bool {
        let mimeType = mimeType
        let kind = mimeType.prefix { $0 != "/" }
        return mimeType.isEmpty || ["text", "image", "audio", "video"].contains(kind)
            || mimeType.hasSuffix("json") || mimeType.hasSuffix("xml") || mimeType.hasSuffix("javascript")
    }

    // MARK: What Chromium replaces

    /// Whether it asks for a name and a password, which nobody has: WebKit shows what comes with the question.
    private var asksForCredentials: Bool { status == 401 && fields["www-authenticate"] != nil }

    /// Whether Chromium shows a page of its own instead, as it does for an error that has no body, or may do that: of some
    /// it is not known beforehand how long they are.
    var isReplaced: Bool {
        guard status >= 400 else { return false }
        return asksForCredentials || (fields["content-length"].flatMap { Int($0) } ?? 0) == 0
    }

    /// The same so that Chromium shows it.
    ///
    /// - Parameter body: as `Fetch.getResponseBody` gives it.
    /// - Returns: the parameters of `Fetch.fulfillRequest`; nil where it is shown as it is.
    func whole(_ body: JSON) -> JSONObject? {
        let text = body["body"]?.string ?? ""
        guard text.isEmpty || asksForCredentials else { return nil }
        // A space makes an empty document.
        let isEncoded = !text.isEmpty && body["base64Encoded"]?.bool == true
        let encoded = isEncoded ? text : Data((text.isEmpty ? " " : text).utf8).base64EncodedString()
        // Of the body as it was sent.
        var dropped: Set = ["content-encoding", "content-length", "transfer-encoding", "www-authenticate"]
        if text.isEmpty { dropped.insert("content-type") }
        var kept = headers.filter { !dropped.contains(Self.name($0)) }
        if text.isEmpty { kept.append(["name": "Content-Type", "value": "text/html"]) }
        return ["responseCode": JSON(status), "responseHeaders": .array(kept), "body": JSON(encoded)]
    }

    /// Chromium's name for a reason of the DevTools protocol's, which tells few of the network's faults apart: the others are
    /// all `net::ERR_FAILED`. To ask the server again would tell, and do again what the request has done.
    static func networkError(_ reason: String) -> String {
        let names = [
            "TimedOut": "TIMED_OUT", "ConnectionRefused": "CONNECTION_REFUSED", "ConnectionReset": "CONNECTION_RESET",
            "ConnectionClosed": "CONNECTION_CLOSED", "ConnectionAborted": "CONNECTION_ABORTED",
            "ConnectionFailed": "CONNECTION_FAILED", "NameNotResolved": "NAME_NOT_RESOLVED",
            "InternetDisconnected": "INTERNET_DISCONNECTED", "AddressUnreachable": "ADDRESS_UNREACHABLE",
            "AccessDenied": "ACCESS_DENIED", "BlockedByClient": "BLOCKED_BY_CLIENT",
            "BlockedByResponse": "BLOCKED_BY_RESPONSE",
        ]
        return "net::ERR_\(names[reason] ?? "FAILED")"
    }
}
