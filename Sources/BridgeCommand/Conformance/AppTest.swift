import BridgeConformance
import BridgeJSON
import BridgeServer
import Bridgehead

/// `bridgehead conformance --app`: serves the page that tests the app which shows it, and waits for what it finds.
struct AppTest: Sendable {
    let options: ConformanceOptions
    let place: ServingPlace
    let envelope: String?
    let console: Console

    func run() async throws -> ExitCode {
        let suite = try AppSuite(envelope: try readEnvelope(), timeout: options.timeout, wanted: options.wants)
        guard !suite.vectors.isEmpty else { throw options.nothingWanted(of: AppSuite.profiles) }
        let (messages, sender) = AsyncStream.makeStream(of: AppSuite.Message.self)
        var site = MountedSite(.conformance) { name in
            name == "suite.json" ? suite.contents : ConformanceFiles.contents(name)
        }
        site.take = { result in
            do throws(StepFault) {
                sender.yield(try suite.read(result))
                return nil
            } catch {
                return error.reason
            }
        }
        let served = try await place.serve(site)
        for url in served.urls {
            console.write("Open in the app: \(url)_bridge/conformance/\(served.query)", to: .error)
        }
        let start = ContinuousClock.now
        let outcome = await wait(messages, sender)
        if Task.isCancelled { await served.server.stop() } else { await served.server.drain() }
        return try report(outcome, suite, start)
    }

    private enum Outcome {
        case nothing
        /// The page was shown, but by nobody who has a bridge.
        case noBridge
        /// The page began, and its result did not come; what it had said until then.
        case begun(visit: String, [VectorResult])
        case error(String)
        case results([VectorResult], bridge: String)
    }

    private func wait(
        _ messages: AsyncStream<AppSuite.Message>, _ sender: AsyncStream<AppSuite.Message>.Continuation
    ) async -> Outcome {
        var outcome = Outcome.nothing
        var timer = timer(sender)
        defer { timer.cancel() }
        for await message in messages {
            switch message {
            case .noBridge(let reason):
                console.write(
                    "Warning: A visitor has no bridge, and the next one is waited for. \(LogLine.printable(reason))",
                    to: .error)
                if case .nothing = outcome { outcome = .noBridge }
            case .runs(let visit, let userAgent, let results):
                timer.cancel()
                timer = self.timer(sender)
                if case .begun(visit: visit, let earlier) = outcome {
                    outcome = .begun(visit: visit, earlier + results)
                } else {
                    console.write("The page runs in \(LogLine.printable(userAgent)).", to: .error)
                    outcome = .begun(visit: visit, results)
                }
            case .error(let reason): return .error(reason)
            case .results(let results, let bridge): return .results(results, bridge: bridge)
            }
        }
        return outcome
    }

    /// What the page of an app says is a sign of life; a visitor that has no bridge is passed over.
    private func timer(_ sender: AsyncStream<AppSuite.Message>.Continuation) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: options.patience)
            sender.finish()
        }
    }

    private func report(_ outcome: Outcome, _ suite: AppSuite, _ start: ContinuousClock.Instant) throws -> ExitCode {
        if Task.isCancelled {
            guard case .begun(_, let results) = outcome, !results.isEmpty else { throw CancellationError() }
            return show(suite.complete(results, reason: VectorResult.interrupted), bridge: "the app", suite, start)
        }
        switch outcome {
        case .nothing:
            throw CommandFailure(.unavailable, "Nothing opened the page within \(options.patience.inWords).")
        case .noBridge:
            throw CommandFailure(
                .unavailable,
                "The page was opened, but never where there is a bridge, and nobody else came for "
                    + "\(options.patience.inWords). Open it in the app's own WebView.")
        case .begun:
            throw CommandFailure(
                .timedOut, "The page was opened, and then said nothing for \(options.patience.inWords).")
        case .error(let reason):
            throw CommandFailure(.unavailable, "The page found nothing to test: \(LogLine.printable(reason))")
        case .results(let results, let bridge):
            let code = show(results, bridge: bridge, suite, start)
            guard !results.allSatisfy(\.isSkipped) else {
                throw CommandFailure(.unavailable, "Nothing could be tested: every vector was skipped.")
            }
            return code
        }
    }

    private func show(
        _ results: [VectorResult], bridge: String, _ suite: AppSuite, _ start: ContinuousClock.Instant
    ) -> ExitCode {
        var output = ConformanceOutput(console, options.format, count: results.count)
        for (index, result) in results.enumerated() { output.take(index, result) }
        return output.finish(
            Report(
                target: LogLine.printable(bridge), profiles: options.shownProfiles(AppSuite.profiles),
                seed: nil, duration: start.duration(to: .now), results: results, vectors: suite.vectors))
    }

    private func readEnvelope() throws(CommandFailure) -> JSON {
        guard let envelope else { return [:] }
        let bytes: [UInt8]
        do throws(FileFault) {
            bytes = try readFile(envelope)
        } catch {
            throw CommandFailure(.noInput, "Cannot read the envelope '\(envelope)': \(error.reason).")
        }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: bytes)
        } catch {
            throw CommandFailure(.badData, "\(envelope):\(error.line):\(error.column): \(error.reason)")
        }
        do throws(StepFault) {
            try Envelope.check(json)
        } catch {
            throw CommandFailure(.badData, "\(envelope): \(error.reason).")
        }
        return json
    }
}

extension Duration {
    /// Seconds, without a fraction where there is none.
    var inWords: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}
