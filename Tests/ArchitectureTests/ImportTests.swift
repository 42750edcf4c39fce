import Foundation
import Testing

/// SwiftPM compiles an import of a sibling target that was never declared, so the layers hold by these tests.
@Suite struct ImportTests {
    static let systemModules: [String: Set<String>] = [
        // The wire and the native side: values and machines, no I/O.
        "BridgeJSON": ["Foundation", "FoundationEssentials"],
        "BridgeHTTP": ["Foundation", "FoundationEssentials"],
        "BridgeWebSocket": [],
        "BridgeWire": ["Foundation", "FoundationEssentials", "Synchronization"],
        "Bridgehead": ["Foundation", "FoundationEssentials", "Synchronization"],
        // The operating system.
        "BridgeSockets": ["Dispatch", "Glibc", "Musl", "Darwin", "Synchronization"],
        "BridgeDevTools": ["Dispatch", "Foundation", "Glibc", "Darwin", "Synchronization"],
        "BridgeServer": [
            "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Darwin", "Synchronization",
        ],
        "BridgeClient": ["Synchronization"],
        "BridgeConformance": [
            "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Darwin", "Synchronization",
        ],
        "BridgeCommand": [
            "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Darwin", "Synchronization",
        ],
        "PageModel": ["Foundation", "FoundationEssentials", "Observation"],
        "PageEngines": [
            "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Darwin", "Observation",
            "Synchronization",
        ],
        "ChromiumEngine": ["Dispatch", "Foundation", "FoundationEssentials"],
        "ConnectedEngine": ["Dispatch", "Foundation", "FoundationEssentials", "Synchronization"],
        "InAppBrowser": ["Foundation", "FoundationEssentials", "Observation"],
        "PhoneShell": ["Dispatch", "Foundation", "FoundationEssentials", "Observation"],
        "BridgeTesting": ["Dispatch", "Foundation", "FoundationEssentials", "Synchronization", "Testing", "XCTest"],
        "WebFixtures": ["Foundation", "FoundationEssentials"],
        "EmbedFixtures": ["Foundation"],
        "DemoBridge": ["Foundation", "FoundationEssentials", "Synchronization"],
        "BridgeBenchmark": ["Dispatch", "Foundation", "Synchronization"],
        "BridgeSoak": ["Dispatch", "Foundation", "Glibc", "Darwin", "Synchronization"],
        "BridgeFuzz": ["Dispatch", "Foundation", "Glibc", "Darwin", "Synchronization"],
    ]

    @Test func everyImportIsDeclared() throws {
        let manifest = try Manifest()
        #expect(manifest.targets.count == Self.systemModules.count)
        for target in manifest.targets {
            let system = try #require(Self.systemModules[target.name], "\(target.name) is not in the table")
            let files = try SourceTree.files(below: target.folder, suffix: ".swift")
            #expect(!files.isEmpty, "\(target.name) has no source in \(target.folder)")
            for file in files {
                for module in try imports(of: file) where module != target.name {
                    let declared = target.dependencies.contains(module) || system.contains(module)
                    #expect(declared, "\(file) imports \(module), which Package.swift does not give to \(target.name)")
                }
            }
        }
    }

    @Test func everyDeclaredDependencyIsUsed() throws {
        for target in try Manifest().targets {
            let used = try SourceTree.files(below: target.folder, suffix: ".swift").flatMap(imports)
            let unused = target.dependencies.subtracting(used)
            #expect(unused.isEmpty, "\(target.name) declares \(unused.sorted()) and imports none of them")
        }
    }

    @Test func aDependencyStandsAboveWhatNeedsIt() throws {
        var seen: Set<String> = []
        for target in try Manifest().targets {
            let later = target.dependencies.subtracting(seen)
            #expect(later.isEmpty, "\(target.name) needs \(later.sorted()), declared below it")
            seen.insert(target.name)
        }
    }

    private func imports(of file: String) throws -> [String] {
        let line =
            /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/
            .anchorsMatchLineEndings()
        return try SourceTree.text(file).matches(of: line).map { String($0.1) }
    }
}
