import BridgeHTTP

/// What tells browsers who may read an answer: CORS (Fetch, section 3.2), private network access, CORP, sniffing.
enum CrossOrigin {
    /// - Parameter reader: the origin that may read the answer, `*` for any; nil for none.
    static func fields(reader: String?, for request: HTTPRequestHead, route: Route) -> HTTPFields {
        guard isShared(route) else { return HTTPFields() }
        var fields = HTTPFields()
        if reader != "*" { fields.append("Vary", "Origin") }
        guard let reader else { return fields }
        fields.append("Access-Control-Allow-Origin", reader)
        if request.method == .options {
            fields.append("Access-Control-Allow-Methods", route.methods.map(\.rawValue).joined(separator: ", "))
            fields.append("Access-Control-Allow-Headers", "content-type, authorization")
            fields.append("Access-Control-Max-Age", "600")
            // A page on the public web asks so before it may reach this machine.
            if request.fields["Access-Control-Request-Private-Network"] == "true" {
                fields.append("Access-Control-Allow-Private-Network", "true")
            }
        }
        return fields
    }

    /// A preflight carries no credentials, so none can be asked of it.
    static func isPreflight(_ request: HTTPRequestHead, route: Route) -> Bool {
        isShared(route) && request.method == .options
            && request.fields.count(of: "Access-Control-Request-Method") > 0
    }

    /// Goes with every answer, errors too.
    static func always(_ route: Route?) -> HTTPFields {
        var policy = "same-origin"
        if case .clientFile = route { policy = "cross-origin" }
        return ["X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": policy]
    }

    private static func isShared(_ route: Route) -> Bool {
        switch route {
        case .rpc, .health, .clientFile, .site(_, "rpc"): true
        case .webSocket, .echo, .site, .page, .server: false
        }
    }
}
