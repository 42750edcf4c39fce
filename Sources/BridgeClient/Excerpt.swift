/// The beginning of what came, on one line, for people.
func excerpt(of bytes: [UInt8]) -> String {
    let longest = 200
    let text = String(decoding: bytes.prefix(longest), as: UTF8.self)
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return bytes.count > longest ? line + "…" : line
}
