internal import BridgeJSON
internal import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Requests and responses that wait to be decided upon.
extension ChromiumWebView {
    func didPause(_ params: JSON) {
        guard let id = params["requestId"], let url = url(params["request"]?["url"]) else { return }
        if params["responseStatusCode"] != nil || params["responseErrorReason"] != nil {
            didRespond(id, url, params)
        } else {
            willRequest(id, url, params)
        }
    }

    private func willRequest(_ id: JSON, _ url: URL, _ params: JSON) {
        let isMain = params["frameId"]?.string == target
        let isRedirect = params["redirectedRequestId"] != nil
        guard isMain else { return decide(id, action(url, params, isRedirect, .other)) { $0.proceed(id) } }
        guard let load, load.loader == params["networkId"]?.string else { return proceed(id) }
        // What this side asked for has been decided upon.
        if !load.isOfPage, !isRedirect { return proceed(id) }
        if isRedirect {
            self.load?.request.url = url
            if !load.isOfPage { show(url, .redirect) }
        }
        decide(id, action(url, params, isRedirect, load.type)) { page in
            if isRedirect {
                page.navigationDelegate?.didReceive(.receivedServerRedirect(load.navigation))
            } else {
                page.observed.change {
                    $0.isLoading = true
                    $0.estimatedProgress = 0.1
                }
                page.start()
            }
            page.proceed(id)
        }
    }

    private func action(
        _ url: URL, _ params: JSON, _ isRedirect: Bool, _ type: WebPageNavigationAction.NavigationType
    ) -> WebPageNavigationAction {
        let request = params["request"]
        var headers: [String: String] = [:]
        for member in request?["headers"]?.object ?? [:] { headers[member.name.string] = member.value.string }
        let frame = params["frameId"]?.string ?? ""
        let target =
            frame == target
            ? mainFrame
            : frames[frame] ?? WebPageFrameInfo(id: frame, isMainFrame: false, request: WebPageRequest(.blank))
        return WebPageNavigationAction(
            request: WebPageRequest(
                url, method: request?["method"]?.string ?? "GET", headerFields: headers,
                body: request?["postData"]?.string.map { Data($0.utf8) }), navigationType: type,
            sourceFrame: load?.isOfPage == false ? nil : target, targetFrame: target, isRedirect: isRedirect,
            hasUserGesture: type == .linkActivated)
    }

    private func decide(
        _ id: JSON, _ action: WebPageNavigationAction, _ allowed: @escaping @MainActor (ChromiumWebView) -> Void
    ) {
        let decide = { @MainActor [weak self] (policy: WebPageNavigationPolicy) in
            guard let self else { return }
            if policy == .allow { return allowed(self) }
            self.cancel(id, action)
        }
        if let navigationDelegate { navigationDelegate.decidePolicy(for: action, decide) } else { decide(.allow) }
    }

    private func cancel(_ id: JSON, _ action: WebPageNavigationAction) {
        post("Fetch.failRequest", ["requestId": id, "errorReason": "Aborted"])
        guard action.targetFrame?.isMainFrame == true, let load else { return }
        fail(load, action.isRedirect ? .frameLoadInterrupted : nil)
    }

    private func didRespond(_ id: JSON, _ url: URL, _ params: JSON) {
        let isMain = params["frameId"]?.string == target
        if let reason = params["responseErrorReason"]?.string {
            // Without this an error page would take the document's place.
            if isMain { load?.failure = .network(Self.networkError(reason)) }
            return post("Fetch.failRequest", ["requestId": id, "errorReason": isMain ? "Aborted" : JSON(reason)])
        }
        let status = params["responseStatusCode"]?.int ?? 0
        var fields: [String: String] = [:]
        for field in params["responseHeaders"]?.array ?? [] {
            let name = field["name"]?.string?.lowercased() ?? ""
            fields[name] = [fields[name], field["value"]?.string].compactMap(\.self).joined(separator: ", ")
        }
        if (300...399).contains(status), status != 304, fields["location"] != nil { return proceed(id, response: true) }
        let mimeType = String((fields["content-type"] ?? "").prefix { $0 != ";" }).lowercased()
            .filter { !$0.isWhitespace }
        let isShown =
            status != 204 && status != 205 && Self.canShow(mimeType)
            && fields["content-disposition"]?.lowercased().hasPrefix("attachment") != true
        let response = WebPageNavigationResponse(
            url: url, statusCode: status, headerFields: fields, mimeType: mimeType, isForMainFrame: isMain,
            canShowMIMEType: Self.canShow(mimeType))
        let decide = { @MainActor [weak self] (policy: WebPageNavigationPolicy) in
            guard let self else { return }
            if policy == .allow, isShown { return self.proceed(id, response: true) }
            if isMain { self.load?.failure = .frameLoadInterrupted }
            self.post("Fetch.failRequest", ["requestId": id, "errorReason": "Aborted"])
        }
        if let navigationDelegate { navigationDelegate.decidePolicy(for: response, decide) } else { decide(.allow) }
    }

    private func proceed(_ id: JSON, response: Bool = false) {
        post(response ? "Fetch.continueResponse" : "Fetch.continueRequest", ["requestId": id])
    }

    private static func canShow(_ mimeType: String) -> Bool {
        let kind = mimeType.prefix { $0 != "/" }
        return mimeType.isEmpty || ["text", "image", "audio", "video"].contains(kind)
            || mimeType.hasSuffix("json") || mimeType.hasSuffix("xml") || mimeType.hasSuffix("javascript")
    }

    /// Chromium's name for a reason of the DevTools protocol's.
    private static func networkError(_ reason: String) -> String {
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
