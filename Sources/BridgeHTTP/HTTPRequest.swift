/// A request to be sent, whole. `Host` and `Content-Length` are added where it is written.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    /// In origin form.
    package var target: String
    package var authority: String
    package var fields: HTTPFields
    /// nil: a request without a body, and so without `Content-Length`.
    package var body: [UInt8]?

    package init(
        _ method: HTTPMethod, _ target: String, authority: String, fields: HTTPFields = HTTPFields(),
        body: [UInt8]? = nil
    ) {
        self.method = method
        self.target = target
        self.authority = authority
        self.fields = fields
        self.body = body
    }

    /// Writes the request as HTTP/1.1.
    /// - Throws: ``HTTPFailure`` with 400, and nothing is written, when method, target or authority would not be
    ///   read as such by the peer.
    package func append(to output: inout [UInt8]) throws(HTTPFailure) {
        guard method.rawValue.utf8.isToken else { throw HTTPFailure(400, "malformed method") }
        guard HTTPAuthority(parsing: authority) != nil else { throw HTTPFailure(400, "malformed Host") }
        _ = try HTTPTarget(parsing: target.utf8, method: method)
        output.append(contentsOf: "\(method.rawValue) \(target) HTTP/1.1\r\nHost: \(authority)\r\n".utf8)
        fields.append(to: &output)
        if let body { output.append(contentsOf: "Content-Length: \(body.count)\r\n".utf8) }
        output.append(.carriageReturn)
        output.append(.lineFeed)
        if let body { output.append(contentsOf: body) }
    }
}
