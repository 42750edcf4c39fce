#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Dispatch
public import Bridgehead
public import PageEngines

/// The command line for a bridge of your own: `serve`, `call`, `browse` and `conformance`, with everything that `bridgehead` has.
///
/// ```swift
/// let bridge = Bridge()
/// bridge.on(GetRandomTitle.self) { _, _ in "Title" }
/// BridgeCommand.main(bridge)
/// ```
public enum BridgeCommand {
    static let version = BridgeProtocol.release

    /// Reads the process's arguments, does what they say and ends the process. Call it last, on the main thread.
    ///
    /// - Parameter onPage: called with the page of each phone that is opened in the phone shell of `serve`, before it has
    ///   loaded anything: to attach to it what an app attaches to its page, such as overlays and message handlers.
    public static func main(
        _ bridge: Bridge, onPage: @escaping @MainActor @Sendable (WebPage) -> Void = { _ in }
    ) -> Never {
        let launched = begin()
        Task.detached { await main(bridge, launched, onPage) }
        dispatchMain()
    }

    /// The same for a `main` that is asynchronous.
    public static func main(
        _ bridge: Bridge, onPage: @escaping @MainActor @Sendable (WebPage) -> Void = { _ in }
    ) async -> Never {
        await main(bridge, begin(), onPage)
    }

    private static func main(
        _ bridge: Bridge, _ launched: ContinuousClock.Instant,
        _ onPage: @escaping @MainActor @Sendable (WebPage) -> Void
    ) async -> Never {
        exit(await run(bridge, CommandLine.arguments, launched: launched, onPage: onPage).rawValue)
    }

    /// What comes before everything else.
    private static func begin() -> ContinuousClock.Instant {
        let launched = ContinuousClock.now
        Console.reserveClosedStreams()
        Signals.ignoreBrokenPipes()
        Signals.take()
        return launched
    }

    private static func run(
        _ bridge: Bridge, _ arguments: [String], launched: ContinuousClock.Instant,
        onPage: @escaping @MainActor @Sendable (WebPage) -> Void
    ) async -> ExitCode {
        let environment = Environment()
        let console = Console(environment: environment)
        let program = arguments.first?.split(separator: "/").last.map(String.init) ?? "bridgehead"
        do {
            let outcome = try CommandLineParser.parse(Array(arguments.dropFirst()), root: .root(program: program))
            if case .run = outcome {
                for warning in environment.warnings { console.write("Warning: \(warning)", to: .error) }
            }
            switch outcome {
            case .help(let path):
                console.write(raw: HelpText.render(path))
            case .version:
                console.write(version)
            case .run(let path, let parsed) where path.command.name == "serve":
                let options = try ServeOptions(parsed, path: path, environment: environment)
                let command = ServeCommand(
                    bridge: bridge, options: options, console: console, environment: environment, launched: launched,
                    onPage: onPage)
                return try await command.run()
            case .run(let path, let parsed) where path.command.name == "browse":
                let options = try BrowseOptions(parsed, path: path)
                let code = try await BrowseCommand(bridge: bridge, options: options, console: console).run()
                try console.checkOutput()
                return code
            case .run(let path, let parsed) where path.command.name == "conformance":
                let options = try ConformanceOptions(parsed, path: path, environment: environment)
                let serving = ServeCommand(
                    bridge: Bridge(), options: try ServeOptions(parsed, path: path, environment: environment),
                    console: console, environment: environment, launched: launched)
                let code = try await ConformanceCommand(
                    bridge: bridge, options: options, serving: serving, console: console
                ).run()
                try console.checkOutput()
                return code
            case .run(let path, let parsed):
                let options = try CallOptions(parsed, path: path, environment: environment)
                let code = try await CallCommand(options: options, console: console).run()
                try console.checkOutput()
                return code
            }
            try console.checkOutput()
            return .success
        } catch let error as UsageError {
            console.write(raw: error.text, to: .error)
            return .usage
        } catch let error as CommandFailure {
            console.write("Error: \(error.message)", to: .error)
            return error.code
        } catch {
            console.write("Error: \(error)", to: .error)
            return .internalFault
        }
    }
}
