import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The address of a page, checked before a browser is asked, which would say less of what is wrong with it.
enum PageAddress {
    /// Why a text is no such address.
    struct Malformed: Error {
        let reason: String
    }

    static func url(parsing text: String) throws(Malformed) -> URL {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else {
            throw Malformed(reason: "it begins with http:// or https://")
        }
        let authority = parts[1].prefix { !"/?#\\".contains($0) }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        if place.hasPrefix("[") {
            guard let close = place.firstIndex(of: "]") else {
                throw Malformed(reason: "the ] after the IPv6 address is missing")
            }
            try checkIPv6(place[..<close].dropFirst())
            try checkPort(place[place.index(after: close)...])
        } else {
            let host = place.prefix { $0 != ":" }
            try checkHost(host)
            try checkPort(place[host.endIndex...])
        }
        guard let url = URL(string: text), url.host() != nil else { throw Malformed(reason: "it is no URL") }
        return url
    }

    private static func checkIPv6(_ text: Substring) throws(Malformed) {
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(text), &address) == 1 else {
            throw Malformed(reason: "'\(text)' is no IPv6 address")
        }
    }

    private static func checkHost(_ host: Substring) throws(Malformed) {
        guard !host.isEmpty else { throw Malformed(reason: "the host is missing") }
        let forbidden = host.unicodeScalars.first {
            $0.value <= 0x20 || $0.value == 0x7F || #"<>[]^|"#.unicodeScalars.contains($0)
        }
        if let forbidden {
            throw Malformed(reason: "the host '\(host)' has a '\(forbidden)' in it")
        }
        // What ends in a number is an IPv4 address, by the rules of the web.
        guard let last = host.split(separator: ".").last, last.allSatisfy({ $0.isASCII && $0.isNumber }) else { return }
        var address = in_addr()
        guard inet_aton(host.hasSuffix(".") ? String(host.dropLast()) : String(host), &address) == 1 else {
            throw Malformed(reason: "'\(host)' is no IPv4 address")
        }
    }

    /// - Parameter text: with its colon; empty where there is none.
    private static func checkPort(_ text: Substring) throws(Malformed) {
        guard let first = text.first else { return }
        guard first == ":" else {
            throw Malformed(reason: "after the host comes its port, or a path, and not '\(text)'")
        }
        let digits = text.dropFirst()
        guard !digits.isEmpty else { return }
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits), (1...65535).contains(port)
        else {
            throw Malformed(reason: "the port is a number from 1 to 65535, and not '\(digits)'")
        }
    }
}
