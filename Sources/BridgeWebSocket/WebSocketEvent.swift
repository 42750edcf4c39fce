/// What ``WebSocketMachine/next(_:)`` found. Pointers lead into the caller's own buffer or the machine's, and are valid
/// until the next call of the machine or the next use of that buffer.
package enum WebSocketEvent {
    case needMore
    /// A whole message, valid UTF-8.
    case text(UnsafeRawBufferPointer)
    /// A whole message.
    case binary(UnsafeRawBufferPointer)
    /// To be answered at once with ``WebSocketMachine/writePong(_:into:)`` of the same payload.
    case ping(UnsafeRawBufferPointer)
    case pong(UnsafeRawBufferPointer)
    /// The peer's close frame, the last event. It is answered with ``WebSocketMachine/writeClose(_:reason:into:)`` of
    /// the same code, which writes nothing when the close was ours first. Without a code, nil is answered to it.
    case close(WebSocketCloseCode?, reason: UnsafeRawBufferPointer)
    /// The peer broke the protocol; the last event. Close with that code and reason, then end the connection.
    case failure(WebSocketFailure)
}
