/// A fault in what the peer sent, with the status it deserves. The connection closes after the answer.
package struct HTTPFailure: Error, Hashable, Sendable {
    package let status: Int
    /// For people; says what was wrong, never what was sent.
    package let reason: String

    package init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}

/// Limits on what is read, all inclusive: what is exactly as large passes.
package struct HTTPLimits: Sendable {
    /// Bytes of the start line without its CRLF; over it: 414.
    package var requestLine: Int
    /// Bytes of all field lines, each with its CRLF, without the empty line that ends them; over it: 431.
    package var fieldBlock: Int
    /// Number of fields; over it: 431.
    package var fields: Int
    /// Bytes of a body, unless the caller sets another for the request; over it: 413.
    package var body: Int

    package init(
        requestLine: Int = 8 << 10, fieldBlock: Int = 32 << 10, fields: Int = 100, body: Int = 16 << 20
    ) {
        self.requestLine = requestLine
        self.fieldBlock = fieldBlock
        self.fields = fields
        self.body = body
    }
}
