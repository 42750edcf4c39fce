internal import BridgeJSON
package import PageModel

/// What an argument can be called: a name of JavaScript's, and none of its own words.
package enum ScriptName {
    /// The arguments of a call in the order of their names.
    ///
    /// - Throws: for a name that none can have.
    package static func ordered(
        _ arguments: [String: JavaScriptValue]
    ) throws -> [(name: String, value: JavaScriptValue)] {
        let sorted = arguments.sorted { $0.key < $1.key }
        if let (name, _) = sorted.first(where: { !isName($0.key) }) {
            throw WebPageError.javaScriptException(
                .init(message: "SyntaxError: \(JSON(name).text) is no name that an argument can have"))
        }
        return sorted.map { (name: $0.key, value: $0.value) }
    }

    package static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, !reserved.contains(text) else { return false }
        guard first == "$" || first == "_" || first.properties.isIDStart else { return false }
        return text.unicodeScalars.dropFirst().allSatisfy { scalar in
            scalar == "$" || scalar == "\u{200C}" || scalar == "\u{200D}" || scalar.properties.isIDContinue
        }
    }

    /// In an asynchronous function.
    private static let reserved: Set<String> = [
        "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else",
        "enum", "export", "extends", "false", "finally", "for", "function", "if", "import", "in", "instanceof", "new",
        "null", "return", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while", "with",
    ]
}
