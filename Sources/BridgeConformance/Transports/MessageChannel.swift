package import BridgeJSON

/// What the runner of messages needs of a transport: texts there and back.
package protocol MessageChannel: AnyObject {
    /// - Parameter chop: how many bytes are written at a time, where bytes are the transport's own.
    func send(_ text: [UInt8], chop: Int?) async throws(StepFailure)
    func next(_ wait: inout Wait) async -> ChannelEvent
    func hangUp(_ how: Step.HangUp) async throws(StepFailure)
    /// Ends it, whatever happened.
    func close() async
}

package enum ChannelEvent: Sendable {
    case message([UInt8])
    /// The target ended it. Said again whenever it is asked for.
    case closed(Closing)
    /// The answer was a status that says no: HTTP.
    case refused(status: Int)
    /// Nothing arrived, and nothing will without anything being sent: HTTP.
    case nothing
    case timedOut

    package struct Closing: Sendable {
        /// Of a WebSocket's close frame; `null` when that has none, nil when there was no frame.
        package var code: JSON?
        /// For people.
        package var reason: String

        package init(code: JSON? = nil, reason: String) {
            self.code = code
            self.reason = reason
        }
    }
}
