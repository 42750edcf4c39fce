import BridgeServer
import Bridgehead
import PageEngines
import PhoneShell

/// `bridgehead serve`: everything from the options to the exit code.
struct ServeCommand: Sendable {
    let bridge: Bridge
    let options: ServeOptions
    let console: Console
    let environment: Environment
    let launched: ContinuousClock.Instant
    private static let portFile = "port file"
    /// Called with the page of each phone of the shell.
    var onPage: @MainActor @Sendable (WebPage) -> Void = { _ in }

    func run() async throws -> ExitCode {
        if let file = options.portFile { try WholeFile.check(file, Self.portFile) }
        let gate = ServeLog.gate(options)
        let log = ServeLog.make(options, console: console, gate: gate)
        for handler in options.handlers {
            bridge.setMessageHandler(handler.name, mode: handler.isReply ? .reply : .plain)
        }
        let answers = options.answers.map { AnswersStore(path: $0, bridge: bridge, log: log) }
        let answered = try answers?.load()
        let watcher = answers?.watch()

        // Before the port is known to anyone, so that the first signal always drains.
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let lastResort = LastResort(options, log: log)
        Signals.hear {
            lastResort.begin()
            stop.yield()
        }

        var configuration = configuration()
        configuration.log = log
        configuration.traffic = ServeLog.traffic(options, console: console, gate: gate) {
            answers?.answers($0) ?? false
        }
        if options.isExposed, configuration.token == nil { configuration.token = Self.newToken() }
        let shell = await PhoneShell(bridge, onPage: onPage)
        configuration.sites = [await shell.site]
        let (server, addresses) = try await start(configuration)
        lastResort.watch(server)
        if let file = options.portFile {
            try WholeFile.write(Array("\(addresses.port)\n".utf8), to: file, Self.portFile)
        }
        let pages = StartPages(options, port: addresses.port, token: shownToken(configuration.token))
        announce(addresses, pages, token: configuration.token, answered: answered, log: log)
        // Whoever waits for the port would do so without end. Log lines that are lost later are no reason to stop.
        try console.checkOutput()
        if options.open {
            let url = pages.first
            Browser.open(url, environment: environment) { program in
                log(.warning, "cannot open the browser", [("program", program), ("url", url)])
            }
        }

        var iterator = stops.makeAsyncIterator()
        await iterator.next()
        log(.info, "stopping; a second signal stops at once")
        await server.drain()
        withExtendedLifetime((watcher, shell)) {}
        return .success
    }

    func configuration() -> BridgeServer.Configuration {
        var configuration = BridgeServer.Configuration()
        configuration.port = UInt16(options.port)
        configuration.hosts = options.host.map { [$0] } ?? []
        configuration.linesPort = options.linesPort.map { UInt16($0) }
        configuration.unixPath = options.unixPath
        configuration.root = options.root
        configuration.limits = options.limits
        configuration.allowedHosts = options.allowedHosts
        configuration.allowedOrigins = options.allowedOrigins
        configuration.token = environment["BRIDGEHEAD_TOKEN"]
        configuration.drainTimeout = options.drainTimeout
        configuration.servesConformance = options.conformance
        return configuration
    }

    /// Starts a server, on the next free port if a person is there to see it move.
    func start(
        _ configuration: BridgeServer.Configuration
    ) async throws(CommandFailure) -> (BridgeServer, BridgeServer.Addresses) {
        var configuration = configuration
        while true {
            let server = BridgeServer(bridge, configuration: configuration)
            do throws(BridgeServer.StartFailure) {
                return (server, try await server.start())
            } catch {
                switch error {
                case .portInUse(let port)
                where port == configuration.port && console.outputIsTerminal && !options.strictPort && port < .max:
                    console.write("Port \(port) is in use, trying another one...")
                    configuration.port = port + 1
                case .portInUse(let port):
                    let option = port == configuration.linesPort && port != configuration.port ? "--lines" : "--port"
                    throw CommandFailure(
                        .configuration,
                        "Port \(port) is already in use. Name another with \(option); \(option) 0 takes any that is free."
                    )
                case .rootIsNoFolder(let path):
                    throw CommandFailure(.noInput, "The root '\(path)' is no folder that can be read.")
                default:
                    throw CommandFailure(.configuration, "\(error).")
                }
            }
        }
    }

    private func announce(
        _ addresses: BridgeServer.Addresses, _ pages: StartPages, token: String?, answered: Int?, log: BridgeLog
    ) {
        if let host = options.host, options.isExposed, let token {
            let what = environment["BRIDGEHEAD_TOKEN"] == nil ? "the token \(token)" : "the token in BRIDGEHEAD_TOKEN"
            console.write(
                "Warning: Whoever reaches \(host) can load the pages and call the bridge, with \(what).", to: .error)
        }
        if console.outputIsTerminal, !options.quiet, !options.logsJSON {
            let style = console.outputStyle
            var banner = Banner(version: BridgeCommand.version, elapsed: launched.duration(to: .now))
            if let url = pages.local { banner.rows.append(("Local", style.cyan(url))) }
            for url in pages.network { banner.rows.append(("Network", style.cyan(url))) }
            if let port = addresses.linesPort { banner.rows.append(("Lines", "127.0.0.1:\(port)")) }
            if let path = addresses.unixPath { banner.rows.append(("Unix", path)) }
            if let root = options.root { banner.rows.append(("Root", root)) }
            if let file = options.answers, let answered {
                banner.rows.append(("Answers", "\(file) (\(answered) \(answered == 1 ? "event" : "events"))"))
            }
            console.write(banner.render(style))
        } else if let file = options.answers, let answered {
            log(.info, "answers loaded", [("file", file), ("events", "\(answered)")])
        }
        if let port = addresses.linesPort { console.write("Lines on port \(port)") }
        console.write("Listening on port \(addresses.port)")
    }

    /// A token that was made up here has to be told to the browser; one that the user set is not shown.
    func shownToken(_ token: String?) -> String? {
        environment["BRIDGEHEAD_TOKEN"] == nil ? token : nil
    }

    /// 128 random bits.
    static func newToken() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in
            let text = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return digits.joined()
    }
}
