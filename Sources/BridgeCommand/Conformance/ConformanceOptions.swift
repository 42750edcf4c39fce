import BridgeClient
import BridgeConformance
import Bridgehead

/// The options of `conformance`, checked.
struct ConformanceOptions: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case list, junit, json
    }

    /// What is tested: somebody at an address, the bridge of this program, the app that shows a page, or a page.
    enum Subject: Sendable {
        case target(url: String, ClientEndpoint)
        case own
        case app(envelope: String?)
        case page(url: String, browser: String?)
    }

    let subject: Subject
    /// Empty: those that the target claims.
    let profiles: [Profile]
    let format: Format
    let filter: String?
    /// For anything that one vector waits for.
    let timeout: Duration
    /// For an app to open the page, and for each sign of life of that.
    let patience: Duration
    let bails: Bool
    /// Whether a port was named to listen on.
    let hasPort: Bool
    /// nil: none was given.
    let seed: UInt64?
    let token: String?

    /// - Throws: `UsageError`.
    init(_ arguments: ParsedArguments, path: CommandPath, environment: Environment) throws {
        let reader = OptionReader(arguments: arguments, path: path)
        token = environment["BRIDGEHEAD_TOKEN"]
        subject = try Self.subject(arguments, reader, environment)
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
        let given = try reader.seconds("timeout")
        guard given != .zero else {
            throw reader.invalid(arguments.value("timeout") ?? "", "timeout", "it is above zero")
        }
        patience = given ?? .seconds(300)
        // An app that answers nothing is not waited for until the end.
        if case .app = subject { timeout = min(.seconds(5), patience / 10) } else { timeout = given ?? .seconds(5) }
        hasPort = arguments.value("port") != nil
        bails = arguments.has("bail")
        seed = try arguments.value("seed").map { text throws(UsageError) in
            guard let seed = UInt64(text) else {
                throw reader.invalid(text, "seed", "it is a whole number, and not negative")
            }
            return seed
        }
    }

    private static func subject(
        _ arguments: ParsedArguments, _ reader: OptionReader, _ environment: Environment
    ) throws(UsageError) -> Subject {
        let url = arguments.value("target")
        let page = arguments.value("page")
        let isApp = arguments.has("app")
        let isOwn = arguments.has("self")
        guard [url != nil, isOwn, isApp, page != nil].count(where: \.self) == 1 else {
            throw UsageError(
                message: "Please provide one of '--target <url>', '--self', '--app' or '--page <url>'.",
                path: reader.path)
        }
        // What is given and means nothing would be a surprise.
        for option in ["envelope", "host"] where !isApp && arguments.value(option) != nil {
            throw UsageError(message: "'--\(option)' goes with '--app' alone.", path: reader.path)
        }
        if !isApp, page == nil, arguments.value("port") != nil {
            throw UsageError(message: "'--port' goes with '--app' and '--page' alone.", path: reader.path)
        }
        if page == nil, arguments.value("browser") != nil {
            throw UsageError(message: "'--browser' goes with '--page' alone.", path: reader.path)
        }
        // The page makes its own ids, one vector after the other to the end.
        for option in ["seed", "bail"] where isApp && (arguments.has(option) || arguments.value(option) != nil) {
            throw UsageError(message: "'--\(option)' does not go with '--app'.", path: reader.path)
        }
        if isApp { return .app(envelope: arguments.value("envelope")) }
        if let page { return .page(url: page, browser: arguments.value("browser") ?? environment["BROWSER_PATH"]) }
        guard let url else { return .own }
        do throws(ClientEndpoint.Malformed) {
            return .target(url: url, try ClientEndpoint(parsing: url))
        } catch {
            throw reader.invalid(url, "target", error.reason)
        }
    }

    /// Whether the filter means a vector: by name, rule or profile.
    func wants(_ vector: Vector) -> Bool {
        guard profiles.isEmpty || profiles.contains(vector.profile) else { return false }
        guard let filter else { return true }
        return vector.name.contains(filter) || vector.rule == filter || vector.profile.rawValue == filter
    }

    func nothingWanted(of profiles: [Profile]) -> CommandFailure {
        let names = profiles.isEmpty ? "no profile" : profiles.map(\.rawValue).joined(separator: ", ")
        return CommandFailure(
            .usage, "No vector of \(names) has '\(filter ?? "")' in its name, or is of that rule or profile.")
    }

    /// The profiles that are run where a target claims `claimed`.
    func shownProfiles(_ claimed: [Profile]) -> [Profile] {
        Profile.allCases.filter((profiles.isEmpty ? claimed : profiles).contains)
    }

    /// The profiles that are run on a target, and what there is to say of what it claims.
    /// - Parameter claimed: nil: it does not answer with a list of names.
    func profiles(of who: String, claimed: [String]?, _ warn: (String) -> Void) -> [Profile] {
        let unknown = (claimed ?? []).filter { Profile(rawValue: $0) == nil }
        for name in unknown { warn("\(who) claims the profile '\(LogLine.printable(name))', which is none.") }
        let known = (claimed ?? []).compactMap(Profile.init)
        if profiles.isEmpty, known.isEmpty {
            let what =
                claimed == nil
                ? "does not answer 'conformance.profiles' with a list of profiles"
                : unknown.isEmpty ? "claims no profile" : "claims no other profile"
            warn("\(who) \(what); this runs core alone.")
            return [.core]
        }
        return shownProfiles(known)
    }

    static let profileNames = Profile.allCases.map(\.rawValue).joined(separator: ", ")
}
