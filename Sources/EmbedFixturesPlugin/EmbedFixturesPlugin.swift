import Foundation
import PackagePlugin

/// Runs `EmbedFixtures` over every file below the target's folders, and over the protocol, whose rules reports quote.
@main
struct EmbedFixturesPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = target.directoryURL
        let files = try ["client", "conformance", "pages", "shell", "vectors"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
                .map { root.appending(path: "\(folder)/\($0)") }
                .filter { !$0.hasDirectoryPath && !$0.lastPathComponent.hasPrefix(".") }
        }
        let inputs = (files + [root.appending(path: "PROTOCOL.md")]).sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(inputs.count) web fixtures",
                executable: try context.tool(named: "EmbedFixtures").url,
                arguments: [root.path, output.path] + inputs.map(\.path),
                inputFiles: inputs, outputFiles: [output])
        ]
    }
}
