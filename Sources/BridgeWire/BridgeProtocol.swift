/// What this release is and speaks.
package enum BridgeProtocol {
    /// The version of the wire contract, in `$/hello` and in the subprotocol's name.
    package static let version = 1
    /// The server's name in the answer to `$/hello`.
    package static let name = "bridgehead"
    /// The server's version.
    package static let release = "0.1.0"
}
