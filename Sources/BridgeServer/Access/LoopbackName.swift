import BridgeHTTP

/// Names that only ever mean this machine, whatever a name server says.
package enum LoopbackName {
    /// - Parameter host: in small letters, an IPv6 address in brackets, as ``HTTPAuthority/host`` gives it.
    package static func contains(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || isIPv4Loopback(host)
    }

    /// 127.0.0.0/8, in the one spelling that browsers send.
    private static func isIPv4Loopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "127" else { return false }
        return parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
    }
}
