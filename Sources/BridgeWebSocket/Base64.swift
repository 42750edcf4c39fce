/// Base64 with padding (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32((3 - group.count) * 8)
            for index in 0..<4 {
                let digit = alphabet[Int(bits >> UInt32(18 - index * 6)) & 63]
                text.append(index <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// How many bytes the text stands for; nil when it is no base64. Bits that padding leaves over are not looked at.
    static func decodedCount(_ text: some Collection<UInt8>) -> Int? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let padding = text.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
        guard text.dropLast(padding).allSatisfy({ alphabet.contains($0) }) else { return nil }
        return text.count / 4 * 3 - padding
    }
}
