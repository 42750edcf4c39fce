import BridgeHTTP

/// Short answers for people, for what is not served.
enum PlainAnswers {
    static func text(_ status: Int, _ reason: String, _ fields: HTTPFields = HTTPFields()) -> HTTPResponse {
        var fields = fields
        fields.append("Content-Type", "text/plain; charset=utf-8")
        return HTTPResponse(status, fields, body: Array((reason + "\n").utf8))
    }

    static func failure(_ failure: HTTPFailure) -> HTTPResponse { text(failure.status, failure.reason) }

    static func methodNotAllowed(_ route: Route) -> HTTPResponse {
        let methods = route.methods.map(\.rawValue).joined(separator: ", ")
        return text(405, "this takes \(methods)", ["Allow": methods])
    }

    /// `OPTIONS`, and preflights: their fields are added with those of every answer to another origin.
    static func options(_ route: Route) -> HTTPResponse {
        HTTPResponse(204, ["Allow": route.methods.map(\.rawValue).joined(separator: ", ")])
    }

    static let notFound = text(
        404,
        """
        There is nothing here. The index is at /; the bridge is at /_bridge/ws (WebSocket) and /_bridge/rpc (POST), \
        its client at /_bridge/client.js and /_bridge/client.mjs, its state at /_bridge/health.
        """)

    static let tooManyConnections = text(503, "too many connections; --limit connections=N allows more")
    static let draining = text(503, "the server is stopping")
    static let wrongContentType = text(
        415,
        "the body is JSON: send it with Content-Type: application/json, application/json-rpc or application/jsonrequest"
    )
    static let cutRequest = HTTPFailure(400, "the input ended before the request did")
    static let slowHead = HTTPFailure(408, "the head of the request took too long")
    static let slowBody = HTTPFailure(408, "the body of the request took too long")
}
