import BridgeClient
import BridgeConformance
import BridgeDevTools
import BridgeJSON
import Bridgehead

/// `bridgehead conformance`: the vectors on a target, and what they show.
struct ConformanceCommand: Sendable {
    let bridge: Bridge
    let options: ConformanceOptions
    /// Where pages are served from, where there are any.
    let serving: ServeCommand
    let console: Console

    func run() async throws -> ExitCode {
        let work = Task { try await test() }
        // Whoever runs is told, so that nothing is left behind, and what is known is reported.
        Signals.hear { work.cancel() }
        let result = await work.result
        guard work.isCancelled else { return try result.get() }
        // A run says itself how far it was.
        if case .failure = result { console.write("Interrupted before there was a result.", to: .error) }
        return .interrupted
    }

    private func test() async throws -> ExitCode {
        let vectors = try VectorFile.embedded().flatMap(\.vectors)
        switch options.subject {
        case .target(let url, let address):
            let target = try await ask([Endpoint(address, token: options.token)], url)
            return try await run(vectors, profiles: profiles(of: target), named: url) { _ in target }
        case .own:
            let own = try await OwnServers(bridge, drained: vectors.filter(\.drains).map(\.name))
            do {
                let code = try await test(own, vectors)
                await own.stop()
                return code
            } catch {
                await own.stop()
                throw error
            }
        case .app(let envelope):
            let place = ServingPlace(serving: serving)
            return try await AppTest(options: options, place: place, envelope: envelope, console: console).run()
        case .page(let url, let browser):
            return try await pageTest(url, browser: browser, port: options.hasPort ? nil : 0).run()
        }
    }

    private func pageTest(_ url: String, browser: String?, port: UInt16?) -> PageTest {
        PageTest(
            options: options, place: ServingPlace(serving: serving), url: url, port: port, browserPath: browser,
            locator: BrowserLocator(
                named: serving.environment[BrowserLocator.variable], searchPath: serving.environment["PATH"]),
            console: console)
    }

    private func test(_ own: OwnServers, _ vectors: [Vector]) async throws -> ExitCode {
        let target = try await ask(own.endpoints, "its own server")
        let limited = try await ask(own.limitedEndpoints, "its own server")
        let timed = try await ask(own.timedEndpoints, "its own server")
        let guarded = try await ask(own.guardedEndpoints, "its own server")
        let pages = pageTest("bundled", browser: serving.environment["BROWSER_PATH"], port: 0)
        return try await run(vectors, profiles: profiles(of: target), named: "self", pages: pages) {
            if $0.drains { return Target(endpoints: own.drainingEndpoints($0.name), limits: target.limits) }
            return $0.needsToken ? guarded : $0.limit == nil ? target : $0.testsTime ? timed : limited
        }
    }

    private func ask(_ endpoints: [Endpoint], _ url: String) async throws -> Target {
        do {
            return try await Target.ask(endpoints, timeout: options.timeout)
        } catch let failure as ClientFailure {
            throw CommandFailure(
                .unavailable, "No bridge answers at \(url): \(LogLine.printable(failure.description)).")
        }
    }

    private func run(
        _ vectors: [Vector], profiles: [Profile], named name: String, pages: PageTest? = nil,
        on target: (Vector) -> Target
    ) async throws -> ExitCode {
        func wanted(_ role: Role) -> [Vector] {
            vectors.filter { $0.role == role && profiles.contains($0.profile) && options.wants($0) }
        }
        let ofPages = pages == nil ? [] : wanted(.page)
        let wanted = wanted(.native)
        guard !(wanted.isEmpty && ofPages.isEmpty) else { throw options.nothingWanted(of: profiles) }
        var plan = Plan(wanted, timeout: options.timeout, on: target)
        if let seed = options.seed { plan.shuffle(seed: seed) }
        let seed = options.seed ?? .random(in: 0..<1 << 32)
        let run = ConformanceRun(plan, timeout: options.timeout, seed: seed, bails: options.bails)
        var output = ConformanceOutput(console, options.format, count: plan.entries.count + ofPages.count)
        let start = ContinuousClock.now
        var results = await run.run { output.take($0, $1) }
        if let pages, !ofPages.isEmpty {
            results += try await pages.results(ofPages, seed: seed) { output.take(plan.entries.count + $0, $1) }
        }
        return output.finish(
            Report(
                target: name, profiles: profiles, seed: seed, duration: start.duration(to: .now), results: results,
                vectors: vectors))
    }

    private func profiles(of target: Target) -> [Profile] {
        options.profiles(of: "The target", claimed: target.claimed) { console.write("Warning: \($0)", to: .error) }
    }
}
