/// Why a WebSocket is closed (RFC 6455, section 7.4).
package struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let normal = WebSocketCloseCode(rawValue: 1000)
    package static let goingAway = WebSocketCloseCode(rawValue: 1001)
    package static let protocolError = WebSocketCloseCode(rawValue: 1002)
    package static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    package static let invalidData = WebSocketCloseCode(rawValue: 1007)
    package static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    package static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    package static let internalError = WebSocketCloseCode(rawValue: 1011)
    package static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)

    /// Whether a close frame may carry it: what RFC 6455 and its registry name, and 3000 to 4999. 1005, 1006 and 1015
    /// are for local use alone.
    package var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// A fault in what the peer sent, with the code to close with.
package struct WebSocketFailure: Error, Hashable, Sendable {
    package let code: WebSocketCloseCode
    /// For the close frame and for people; at most 123 bytes.
    package let reason: String

    init(_ code: WebSocketCloseCode, _ reason: StaticString) {
        self.code = code
        self.reason = reason.description
    }
}
