import WebFixtures

/// The pages of conformance runs, which are built into the program.
package enum ConformanceFiles {
    /// - Parameter name: below `/_bridge/conformance/`.
    package static func contents(_ name: String) -> [UInt8]? { WebFixtures.contents("conformance/\(name)") }
}
