package import BridgeHTTP

/// Who may talk to the server: decided from a request's head alone, before any of its body is read.
///
/// Pages of any site can send requests to a loopback port, and a name server can make any name mean 127.0.0.1. So the
/// host must be one that is meant for this server, and the page's origin one that was allowed.
package struct AccessPolicy: Sendable {
    private let hosts: Set<String>
    private let origins: Set<String>
    private let token: AccessToken?

    /// - Parameters:
    ///   - hosts: names beside the loopback ones, without a port.
    ///   - origins: `null` and custom schemes too. `*` is not one.
    ///   - token: asked for when not nil.
    package init(hosts: [String] = [], origins: [String] = [], token: String? = nil) {
        self.hosts = Set(hosts.compactMap(AllowedNames.host))
        self.origins = Set(origins.compactMap(AllowedNames.origin))
        self.token = token.map(AccessToken.init)
    }

    package enum Verdict: Sendable {
        case allowed
        case refused(status: Int, reason: String, fields: HTTPFields)
        /// A page's load that brought the token: set the cookie and go to the address without it.
        case signIn(location: String, cookie: String)
    }

    package struct Decision: Sendable {
        package let verdict: Verdict
        /// Fields for the answer, whatever it is: what lets the page read it.
        package let crossOrigin: HTTPFields
        /// The origin that was refused; nil when it was not for the origin's sake.
        package let refusedOrigin: String?
        /// Whether a page of the request's origin may call.
        package let originIsAllowed: Bool
    }

    /// - Parameters:
    ///   - localHost: the connection's own address as a host, an IPv6 address in brackets.
    ///   - port: the port it is connected to.
    package func decide(_ request: HTTPRequestHead, route: Route, localHost: String, port: UInt16) -> Decision {
        let values = request.fields.values("Origin")
        let origin = values.first
        let isAllowed = values.isEmpty || values.count == 1 && allows(origin: values[0], of: request)
        let isPublic = isPublicSource(route)
        let mayBeRead = isAllowed || values.count == 1 && (route == .health || isPublic)
        let reader = !mayBeRead ? nil : isPublic ? "*" : origin
        let crossOrigin = CrossOrigin.fields(reader: reader, for: request, route: route)

        func decision(_ verdict: Verdict, refusedOrigin: String? = nil) -> Decision {
            Decision(
                verdict: verdict, crossOrigin: crossOrigin, refusedOrigin: refusedOrigin, originIsAllowed: isAllowed)
        }
        let host = request.authority.host
        guard LoopbackName.contains(host) || host == localHost || hosts.contains(host) else {
            // Nothing for the page to read: it was led here by a name that is not ours.
            return Decision(
                verdict: .refused(status: 403, reason: Self.refusal(ofHost: host), fields: HTTPFields()),
                crossOrigin: HTTPFields(), refusedOrigin: nil, originIsAllowed: false)
        }
        guard mayBeRead else {
            return decision(
                .refused(status: 403, reason: Self.refusal(ofOrigins: values), fields: HTTPFields()),
                refusedOrigin: values.count == 1 ? origin : nil)
        }
        guard !isCrossSite(request, route: route, originIsNamed: origin != nil) else {
            return decision(
                .refused(status: 403, reason: "a page of another site may not do this", fields: HTTPFields()))
        }
        return decision(admission(request, route: route, port: port))
    }

    /// The client's own source is no secret, and tells a page that is not let in what would let it in. Where a token is
    /// asked for, a page of such an origin has none.
    private func isPublicSource(_ route: Route) -> Bool {
        guard case .clientFile = route else { return false }
        return token == nil
    }

    private static func refusal(ofHost host: String) -> String {
        guard !host.isEmpty else { return "the request names no host" }
        let cure = AllowedNames.host(host) == host ? "; --allow-host \(host) would allow it" : ""
        return "host \(host) is not served here\(cure)"
    }

    private static func refusal(ofOrigins origins: [String]) -> String {
        guard origins.count == 1 else { return "a request has one Origin, not \(origins.count)" }
        guard !origins[0].isEmpty else { return "the Origin is empty" }
        let cure = cure(forOrigin: origins[0]).map { "; \($0) would allow it" } ?? ""
        return "origin \(origins[0]) is not allowed\(cure)"
    }

    /// The option that would let the origin in; nil when none does.
    static func cure(forOrigin origin: String) -> String? {
        AllowedNames.origin(origin) == origin ? "--allow-origin \(origin)" : nil
    }

    private func allows(origin: String, of request: HTTPRequestHead) -> Bool {
        if origins.contains(origin) { return true }
        let parts = origin.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "http" || parts[0] == "https",
            let authority = HTTPAuthority(parsing: parts[1]), !authority.host.isEmpty
        else { return false }
        if LoopbackName.contains(authority.host) { return true }
        // The server's own, by a host that has passed: it speaks http alone.
        return parts[0] == "http" && authority.host == request.authority.host
            && (authority.port ?? 80) == (request.authority.port ?? 80)
    }

    /// Fetch metadata (W3C Fetch Metadata Request Headers): what a page of another site asks for without saying who it
    /// is, such as an image or a frame.
    private func isCrossSite(_ request: HTTPRequestHead, route: Route, originIsNamed: Bool) -> Bool {
        guard request.fields["Sec-Fetch-Site"] == "cross-site", !originIsNamed else { return false }
        switch route {
        case .health, .clientFile: return false
        case .webSocket, .rpc, .echo, .site, .page, .server:
            let isNavigation = request.fields["Sec-Fetch-Mode"] == "navigate"
            let isSafe = request.method == .get || request.method == .head
            return !(isNavigation && isSafe && request.fields["Sec-Fetch-Dest"] == "document")
        }
    }

    private func admission(_ request: HTTPRequestHead, route: Route, port: UInt16) -> Verdict {
        guard let token, !CrossOrigin.isPreflight(request, route: route) else { return .allowed }
        if token.isCarried(by: request.fields, port: port) { return .allowed }
        // A module's imports lose its query, and the client's source is no secret.
        if case .clientFile(let name) = route, !["client.js", "client.mjs"].contains(name) { return .allowed }
        if let candidate = request.target.queryValue("token"), token.matches(candidate) {
            switch route {
            case .webSocket, .clientFile, .site(_, "ws"): return .allowed
            case .page where isPageLoad(request), .site where isPageLoad(request):
                return .signIn(
                    location: AccessToken.targetWithoutToken(request.target), cookie: token.cookie(port: port))
            case .rpc, .health, .echo, .site, .page, .server: break
            }
        }
        return .refused(
            status: 401, reason: "this server asks for the token that it printed when it started",
            fields: ["WWW-Authenticate": "Bearer realm=\"bridgehead\""])
    }

    private func isPageLoad(_ request: HTTPRequestHead) -> Bool {
        request.method == .get && ["document", nil].contains(request.fields["Sec-Fetch-Dest"])
    }
}
