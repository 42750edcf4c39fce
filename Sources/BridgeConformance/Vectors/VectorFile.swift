package import BridgeJSON
import WebFixtures

/// A file of vectors: one concern.
package struct VectorFile: Sendable {
    struct Head {
        let name: String
        let profile: Profile
        let role: Role
        let medium: Medium
    }

    package let name: String
    package let concern: String
    package let vectors: [Vector]

    package init(name: String, contents: [UInt8]) throws(VectorFault) {
        self.name = name
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: contents)
        } catch {
            throw VectorFault(file: name, path: error.path, reason: "line \(error.line): \(error.reason)")
        }
        let reader = try MemberReader(json, file: name)
        try reader.allow("$schema", "concern", "profile", "role", "over", "vectors")
        guard let profile = try reader.choice("profile", of: Profile.self) else {
            throw reader.fault("it has no profile")
        }
        concern = try reader.string("concern")
        let head = Head(
            name: name, profile: profile, role: try reader.choice("role", of: Role.self) ?? .native,
            medium: try reader.choice("over", of: Medium.self) ?? .messages)
        vectors = try reader.list("vectors").map { vector throws(VectorFault) in try Vector(vector, file: head) }
    }

    /// Those that are built into the program, by name.
    package static func embedded() throws(VectorFault) -> [VectorFile] {
        let folder = "vectors/"
        var files: [VectorFile] = []
        for path in WebFixtures.paths.sorted() where path.hasPrefix(folder) && path.hasSuffix(".json") {
            let name = String(path.dropFirst(folder.count))
            guard name != "schema.json", let contents = WebFixtures.contents(path) else { continue }
            files.append(try VectorFile(name: name, contents: contents))
        }
        return files
    }
}

/// Why a file of vectors is none.
package struct VectorFault: Error, Hashable, CustomStringConvertible {
    package let file: String
    package let path: JSONPath
    package let reason: String

    package var description: String { "\(file): \(path): \(reason)" }
}
