import BridgeHTTP

/// A strong validator (RFC 9110, section 8.8.3).
struct EntityTag: Sendable, Hashable {
    /// With its quotes.
    let text: String

    /// Of contents that are at hand (FNV-1a, 64 bits).
    init(contents: [UInt8]) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in contents {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        text = "\"\(String(hash, radix: 16))\""
    }

    /// Of a file, by what changes whenever its contents do.
    init(inode: UInt64, size: Int64, seconds: Int, nanoseconds: Int) {
        let parts = [inode, UInt64(bitPattern: size), UInt64(bitPattern: Int64(seconds)), UInt64(nanoseconds)]
        text = "\"\(parts.map { String($0, radix: 16) }.joined(separator: "-"))\""
    }

    /// Whether the client has it already (RFC 9110, section 13.1.2: compared weakly).
    func isKnown(to fields: HTTPFields) -> Bool {
        fields.elements("If-None-Match").contains { candidate in
            candidate == "*" || candidate == text || candidate.hasPrefix("W/") && candidate.dropFirst(2) == text
        }
    }
}
