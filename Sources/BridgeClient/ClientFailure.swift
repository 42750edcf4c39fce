/// Why there is no conversation, or no longer one. Reasons are for people.
package enum ClientFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nobody listens there.
    case cannotConnect(String)
    /// Somebody does, but it is no bridge or does not let this client in.
    case refused(String)
    /// The connection ended before the answer came.
    case connectionLost(String)

    package var description: String {
        switch self {
        case .cannotConnect(let reason): "cannot connect: \(reason)"
        case .refused(let reason): "refused: \(reason)"
        case .connectionLost(let reason): "the connection was lost: \(reason)"
        }
    }
}
