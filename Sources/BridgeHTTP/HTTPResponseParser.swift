/// A response up to its body.
package struct HTTPResponseHead: Sendable {
    package let status: Int
    package let version: HTTPVersion
    package let fields: HTTPFields
    package let body: HTTPBodyFraming
    /// Whether the connection can be used again after the body.
    package let keepsAlive: Bool

    init(
        statusLine line: ArraySlice<UInt8>, fields: HTTPFields, answering method: HTTPMethod
    ) throws(HTTPFailure) {
        // HTTP-version SP 3DIGIT SP [reason]; some servers leave the second space out with the reason.
        let parts = line.split(separator: .space, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[1].count == 3, parts[1].allSatisfy(\.isDigit),
            let status = Int(String(decoding: parts[1], as: UTF8.self)), status >= 100
        else { throw HTTPFailure(502, "malformed status line") }
        self.status = status
        version = try HTTPVersion(parsing: parts[0])
        self.fields = fields
        body = try HTTPBodyFraming(response: fields, status: status, version: version, answering: method)
        keepsAlive = body != .untilClose && HTTPConnection.persists(version: version, fields: fields)
    }
}

/// The client's reader of HTTP/1.1: bytes in, one event out a call, for one request after another.
///
/// Interim answers (1xx) are passed over, but for 101, after whose `.head` what is left of `input` is the other
/// protocol's. A failure is final.
package struct HTTPResponseParser {
    package enum Event {
        case needMore
        case head(HTTPResponseHead)
        /// A part of the body, in the caller's own buffer.
        case body(UnsafeRawBufferPointer)
        case end
        /// The status of the failure means nothing on this side.
        case failure(HTTPFailure)
    }

    private enum State {
        case head
        case body
        case failed(HTTPFailure)
    }

    private let limits: HTTPLimits
    private var state = State.head
    private var scanner: HTTPHeadScanner
    private var body: HTTPBodyReader
    /// How many interim answers were passed over.
    package private(set) var interimAnswers = 0
    /// The method of the request that is answered next: an answer to `HEAD` has no body.
    package var method: HTTPMethod

    package init(answering method: HTTPMethod, limits: HTTPLimits = HTTPLimits()) {
        self.method = method
        self.limits = limits
        scanner = HTTPHeadScanner(.response, limits: limits)
        body = HTTPBodyReader(.length(0), limits: limits)
    }

    /// Takes what makes the next event off the front of `input`.
    package mutating func next(_ input: inout UnsafeRawBufferPointer) -> Event {
        do throws(HTTPFailure) {
            return try step(&input)
        } catch {
            state = .failed(error)
            return .failure(error)
        }
    }

    /// The connection has ended: `.end` when that completes a body, `.needMore` when nothing was under way,
    /// else a failure.
    package mutating func finish() -> Event {
        switch state {
        case .failed(let failure):
            return .failure(failure)
        case .body where body.endsWithInput:
            state = .head
            return .end
        case .head where scanner.isIdle:
            return .needMore
        case .head, .body:
            let failure = HTTPFailure(502, "the connection ended in the middle of a response")
            state = .failed(failure)
            return .failure(failure)
        }
    }

    private mutating func step(_ input: inout UnsafeRawBufferPointer) throws(HTTPFailure) -> Event {
        while true {
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
                if case .startLine = progress { progress = try scanner.scan(&input) }
                guard case .complete = progress else { return .needMore }
                let head = try HTTPResponseHead(
                    statusLine: scanner.startLine, fields: scanner.fields, answering: method)
                scanner = HTTPHeadScanner(.response, limits: limits)
                if head.status / 100 == 1, head.status != 101 {
                    interimAnswers += 1
                    continue
                }
                body = HTTPBodyReader(head.body, limits: limits)
                state = .body
                return .head(head)
            }
        }
    }
}
