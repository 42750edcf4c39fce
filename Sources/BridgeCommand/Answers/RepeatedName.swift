import BridgeJSON

/// The first name in a text that the object around it has already. Of the two an object has only the last.
struct RepeatedName {
    let name: JSONString
    let line: Int
    let column: Int

    /// nil where every name is there once.
    /// - Parameter text: JSON with comments, which has been parsed without an error.
    init?(in text: [UInt8]) {
        var objects: [Set<JSONString>] = []
        /// The last one, which a colon makes a name.
        var string = 0..<0
        var offset = 0
        while offset < text.count {
            let start = offset
            offset += 1
            switch text[start] {
            case UInt8(ascii: "{"):
                objects.append([])
            case UInt8(ascii: "}"):
                _ = objects.popLast()
            case UInt8(ascii: "/"):
                let end = text[offset...].first == UInt8(ascii: "*") ? "*/" : "\n"
                offset = text[offset...].dropFirst().firstRange(of: Array(end.utf8))?.upperBound ?? text.count
            case UInt8(ascii: "\""):
                while offset < text.count, text[offset] != UInt8(ascii: "\"") {
                    offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
                }
                offset = min(offset + 1, text.count)
                string = start..<offset
            case UInt8(ascii: ":"):
                guard case .string(let name)? = try? JSON(parsing: Array(text[string])), !objects.isEmpty,
                    !objects[objects.count - 1].insert(name).inserted
                else { continue }
                let before = text[..<string.lowerBound]
                let lines = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                self.name = name
                line = max(lines.count, 1)
                // In Unicode scalars, as the parser's own: continuation bytes do not begin one.
                column = (lines.last?.count { $0 & 0xC0 != 0x80 } ?? 0) + 1
                return
            default:
                break
            }
        }
        return nil
    }
}
