/// What a transport puts on the wire and reads from it: bytes and values, no I/O. Belongs to one session.
protocol ClientCodec: AnyObject {
    /// Whether answers come in the order of their requests, so that a request can only be taken back with the
    /// connection.
    var isOrdered: Bool { get }
    /// Whether all that was sent has been taken note of by the peer.
    var isIdle: Bool { get }
    /// Whether messages may be sent as soon as there is a connection.
    var opensAtOnce: Bool { get }
    /// What is sent first, before any message.
    func start(_ output: inout [UInt8])
    func send(_ message: [UInt8], _ output: inout [UInt8])
    /// - Parameter output: takes what is to be answered at once, such as pongs.
    func receive(_ input: UnsafeMutableRawBufferPointer, _ output: inout [UInt8]) -> [ClientEvent]
    /// The peer ended its side.
    func finish() -> [ClientEvent]
    /// Says goodbye, where the transport has a word for it.
    func close(_ output: inout [UInt8])
}

/// What a codec found.
enum ClientEvent: Sendable {
    /// Messages may be sent from now on.
    case opened
    case message([UInt8])
    /// The whole answer to the oldest message that was sent and not answered; empty when it says nothing. Only where
    /// answers are ordered.
    case answer([UInt8])
    /// The peer is done: why, for people.
    case closed(String)
    /// The other side is no bridge, or does not let this client in.
    case refused(String)
}

extension ClientCodec {
    var isOrdered: Bool { false }
    var isIdle: Bool { true }
    var opensAtOnce: Bool { true }
}
