/// An answer, whole. `Content-Length` and `Connection` are added where it is written.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(_ status: Int, _ fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Writes the answer as HTTP/1.1.
    /// - Parameters:
    ///   - request: what it answers; nil when no head could be read. A `HEAD` gets all but the body.
    ///   - keepAlive: whether the connection goes on; it never does when the request did not ask for it.
    /// - Returns: whether the connection goes on.
    @discardableResult
    package func append(to output: inout [UInt8], answering request: HTTPRequestHead?, keepAlive: Bool) -> Bool {
        let isInformational = status < 200
        let persists = keepAlive && (request?.keepsAlive ?? false)
        Self.appendStatusLine(status, to: &output)
        fields.append(to: &output)
        if !isInformational {
            // RFC 9110, section 8.6: not with 204; with 304 it would speak of another body.
            if status != 204, status != 304, fields.count(of: "Content-Length") == 0 {
                output.append(contentsOf: "Content-Length: \(body.count)\r\n".utf8)
            }
            if !persists {
                output.append(contentsOf: "Connection: close\r\n".utf8)
            } else if request?.version == .http10 {
                output.append(contentsOf: "Connection: keep-alive\r\n".utf8)
            }
        }
        output.append(.carriageReturn)
        output.append(.lineFeed)
        if !isInformational, status != 204, status != 304, request?.method != .head {
            output.append(contentsOf: body)
        }
        return persists
    }

    /// `100 Continue`: a bare status line and the empty line (RFC 9110, section 15.2.1).
    package static func appendContinue(to output: inout [UInt8]) {
        appendStatusLine(100, to: &output)
        output.append(.carriageReturn)
        output.append(.lineFeed)
    }

    private static func appendStatusLine(_ status: Int, to output: inout [UInt8]) {
        output.append(contentsOf: "HTTP/1.1 \(status) \(HTTPStatus.reason(status))\r\n".utf8)
    }
}

package enum HTTPStatus {
    /// The reason phrase of RFC 9110, section 15; empty for a status that is not used here.
    package static func reason(_ status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 101: "Switching Protocols"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }
}
