import Foundation

/// `EmbedFixtures ROOT OUTPUT FILE…` writes one Swift file that holds each FILE, under its path below
/// ROOT, as a `StaticString`: text as it is, anything else as base64. A literal costs the compiler and
/// the start of the program next to nothing, which an array of bytes does not.
@main
struct EmbedFixtures {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            FileHandle.standardError.write(Data("usage: EmbedFixtures ROOT OUTPUT FILE...\n".utf8))
            exit(64)
        }
        let root = arguments[1].hasSuffix("/") ? arguments[1] : arguments[1] + "/"
        var cases = ""
        var paths: [String] = []
        for file in arguments.dropFirst(3) {
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory), !isDirectory.boolValue
            else { continue }
            let path = String(file.dropFirst(root.count))
            let data = try Data(contentsOf: URL(filePath: file))
            paths.append(path)
            cases += "        case \(quoted(path)): \(literal(data))\n"
        }
        let source = """
            extension WebFixtures {
                /// Every embedded path, sorted.
                package static let paths: [String] = [\(paths.map(quoted).joined(separator: ", "))]

                static func embedded(_ path: String) -> Embedded? {
                    switch path {
            \(cases)        default: nil
                    }
                }
            }

            """
        try Data(source.utf8).write(to: URL(filePath: arguments[2]))
    }

    static func literal(_ data: Data) -> String {
        // U+0000 is the one scalar that a literal's reader might take for an end.
        if let text = String(validating: data, as: UTF8.self), !text.unicodeScalars.contains("\0") {
            return ".text(\(quoted(text)))"
        }
        return ".base64(\(quoted(data.base64EncodedString())))"
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0xFEFF:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
