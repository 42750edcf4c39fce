import Foundation

/// The checkout that these tests were built from.
enum SourceTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The regular files below `folder` whose names end in `suffix`, as paths relative to the root, sorted.
    static func files(below folder: String, suffix: String = "") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { $0.hasSuffix(suffix) }
            .map { "\(folder)/\($0)" }
            .filter { path in
                var isDirectory: ObjCBool = false
                let exists = FileManager.default.fileExists(
                    atPath: root.appending(path: path).path, isDirectory: &isDirectory)
                return exists && !isDirectory.boolValue
            }
            .sorted()
    }
}

/// What Package.swift declares: each library or executable target with what it may import.
struct Manifest {
    struct Target {
        var name: String
        var dependencies: Set<String>
        var folder: String
    }

    var targets: [Target]

    /// The manifest has a section a target, set apart by blank lines.
    init() throws {
        let sections = try SourceTree.text("Package.swift").split(separator: "\n\n")
        targets = sections.compactMap { section in
            let declaration = /(?:layer|\.executableTarget|\.target)\(\s*(?:name: )?"(\w+)"/
            guard let start = section.firstMatch(of: declaration) else { return nil }
            let rest = section[start.range.upperBound...]
            let own = rest[..<(rest.firstMatch(of: /tests\(|\.plugin\(/)?.range.lowerBound ?? rest.endIndex)]
            let list = own.firstMatch(of: /^,\s*(?:dependencies: )?\[([^\]]*)\]/)?.1 ?? ""
            return Target(
                name: String(start.1),
                dependencies: Set(list.matches(of: /"(\w+)"/).map { String($0.1) }),
                folder: own.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) } ?? "Sources/\(start.1)")
        }
    }
}
