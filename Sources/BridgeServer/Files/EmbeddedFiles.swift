import WebFixtures

/// The client and the demo pages that are built into the program.
enum EmbeddedFiles {
    /// Of what is served, which is not all that is embedded. Computed at the first use of any.
    private static let tags: [String: EntityTag] = Dictionary(
        uniqueKeysWithValues: WebFixtures.paths.filter { $0.hasPrefix("client/") || $0.hasPrefix("pages/") }.map {
            path in
            (path, EntityTag(contents: WebFixtures.contents(path) ?? []))
        })

    /// - Parameter name: below `/_bridge/`.
    static func client(_ name: String) -> ServedFile? { file("client/" + name) }

    /// The index is at the top, the others are below `pages/`.
    static func page(_ path: PagePath) -> FoundPage {
        let isIndex = path.names.isEmpty || path.names == ["index.html"] && !path.isFolder
        let name = isIndex ? "pages/index.html" : path.names.joined(separator: "/")
        guard name.hasPrefix("pages/"), isIndex || !path.isFolder, let file = file(name) else { return .missing }
        return .file(file)
    }

    private static func file(_ path: String) -> ServedFile? {
        guard let tag = tags[path], let bytes = WebFixtures.contents(path) else { return nil }
        return ServedFile(
            name: String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]), tag: tag,
            size: bytes.count, contents: .bytes(bytes))
    }
}
