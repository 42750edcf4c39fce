#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Foundation

/// Finds a browser of Chromium's family on this machine.
package struct BrowserLocator: Sendable {
    /// What names a browser where nothing else does.
    package static let variable = "BRIDGEHEAD_BROWSER"

    private static let names = [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge",
        "brave-browser",
    ]
    private static let places = [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ]

    private let named: String?
    private let searchPath: String

    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.init(named: environment[Self.variable], searchPath: environment["PATH"])
    }

    /// - Parameters:
    ///   - named: the value of the variable; empty is none.
    ///   - searchPath: the value of `PATH`.
    package init(named: String?, searchPath: String?) {
        self.named = named.flatMap { $0.isEmpty ? nil : $0 }
        self.searchPath = searchPath ?? "/usr/bin:/bin"
    }

    /// The browser to start: the one given, else the one that the variable names, else the first that there is on `PATH` and
    /// where macOS has applications. One that is named is not replaced by another where it is missing: its start says so.
    package func find(_ given: String? = nil) throws(BrowserUnavailable) -> String {
        if let path = given ?? named { return path }
        let folders = searchPath.split(separator: ":")
        let candidates = Self.names.flatMap { name in folders.map { "\($0)/\(name)" } } + Self.places
        guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw BrowserUnavailable(
                """
                There is no browser of Chromium's family here: install one (Debian: apt-get install chromium), or name it \
                with --browser. Looked for \(Self.names.joined(separator: ", ")) in \(searchPath); \
                \(Self.places.joined(separator: ", ")); and \(Self.variable).
                """)
        }
        return path
    }
}
