import Foundation
import PageEngines
import PageModel

/// What a page tells: `S` `D` `C` `F` `X` happen, `u` `l` `p` `t` `h` change (to what holds afterwards); and the changes of its
/// URL, which come by another way.
@MainActor
final class Recorder: WebPageNavigationHandling {
    private var entries: [String] = [] { didSet { wake() } }
    private(set) var changes: [String] = [] { didSet { wake() } }
    private(set) var asked: [String] = []
    private(set) var hasEnded = false { didSet { wake() } }
    var policy = WebPageNavigationPolicy.allow
    private var waiter: (isThere: () -> Bool, continuation: CheckedContinuation<Void, Never>)?
    private var observations: [BackingObservation] = []

    init(_ page: WebPage) {
        page.navigationHandler = self
        let backing = page.backing
        func watch(_ property: BackingProperty, _ text: @escaping (BackingState) -> String) {
            observations.append(
                backing.observe(property) { [unowned self, unowned backing] notice in
                    if notice == .after { self.entries.append(text(backing.state)) }
                })
        }
        watch(.url) { "u=\($0.url.map(Self.short) ?? "nil")" }
        watch(.isLoading) { "l=\($0.isLoading)" }
        watch(.estimatedProgress) { "p=\($0.estimatedProgress)" }
        watch(.title) { "t=\($0.title)" }
        watch(.backForwardList) { "h=\($0.backForwardList.items.count)@\($0.backForwardList.currentIndex ?? -1)" }
        let urlChanges = page.urlChanges
        Task { [weak self] in
            for await change in urlChanges {
                let index = change.index.map(String.init) ?? "-"
                self?.changes.append(
                    "\(change.cause) \(Self.short(change.url))\(change.isCommitted ? "" : "?")@\(index)")
            }
            self?.hasEnded = true
        }
    }

    /// Returns when such an entry was noted since the last time.
    func until(_ entry: String) async { await until { self.entries.contains { $0.hasPrefix(entry) } } }

    /// Returns when such a change of the URL was noted since the last time.
    func until(change: String) async { await until { self.changes.contains { $0.hasPrefix(change) } } }

    func untilEnd() async { await until { self.hasEnded } }

    /// What does not come for so long does not come: what was seen instead fails the test.
    private func until(_ isThere: @escaping () -> Bool) async {
        guard !isThere() else { return }
        let deadline = Task {
            try await Task.sleep(for: .seconds(60))
            waiter?.continuation.resume()
            waiter = nil
        }
        await withCheckedContinuation { waiter = (isThere, $0) }
        deadline.cancel()
    }

    private func wake() {
        guard let waiter, waiter.isThere() else { return }
        self.waiter = nil
        waiter.continuation.resume()
    }

    /// What was noted since the last time, of what the letters name.
    func take(_ letters: String) -> String {
        defer { entries = [] }
        return entries.filter { letters.contains($0.prefix(1)) }.joined(separator: " ")
    }

    func takeChanges() -> String {
        defer { changes = [] }
        return changes.joined(separator: ", ")
    }

    func forget() { (entries, changes, asked) = ([], [], []) }

    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor action: WebPageNavigationAction
    ) async -> WebPageNavigationPolicy {
        asked.append("A(\(Self.short(action.request.url)) \(action.navigationType))")
        return policy
    }

    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor response: WebPageNavigationResponse
    ) async -> WebPageNavigationPolicy {
        asked.append("R")
        return .allow
    }

    func webPage(_ page: any WebPageRepresentable, didReceive event: WebPageNavigationEvent) {
        switch event {
        case .startedProvisional: entries.append("S")
        case .receivedServerRedirect: entries.append("D")
        case .committed: entries.append("C")
        case .finished: entries.append("F")
        case .failedProvisional(_, let error), .failed(_, let error): entries.append("X(\(error.code))")
        case .webContentProcessTerminated: entries.append("T")
        }
    }

    private static func short(_ url: URL) -> String {
        guard url.host() != nil else { return url.absoluteString }
        let name = url.path().dropFirst().prefix { $0 != "." }
        return "/" + name + (url.fragment.map { "#\($0)" } ?? "")
    }
}
