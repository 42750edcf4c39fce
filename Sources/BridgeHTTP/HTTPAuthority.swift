/// A host with an optional port, as in `Host` and in targets (RFC 3986, section 3.2, without user information).
package struct HTTPAuthority: Sendable, Hashable {
    /// In small letters. An IPv6 address keeps its brackets. Empty for an empty `Host`.
    package let host: String
    package let port: UInt16?

    /// nil when the text is no authority: user information, a bad port, a bad character.
    package init?(parsing text: some StringProtocol) {
        let bytes = Array(text.utf8)
        let hostEnd: Int
        if bytes.first == 0x5B {
            guard let close = bytes.firstIndex(of: 0x5D), Self.isAddress(bytes[1..<close]) else { return nil }
            hostEnd = close + 1
        } else {
            hostEnd = bytes.firstIndex(of: .colon) ?? bytes.count
            guard Self.isName(bytes[..<hostEnd]) else { return nil }
        }
        var port: UInt16?
        if hostEnd < bytes.count {
            let digits = bytes[(hostEnd + 1)...]
            guard bytes[hostEnd] == .colon, digits.allSatisfy(\.isDigit) else { return nil }
            // RFC 3986 lets the digits be missing.
            if !digits.isEmpty {
                guard let number = UInt16(String(decoding: digits, as: UTF8.self)) else { return nil }
                port = number
            }
        }
        self.host = String(decoding: bytes[..<hostEnd].map(\.asciiLowercased), as: UTF8.self)
        self.port = port
    }

    /// The characters of an IPv6 literal; whether it is an address is for whoever compares it.
    private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0.hexadecimalValue != nil || $0 == .colon || $0 == 0x2E }
    }

    /// `reg-name` without percent escapes, which no host name has.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case 0x2D, 0x2E, 0x5F, 0x7E, 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D: true
            default: false
            }
        }
    }
}

extension HTTPAuthority: CustomStringConvertible {
    package var description: String { port.map { "\(host):\($0)" } ?? host }
}
