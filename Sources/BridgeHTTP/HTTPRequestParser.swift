/// The server's reader of HTTP/1.1: bytes in, one event out a call.
///
/// Call ``next(_:)`` until it says `.needMore`. After `.head` the caller may set ``limitBody(to:)``, may stop for good
/// (an upgrade: what is left of `input` is the other protocol's) or go on for the body. After `.end` the next call
/// begins the next request, so a caller that answers in order simply stops calling until it has answered. A failure
/// is final: every further call gives it again.
package struct HTTPRequestParser {
    package enum Event {
        case needMore
        case head(HTTPRequestHead)
        /// A part of the body, in the caller's own buffer.
        case body(UnsafeRawBufferPointer)
        /// The request is complete.
        case end
        case failure(HTTPFailure)
    }

    package enum Stage: Sendable { case idle, head, body, failed }

    private enum State {
        case head
        case body
        case failed(HTTPFailure)
    }

    private let limits: HTTPLimits
    private var state = State.head
    private var scanner: HTTPHeadScanner
    private var line: HTTPRequestLine?
    private var body: HTTPBodyReader

    package init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        scanner = HTTPHeadScanner(.request, limits: limits)
        body = HTTPBodyReader(.length(0), limits: limits)
    }

    /// What the parser is waiting for: `idle` before the first byte of a request. For the caller's deadlines, and
    /// to tell a clean end of input from a cut request.
    package var stage: Stage {
        switch state {
        case .head: scanner.isIdle ? .idle : .head
        case .body: .body
        case .failed: .failed
        }
    }

    /// Sets how large the body of this request may be, in bytes; call it between `.head` and the next ``next(_:)``,
    /// which fails with 413 at once when a `Content-Length` is over it. So a caller that got `.needMore` after the
    /// head knows that a `100 Continue` is in place.
    package mutating func limitBody(to limit: Int) { body.limit = limit }

    /// Takes what makes the next event off the front of `input`.
    package mutating func next(_ input: inout UnsafeRawBufferPointer) -> Event {
        do throws(HTTPFailure) {
            return try step(&input)
        } catch {
            state = .failed(error)
            return .failure(error)
        }
    }

    private mutating func step(_ input: inout UnsafeRawBufferPointer) throws(HTTPFailure) -> Event {
        switch state {
        case .failed(let failure):
            throw failure
        case .body:
            switch try body.next(&input) {
            case .needMore: return .needMore
            case .body(let part): return .body(part)
            case .end:
                state = .head
                return .end
            }
        case .head:
            var progress = try scanner.scan(&input)
            if case .startLine = progress {
                line = try HTTPRequestLine(parsing: scanner.startLine)
                progress = try scanner.scan(&input)
            }
            guard case .complete = progress, let line else { return .needMore }
            let head = try HTTPRequestHead(
                method: line.method, target: line.target, version: line.version, fields: scanner.fields)
            body = HTTPBodyReader(head.body, limits: limits)
            scanner = HTTPHeadScanner(.request, limits: limits)
            self.line = nil
            state = .body
            return .head(head)
        }
    }
}

/// `method SP request-target SP HTTP-version` (RFC 9112, section 3).
struct HTTPRequestLine {
    let method: HTTPMethod
    let target: HTTPTarget
    let version: HTTPVersion

    init(parsing bytes: ArraySlice<UInt8>) throws(HTTPFailure) {
        let parts = bytes.split(separator: .space, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isToken else { throw HTTPFailure(400, "malformed request line") }
        version = try HTTPVersion(parsing: parts[2])
        method = HTTPMethod(rawValue: String(decoding: parts[0], as: UTF8.self))
        target = try HTTPTarget(parsing: parts[1], method: method)
    }
}
