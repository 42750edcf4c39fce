import BridgeHTTP

/// The secret that a server beyond loopback asks for. It is compared in constant time, and nothing prints it.
struct AccessToken: Sendable {
    private let secret: [UInt8]

    init(_ secret: String) { self.secret = Array(secret.utf8) }

    func matches(_ candidate: String) -> Bool { matches(Array(candidate.utf8)) }

    /// Takes as long for a near miss as for any other text of that length.
    private func matches(_ candidate: [UInt8]) -> Bool {
        var difference = candidate.count ^ secret.count
        for index in secret.indices {
            difference |= Int(secret[index] ^ (index < candidate.count ? candidate[index] : 0))
        }
        return difference == 0 && !secret.isEmpty
    }

    /// Cookies do not tell ports apart, so two servers on one host need two names.
    private static func cookieName(port: UInt16) -> String { "bridgehead-\(port)" }

    /// The cookie that stands for the token on a page's later requests: never sent from another site, nor readable by
    /// scripts. The token is percent-encoded where a cookie could not hold it.
    func cookie(port: UInt16) -> String {
        "\(Self.cookieName(port: port))=\(Self.percentEncoded(secret)); Path=/; HttpOnly; SameSite=Strict"
    }

    /// Whether the request carries the token where any request may: as a bearer token or in the cookie.
    func isCarried(by fields: HTTPFields, port: UInt16) -> Bool {
        for value in fields.bytes("Authorization") {
            let parts = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
            if parts.count == 2, parts[0].equalsIgnoringCase("bearer".utf8), matches(Array(parts[1])) { return true }
        }
        let prefix = Self.cookieName(port: port) + "="
        for pair in fields.values("Cookie").flatMap({ $0.split(separator: ";") }) {
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix(prefix), let value = HTTPTarget.percentDecoded(pair.dropFirst(prefix.count)) else {
                continue
            }
            if matches(value) { return true }
        }
        return false
    }

    /// The target without its `token` items, as a path on this server whatever was sent.
    static func targetWithoutToken(_ target: HTTPTarget) -> String {
        // Two slashes at the start would make the rest of it another host's name.
        var location = "/" + target.path.drop { $0 == "/" || $0 == "\\" }
        let items = (target.query ?? "").split(separator: "&").filter { !isToken($0) }
        if !items.isEmpty { location += "?" + items.joined(separator: "&") }
        return location
    }

    private static func isToken(_ item: Substring) -> Bool {
        HTTPTarget.percentDecoded(item.prefix { $0 != "=" }) == "token"
    }

    private static func percentEncoded(_ bytes: [UInt8]) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }
}
