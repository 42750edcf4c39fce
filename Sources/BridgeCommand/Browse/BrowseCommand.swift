import BridgeJSON
import Bridgehead
import ChromiumEngine
import Foundation
import PageEngines
import PageModel

/// `bridgehead browse`: a page in a headless browser, and what it does.
@MainActor
struct BrowseCommand {
    let bridge: Bridge
    let options: BrowseOptions
    let console: Console
    private static let picture = "screenshot"

    nonisolated init(bridge: Bridge, options: BrowseOptions, console: Console) {
        self.bridge = bridge
        self.options = options
        self.console = console
    }

    func run() async throws -> ExitCode {
        let (outcomes, outcome) = AsyncStream.makeStream(of: BrowseEnd.Outcome.self)
        // Found out before the page has done anything.
        if let path = options.screenshot { try WholeFile.check(path, Self.picture) }
        let history = try options.history.map { path in
            do { return try HistoryRecorder(path: path) } catch { throw CommandFailure(.cannotWrite, "\(error)") }
        }
        let starting = Task { try await start() }
        Signals.hear {
            outcome.yield(.interrupted)
            starting.cancel()
        }
        let limit = later(options.timeout) {
            outcome.yield(.timedOut)
            starting.cancel()
        }
        let (browser, webView): (ChromiumBrowser, ChromiumWebView)
        do { (browser, webView) = try await starting.value } catch {
            let cause = starting.isCancelled ? await next(of: outcomes) ?? .interrupted : .reached
            return try code(cause, .failure(error), "The browser did not start")
        }
        limit.cancel()
        do {
            let code = try await browse(WebPage(webView), history, outcomes, outcome)
            await browser.close()
            return code
        } catch {
            await browser.close()
            throw error
        }
    }

    private func start() async throws -> (ChromiumBrowser, ChromiumWebView) {
        let browser: ChromiumBrowser
        do {
            browser = try await ChromiumBrowser(path: options.browser)
        } catch let failure as BrowserCannotStart {
            throw CommandFailure(.unavailable, "No browser: \(failure.description)")
        }
        if let warning = browser.warning { console.write("Warning: \(warning)", to: .error) }
        do { return (browser, try await browser.newWebView(options.appearance)) } catch {
            await browser.close()
            throw error
        }
    }

    private func browse(
        _ page: WebPage, _ history: HistoryRecorder?, _ outcomes: AsyncStream<BrowseEnd.Outcome>,
        _ outcome: AsyncStream<BrowseEnd.Outcome>.Continuation
    ) async throws -> ExitCode {
        defer { page.close() }
        var end = BrowseEnd(options.end)
        let tell = { @MainActor (notice: BrowseNotice) in
            show(notice)
            switch end.take(notice) {
            case .end(let reached): outcome.yield(reached)
            case .wait(let duration): later(duration) { outcome.yield(.reached) }
            case nil: break
            }
        }
        let view = BrowseView(page, tell)
        watchPosts(tell)
        let watching = watchEnd(page, tell)
        try page.messageHandlers.add("bridge", bridge)
        let recording = record(page, history)
        later(options.timeout) { outcome.yield(.timedOut) }
        page.load(WebPageRequest(options.url))
        let first = await next(of: outcomes)
        // What is asked of the page now ends early too.
        var asked: String?
        let work = Task { first == .reached ? try await finish(page) { asked = $0 } : .success }
        let rest = Task {
            let next = await next(of: outcomes, but: .reached)
            if next != nil { work.cancel() }
            return next
        }
        let result = await work.result
        outcome.finish()
        let last = await rest.value
        watching.cancel()
        page.close()
        if let fault = await recording.value { throw CommandFailure(.cannotWrite, fault) }
        withExtendedLifetime(view) {}
        return try code(first == .reached ? last ?? .reached : first ?? .interrupted, result, asked ?? end.missing)
    }

    private func next(
        of outcomes: AsyncStream<BrowseEnd.Outcome>, but ignored: BrowseEnd.Outcome? = nil
    ) async -> BrowseEnd.Outcome? {
        for await outcome in outcomes where outcome != ignored { return outcome }
        return nil
    }

    /// - Parameter missing: what has not happened yet.
    private func code(
        _ outcome: BrowseEnd.Outcome, _ result: Result<ExitCode, any Error>, _ missing: String
    ) throws -> ExitCode {
        switch outcome {
        case .reached: return try result.get()
        case .interrupted: return .interrupted
        case .timedOut: throw CommandFailure(.timedOut, "\(missing) within \(options.timeout.inWords).")
        case .failed(let error): throw CommandFailure(.unavailable, "Cannot show \(options.url): \(error).")
        }
    }

    /// What is done with the page at the end.
    ///
    /// - Parameter begin: is told of each thing what is true until it is done.
    private func finish(_ page: WebPage, _ begin: (String) -> Void) async throws -> ExitCode {
        var code = ExitCode.success
        if let body = options.call {
            begin("The function of '--call' did not end")
            do {
                let value = try JSON(tagging: await page.callJavaScript(body, arguments: options.arguments))
                if options.printsJSON { show(.result(value)) } else { console.write(value.text) }
            } catch let error as WebPageError {
                if options.printsJSON { show(.failure(error)) } else { console.write("Error: \(error)", to: .error) }
                code = .failure
            }
        }
        if let path = options.screenshot, let view = page.backing as? ChromiumWebView {
            begin("The picture of the page was not there")
            let picture: Data
            do { picture = try await view.screenshot() } catch {
                throw CommandFailure(.unavailable, "There is no picture of the page: \(error).")
            }
            try WholeFile.write(Array(picture), to: path, Self.picture)
        }
        return code
    }

    private func show(_ notice: BrowseNotice) {
        if options.printsJSON { return console.write(notice.json.text) }
        // What is printed of a call is for whoever reads its result.
        if options.call == nil {
            console.write(notice.text(console.outputStyle))
        } else {
            console.write(notice.text(console.errorStyle), to: .error)
        }
    }

    /// The page's messages, as the handlers get them.
    private func watchPosts(_ tell: @escaping @MainActor (BrowseNotice) -> Void) {
        bridge.use { name, payload, _, next in
            let isBody = name == "$/postMessage"
            let posted: BrowseNotice =
                isBody
                ? .postedBody(handler: payload["handler"]?.string ?? "", payload["body"] ?? .null)
                : .posted(name: name, payload: payload)
            await tell(posted)
            return try await next(payload)
        }
    }

    /// The end of a page that nobody closed: its browser has gone.
    private func watchEnd(_ page: WebPage, _ tell: @escaping @MainActor (BrowseNotice) -> Void) -> Task<Void, Never> {
        let changes = page.urlChanges
        return Task {
            for await _ in changes {}
            guard !Task.isCancelled else { return }
            do {
                try await page.evaluateJavaScript("")
            } catch {
                tell(.closed(error as? WebPageError ?? .pageClosed("\(error)")))
            }
        }
    }

    /// - Returns: why not all of it is in the file; nil where it is.
    private func record(_ page: WebPage, _ history: HistoryRecorder?) -> Task<String?, Never> {
        let changes = page.urlChanges
        return Task {
            guard let history else { return nil }
            for await change in changes {
                do { try await history.record(change) } catch { return "\(error)" }
            }
            return nil
        }
    }

    @discardableResult
    private func later(_ duration: Duration, _ act: @escaping @Sendable () -> Void) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: duration)
            act()
        }
    }
}
