/// Pages that are given as text, by their paths.
struct GivenPages: Sendable {
    private var files: [[String]: ServedText] = [:]

    private struct ServedText {
        let name: String
        let tag: EntityTag
        let bytes: [UInt8]
    }

    /// - Parameter texts: by the path that each is at. One whose name has no ending is HTML.
    init(_ texts: [String: String]) {
        for (path, text) in texts {
            guard let path = PagePath(path) else { continue }
            let last = path.names.last ?? "index.html"
            let bytes = Array(text.utf8)
            files[path.names] = ServedText(
                name: last.contains(".") ? last : last + ".html", tag: EntityTag(contents: bytes), bytes: bytes)
        }
    }

    func page(_ path: PagePath) -> FoundPage {
        guard let file = files[path.names] else { return .missing }
        return .file(
            ServedFile(name: file.name, tag: file.tag, size: file.bytes.count, contents: .bytes(file.bytes)))
    }
}
