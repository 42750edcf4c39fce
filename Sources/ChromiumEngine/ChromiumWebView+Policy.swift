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
        let isRedirect = params["redirectedRequestId"] != nil
        guard params["frameId"]?.string == target else {
            return decide(id, action(url, params, isRedirect, .other, nil), nil) { $0.proceed(id) }
        }
        let loader = params["networkId"]?.string
        if let next, next.loader == loader {
            self.next?.request = request(url, params, withFields: false)
            return decide(id, action(url, params, isRedirect, next.type, next), next.navigation) { page in
                page.begin(next, id)
            }
        }
        guard let load, load.loader == loader else { return abort(id) }
        guard isRedirect else { return send(load, id, params) }
        self.load?.request = request(url, params, withFields: false)
        if !load.isOfPage, let load = self.load { show(load, .redirect) }
        guard isGoingOn(load.navigation) else { return abort(id) }
        decide(id, action(url, params, isRedirect, load.type, load), load.navigation) { page in
            page.navigationDelegate?.didReceive(.receivedServerRedirect(load.navigation))
            if page.isGoingOn(load.navigation) { page.proceed(id) } else { page.abort(id) }
        }
    }

    /// What the page itself wants has been allowed.
    private func begin(_ next: ChromiumLoad, _ id: JSON) {
        beginNext()
        if isGoingOn(next.navigation) {
            change(next) {
                $0.isLoading = true
                $0.estimatedProgress = 0.1
            }
        }
        start(next.navigation)
        if isGoingOn(next.navigation) { proceed(id) } else { abort(id) }
    }

    /// What this side asked for has been decided upon.
    private func send(_ load: ChromiumLoad, _ id: JSON, _ params: JSON) {
        if let html = load.html {
            return post(
                "Fetch.fulfillRequest",
                [
                    "requestId": id, "responseCode": 200,
                    "responseHeaders": [["name": "Content-Type", "value": "text/html; charset=utf-8"]],
                    "body": JSON(Data(html.utf8).base64EncodedString()),
                ])
        }
        let request = load.request
        // What a page has sent Chromium sends again by itself.
        guard !request.headerFields.isEmpty || request.method != params["request"]?["method"]?.string else {
            return proceed(id)
        }
        var fields = self.request(request.url, params).headerFields
        for (name, value) in request.headerFields {
            for other in fields.keys where other.lowercased() == name.lowercased() { fields[other] = nil }
            fields[name] = value
        }
        var changes: JSONObject = ["requestId": id, "method": JSON(request.method)]
        changes["headers"] = .array(
            fields.sorted { $0.key < $1.key }.map { ["name": JSON($0.key), "value": JSON($0.value)] })
        if let body = request.body { changes["postData"] = JSON(body.base64EncodedString()) }
        post("Fetch.continueRequest", .object(changes))
    }

    private func abort(_ id: JSON) {
        post("Fetch.failRequest", ["requestId": id, "errorReason": "Aborted"])
    }

    private func request(_ url: URL, _ params: JSON, withFields: Bool = true) -> WebPageRequest {
        let request = params["request"]
        var headers: [String: String] = [:]
        for member in (withFields ? request?["headers"]?.object : nil) ?? [:] {
            headers[member.name.string] = member.value.string
        }
        return WebPageRequest(
            url, method: request?["method"]?.string ?? "GET", headerFields: headers,
            body: request?["postData"]?.string.map { Data($0.utf8) })
    }

    /// - Parameter load: nil for a frame in the page.
    private func action(
        _ url: URL, _ params: JSON, _ isRedirect: Bool, _ type: WebPageNavigationAction.NavigationType,
        _ load: ChromiumLoad?
    ) -> WebPageNavigationAction {
        let target = frame(params["frameId"]?.string)
        return WebPageNavigationAction(
            request: request(url, params), navigationType: type, sourceFrame: load?.isOfPage == false ? nil : target,
            targetFrame: target, isRedirect: isRedirect, hasUserGesture: type == .linkActivated)
    }

    /// - Parameter asker: nil for a frame in the page.
    private func decide(
        _ id: JSON, _ action: WebPageNavigationAction, _ asker: WebPageNavigation?,
        _ allowed: @escaping @MainActor (ChromiumWebView) -> Void
    ) {
        let decide = { @MainActor [weak self] (policy: WebPageNavigationPolicy) in
            guard let self else { return }
            let isNext = asker != nil && self.next?.navigation == asker
            // Something else has taken its place.
            if let asker, !isNext, !self.isGoingOn(asker) { return self.abort(id) }
            if policy == .allow { return allowed(self) }
            self.abort(id)
            // What the page wants and may not changes nothing.
            if isNext { self.next = nil } else if asker != nil { self.giveUp(.frameLoadInterrupted) }
        }
        if let navigationDelegate { navigationDelegate.decidePolicy(for: action, decide) } else { decide(.allow) }
    }

    private func didRespond(_ id: JSON, _ url: URL, _ params: JSON) {
        let isMain = params["frameId"]?.string == target
        if isMain, load?.loader != params["networkId"]?.string { return abort(id) }
        if let reason = params["responseErrorReason"]?.string {
            // Without this an error page would take the document's place.
            if isMain, load?.isCommitted == true { return proceed(id, response: true) }
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
        let navigation = load?.navigation
        let decide = { @MainActor [weak self] (policy: WebPageNavigationPolicy) in
            guard let self else { return }
            if isMain, self.load?.navigation != navigation { return self.abort(id) }
            if policy == .allow, isShown { return self.proceed(id, response: true) }
            self.abort(id)
            if isMain { self.giveUp(.frameLoadInterrupted) }
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
