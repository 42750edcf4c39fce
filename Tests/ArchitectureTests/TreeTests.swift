import Foundation
import Testing

@Suite struct TreeTests {
    @Test func theTopLevelIsExactlyThis() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path)
            .filter { !$0.hasPrefix(".") }.sorted()
        #expect(names == ["Package.swift", "README.md", "Sources", "Tests", "web-fixtures"])
    }

    @Test func thePackageHasNoDependenciesAndNoCTarget() throws {
        let manifest = try SourceTree.text("Package.swift")
        #expect(!manifest.contains(".package("))
        let foreign = try SourceTree.files(below: "Sources").filter { !$0.hasSuffix(".swift") }
        #expect(foreign.isEmpty)
    }

    @Test(arguments: [
        ["--only"], ["--only", ""], ["--only", "nonsense"], ["--only", "--no-build"], ["--configuration"],
        ["--configuration", "nonsense"], ["--no-build", "--configuration", "--no-skip"], ["--nonsense"], ["nonsense"],
        ["--sanitize"], ["--sanitize", "memory"], ["--fuzz"], ["--fuzz", "many"], ["--seed", ""],
        ["--libfuzzer", "-1"],
    ])
    func theTestsAreNotRunByACommandLineThatIsWrong(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = SourceTree.root.appending(path: "Tests/run")
        process.arguments = arguments
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        try process.run()
        let said = String(decoding: try error.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(try (output.fileHandleForReading.readToEnd() ?? Data()).isEmpty)
        process.waitUntilExit()
        #expect(process.terminationStatus == 64)
        #expect(said.hasPrefix("Error: ") && said.contains("\nUSAGE: Tests/run "), "\(said)")
    }

    /// Names that differ only in case collide on macOS.
    @Test func noTwoPathsDifferOnlyInCase() throws {
        var seen: [String: String] = [:]
        for folder in ["Sources", "Tests", "web-fixtures"] {
            for path in try SourceTree.files(below: folder) {
                let other = seen.updateValue(path, forKey: path.lowercased())
                #expect(other == nil, "\(path) and \(other ?? "")")
            }
        }
    }

    /// A place that opts out of the compiler's checking says on the line above what protects it instead.
    @Test func everyUncheckedPlaceHasItsReason() throws {
        let unchecked = ["nonisolated(unsafe)", "@unchecked Sendable", "try!", "fatalError(", "as! "]
        for file in try SourceTree.files(below: "Sources", suffix: ".swift") {
            let lines = try SourceTree.text(file).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                guard unchecked.contains(where: line.contains) else { continue }
                let above = index > 0 ? lines[index - 1].drop { $0 == " " } : ""
                #expect(above.hasPrefix("//"), "\(file):\(index + 1) needs a comment naming what protects it")
            }
        }
    }

    /// What a protocol of the standard library asks for is documented there.
    private static let witnesses = [
        "init(from ", "func encode(to ", "func hash(into ", "static func == ", "var description: ",
        "func makeIterator()", "var underestimatedCount: ", "init(nilLiteral: ",
        "Literal value: ", "Literal members: ", "Literal elements: ",
    ]

    @Test func everyPublicDeclarationIsDocumented() throws {
        for file in try SourceTree.files(below: "Sources", suffix: ".swift") {
            let lines = try SourceTree.text(file).split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.drop { $0 == " " } }
            for (index, line) in lines.enumerated()
            where line.hasPrefix("public ") && !line.hasPrefix("public import") && !line.contains("extension ")
                && !Self.witnesses.contains(where: line.contains)
            {
                var above = index - 1
                while above >= 0, lines[above].hasPrefix("@") || lines[above].hasPrefix("#if") { above -= 1 }
                #expect(above >= 0 && lines[above].hasPrefix("///"), "\(file):\(index + 1) has no doc comment")
            }
        }
    }

    @Test func bridgeheadStaysSmall() throws {
        let count = try SourceTree.files(below: "Sources/Bridgehead", suffix: ".swift").reduce(0) { total, file in
            try total
                + SourceTree.text(file).split(separator: "\n").count { line in
                    let line = line.drop { $0 == " " }
                    return line.firstMatch(of: /^(@\w+ )*public (?!import)/) != nil
                }
        }
        #expect(count > 0 && count <= 40, "\(count) public declarations in Bridgehead")
    }
}
