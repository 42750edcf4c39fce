internal import BridgeJSON

/// One line of the log.
package enum LogLine {
    /// `2026-05-01T12:04:11.240Z info session=3 message key=value`; one line whatever a page put into it.
    package static func text(
        time: String? = nil, level: BridgeLog.Level, message: String, fields: BridgeLog.Fields
    ) -> String {
        var parts = [time, "\(level)"].compactMap(\.self)
        parts += fields.filter { $0.key == "session" }.map { "session=\(value($0.value))" }
        parts.append(printable(message))
        parts += fields.filter { $0.key != "session" }.map { "\($0.key)=\(value($0.value))" }
        return parts.joined(separator: " ")
    }

    /// The same as one JSON object.
    package static func json(time: String, level: BridgeLog.Level, message: String, fields: BridgeLog.Fields) -> String
    {
        var object: JSONObject = ["time": JSON(time), "level": JSON("\(level)"), "message": JSON(message)]
        for field in fields { object[field.key] = JSON(field.value) }
        // Of control characters JSON escapes those of ASCII alone, and DEL not; all of these have four digits.
        return escaping(JSON.object(object).text) { digits in
            "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// The fields with what a page may make as long as it likes cut: names, and every value.
    package static func shortened(_ fields: BridgeLog.Fields) -> BridgeLog.Fields {
        fields.map { ($0.key, cut($0.value, $0.key == "event" || $0.key == "handler" ? longestName : 1_000)) }
    }

    /// How much of a name that a page chose is shown.
    package static let longestName = 100

    /// At most so many Unicode scalars of `text`, with a sign where there were more. Not characters: one of those can be
    /// as long as a message.
    package static func cut(_ text: String, _ longest: Int) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    private static func value(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "=" }
        return isPlain ? printable(text) : printable(JSON(text).text)
    }

    /// `text` without control characters: what a page sends must not move the cursor or fake a line.
    package static func printable(_ text: String) -> String {
        escaping(text) { digits in "\\u{\(digits)}" }
    }

    private static func escaping(_ text: String, _ escape: (_ digits: String) -> String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                result += escape(String(scalar.value, radix: 16))
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        default: false
        }
    }
}
