import BridgeJSON

/// The steps of vectors that test a page: it is opened in a tab of its own, and the runner is its native side.
final class PageDriver: StepDriver {
    private let context: VectorContext
    private let browser: PageBrowser
    private let lobby: PageLobby
    private let url: String
    private let messages: MessageDriver
    private var tab: PageBrowser.Tab?

    init(_ context: VectorContext, browser: PageBrowser, lobby: PageLobby, url: String) {
        self.context = context
        self.browser = browser
        self.lobby = lobby
        self.url = url
        let names = Set(context.vector.steps.flatMap(\.expectedNames).filter { $0.hasPrefix("$/") })
        // However short the time for an answer is, a page needs its own to load.
        let patience = max(context.timeout, PageRun.loadingTime)
        messages = MessageDriver(context) { () async throws(StepFailure) in
            try await PageChannel.connect(lobby, expecting: names, within: patience)
        }
    }

    func open() async throws(StepFailure) {
        do throws(BrowserFailure) {
            tab = try await browser.open(url)
        } catch {
            throw StepFailure("the browser cannot open the page: \(error.reason)")
        }
        try await messages.open()
    }

    func perform(_ step: Step) async throws(StepFailure) {
        guard case .script(let script, let expected) = step else { return try await messages.perform(step) }
        guard let tab else { throw StepFailure("there is no page") }
        context.wire.note("in the page: \(script)")
        let value: JSON?
        do throws(BrowserFailure) {
            value = try await tab.evaluate(script, awaits: expected != nil, timeout: context.timeout)
        } catch {
            throw StepFailure("the script failed in the page: \(error.reason)")
        }
        guard let expected else { return }
        do throws(Difference) {
            guard let value else { throw Difference(expected: expected, actual: nil) }
            try context.bindings.match(expected, value)
        } catch {
            throw StepFailure("the page has another value", difference: error)
        }
    }

    func expectRefusal() async throws(StepFailure) { try await messages.expectRefusal() }

    func finish() async throws(StepFailure) { try await messages.finish() }

    func close() async {
        await messages.close()
        await tab?.close()
        await lobby.clear()
    }
}
