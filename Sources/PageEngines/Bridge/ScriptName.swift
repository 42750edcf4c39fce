/// What an argument can be called: a name of JavaScript's, and none of its own words.
package enum ScriptName {
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
