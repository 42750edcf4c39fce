import BridgeHTTP
import BridgeSockets

/// What users write for origins and hosts that may talk to the server, in the form in which browsers send them.
package enum AllowedNames {
    /// The serialisation of an origin (RFC 6454, section 6.2): scheme and host in small letters, no default port. A slash
    /// at the end, as an address bar shows it, is let go. nil for what no browser sends.
    package static func origin(_ text: String) -> String? {
        if text == "null" { return text }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, isScheme(parts[0]) else { return nil }
        let scheme = parts[0].lowercased()
        guard let authority = HTTPAuthority(parsing: parts[1].hasSuffix("/") ? parts[1].dropLast() : parts[1]),
            isHost(authority.host) || authority.host.isEmpty && authority.port == nil && defaultPorts[scheme] == nil
        else { return nil }
        let port = authority.port.flatMap { $0 == defaultPorts[scheme] ? nil : ":\($0)" } ?? ""
        return "\(scheme)://\(authority.host)\(port)"
    }

    /// A host's name or address in small letters, an IPv6 address in brackets. nil for what is more than that, or less.
    package static func host(_ text: String) -> String? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let literal = isBracketed ? String(text.dropFirst().dropLast()) : text
        if let address = SocketAddress(literal: literal, port: 0), case .ipv6 = address { return address.hostInURL }
        guard let authority = HTTPAuthority(parsing: text), authority.host == text.lowercased(),
            isHost(authority.host)
        else { return nil }
        return authority.host
    }

    private static let defaultPorts: [String: UInt16] = ["http": 80, "https": 443]

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, text.utf8.count < 64 else { return false }
        return isLetter(first)
            && text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }
    }

    /// Whether a page can come from there: no wildcard, nor any of the signs that are allowed in names but never used.
    private static func isHost(_ host: String) -> Bool {
        guard let first = host.utf8.first else { return false }
        if first == 0x5B { return true }
        return first != 0x2E
            && host.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
