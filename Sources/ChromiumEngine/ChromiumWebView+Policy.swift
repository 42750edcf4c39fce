internal import BridgeJSON
internal import PageEngines
internal import PageModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Requests and responses that wait to be decided upon, or to fail.
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
                ]
            ) { [weak self] result in
                if result == nil { self?.fail(id, load.navigation, .unsupported("such a document")) }
            }
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
        // What it refuses it still holds, and would hold for ever.
        post("Fetch.continueRequest", .object(changes)) { [weak self] result in
            guard result == nil else { return }
            let names = request.headerFields.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
            let what = "\(request.method) with \(names.isEmpty ? "no fields" : names) of its own"
            self?.fail(
                id, load.navigation,
                .unsupported(
                    "\(what); Chromium sends names and values of HTTP's, and sets Host, Content-Length and the like itself"
                ))
        }
    }

    /// A request that the browser did not let go on, unless something else has taken its load's place.
    private func fail(_ id: JSON, _ navigation: WebPageNavigation, _ error: WebPageError) {
        if isGoingOn(navigation) { end(id, error) } else { abort(id) }
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
            guard isMain else { return post("Fetch.failRequest", ["requestId": id, "errorReason": JSON(reason)]) }
            if load?.isCommitted == true { return proceed(id, response: true) }
            return end(id, .network(ChromiumAnswer.networkError(reason)))
        }
        let answer = ChromiumAnswer(url, params)
        if let goal = answer.redirection { return follow(id, to: goal, params, isMain) }
        let response = answer.response(isForMainFrame: isMain)
        let navigation = load?.navigation
        let decide = { @MainActor [weak self] (policy: WebPageNavigationPolicy) in
            guard let self else { return }
            if isMain, self.load?.navigation != navigation { return self.abort(id) }
            if policy == .allow, answer.isShown { return self.show(answer, id, isMain) }
            self.abort(id)
            if isMain { self.giveUp(.frameLoadInterrupted) }
        }
        if let navigationDelegate { navigationDelegate.decidePolicy(for: response, decide) } else { decide(.allow) }
    }

    /// Chromium would put a page of its own in the place of some.
    private func show(_ answer: ChromiumAnswer, _ id: JSON, _ isMain: Bool) {
        guard answer.isReplaced else { return proceed(id, response: true) }
        let navigation = load?.navigation
        post("Fetch.getResponseBody", ["requestId": id]) { [weak self] result in
            guard let self else { return }
            if isMain, self.load?.navigation != navigation { return self.abort(id) }
            guard var whole = result.flatMap(answer.whole) else { return self.proceed(id, response: true) }
            whole["requestId"] = id
            self.post("Fetch.fulfillRequest", .object(whole)) { [weak self] result in
                // A field that HTTP does not know, as a server may send it: it is shown as Chromium shows it.
                if result == nil { self?.proceed(id, response: true) }
            }
        }
    }

    private func follow(_ id: JSON, to goal: URL, _ params: JSON, _ isMain: Bool) {
        guard isMain, var load else { return proceed(id, response: true) }
        load.redirections += 1
        self.load?.redirections = load.redirections
        if load.redirections == ChromiumLoad.mostRedirections {
            return end(id, .network("net::ERR_TOO_MANY_REDIRECTS"))
        }
        guard !["http", "https"].contains(goal.scheme?.lowercased()) else { return proceed(id, response: true) }
        // Chromium goes to no such place, and asks nobody.
        let next = WebPageNavigationAction(
            request: WebPageRequest(goal), navigationType: load.type, sourceFrame: load.isOfPage ? mainFrame : nil,
            targetFrame: mainFrame, isRedirect: true, hasUserGesture: load.type == .linkActivated)
        decide(id, next, load.navigation) { $0.end(id, .cannotShowURL) }
    }

    // MARK: Failures

    /// The load that is going on ends by that, and the document that is there stays.
    private func end(_ id: JSON, _ error: WebPageError) {
        load?.failure = error
        abort(id)
    }

    private func proceed(_ id: JSON, response: Bool = false) {
        post(response ? "Fetch.continueResponse" : "Fetch.continueRequest", ["requestId": id])
    }
}
