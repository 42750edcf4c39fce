import BridgeHTTP

/// The path of a request for a page, checked: names that lead down from the root and nowhere else.
struct PagePath: Sendable, Hashable {
    let names: [String]
    /// Whether it ended with `/`, and so means a folder.
    let isFolder: Bool

    /// nil for a path that no page has: an escape that is malformed, or that hides a separator or NUL; a name that
    /// begins with `.`, which `..` does too; an empty name.
    init?(_ path: String) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts.removeFirst().isEmpty else { return nil }
        isFolder = parts.last?.isEmpty == true
        if isFolder { parts.removeLast() }
        var names: [String] = []
        for part in parts {
            guard let name = HTTPTarget.percentDecoded(part), PagePath.isName(name) else { return nil }
            names.append(name)
        }
        self.names = names
    }

    static func isName(_ name: some StringProtocol) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains { $0 == 0x2F || $0 == 0x5C || $0 == 0 }
    }
}
