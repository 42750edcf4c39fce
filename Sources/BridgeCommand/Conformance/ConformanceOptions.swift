import BridgeClient
import BridgeConformance

/// The options of `conformance`, checked.
struct ConformanceOptions: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case list, junit, json
    }

    /// What is tested: somebody at an address, or the bridge of this program.
    enum Subject: Sendable {
        case target(url: String, ClientEndpoint)
        case own
    }

    let subject: Subject
    /// Empty: those that the target claims.
    let profiles: [Profile]
    let format: Format
    let filter: String?
    let timeout: Duration
    let bails: Bool
    /// nil: none was given.
    let seed: UInt64?
    let token: String?

    /// - Throws: `UsageError`.
    init(_ arguments: ParsedArguments, path: CommandPath, environment: Environment) throws {
        let reader = OptionReader(arguments: arguments, path: path)
        token = environment["BRIDGEHEAD_TOKEN"]
        switch (arguments.value("target"), arguments.has("self")) {
        case (nil, true): subject = .own
        case (let url?, false):
            do throws(ClientEndpoint.Malformed) {
                subject = .target(url: url, try ClientEndpoint(parsing: url))
            } catch {
                throw reader.invalid(url, "target", error.reason)
            }
        case (nil, false), (_?, true):
            throw UsageError(message: "Please provide one of '--target <url>' or '--self'.", path: path)
        }
        var profiles: [Profile] = []
        for name in arguments.all("profile") {
            guard let profile = Profile(rawValue: name) else {
                throw reader.invalid(name, "profile", "the profiles are \(Self.profileNames)")
            }
            profiles.append(profile)
        }
        self.profiles = profiles
        format = try reader.choice("format", of: Format.allCases.map(\.rawValue)).flatMap(Format.init) ?? .list
        filter = arguments.value("filter")
        timeout = try reader.seconds("timeout") ?? .seconds(5)
        guard timeout > .zero else {
            throw reader.invalid(arguments.value("timeout") ?? "", "timeout", "it is above zero")
        }
        bails = arguments.has("bail")
        seed = try arguments.value("seed").map { text throws(UsageError) in
            guard let seed = UInt64(text) else {
                throw reader.invalid(text, "seed", "it is a whole number, and not negative")
            }
            return seed
        }
    }

    static let profileNames = Profile.allCases.map(\.rawValue).joined(separator: ", ")
}
