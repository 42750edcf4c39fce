import Foundation
import PageEngines
import PageModel

/// What a page tells, in the letters of WebKit's own documentation of the order: `A` and `R` are asked, `S` `D` `C` `F` `X`
/// happen, `u` `l` `p` `t` `h` change.
@MainActor
final class EventLog: WebPageNavigationHandling {
    private(set) var entries: [String] = [] {
        didSet {
            guard let waiter, isThere(waiter.entry, waiter.times) else { return }
            self.waiter = nil
            waiter.continuation.resume()
        }
    }
    private var waiter: (entry: String, times: Int, continuation: CheckedContinuation<Void, Never>)?
    var policy: (WebPageNavigationAction) -> WebPageNavigationPolicy = { _ in .allow }
    var responsePolicy: (WebPageNavigationResponse) -> WebPageNavigationPolicy = { _ in .allow }
    /// Called with each event, after it was noted.
    var onEvent: (WebPageNavigationEvent) -> Void = { _ in }
    private(set) var actions: [WebPageNavigationAction] = []
    private(set) var navigations: [WebPageNavigation] = []
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
    }

    /// Returns when such an entry was noted since the last time: `F`, or the beginning of one that tells more.
    func until(_ entry: String, times: Int = 1) async {
        guard !isThere(entry, times) else { return }
        let deadline = Task {
            try await Task.sleep(for: Self.patience)
            waiter?.continuation.resume()
            waiter = nil
        }
        await withCheckedContinuation { waiter = (entry, times, $0) }
        deadline.cancel()
    }

    /// What does not come by then does not come: what was seen instead fails the test.
    private static let patience = Duration.seconds(60)

    private func isThere(_ entry: String, _ times: Int) -> Bool {
        times <= entries.count { entry.count > 1 ? $0.hasPrefix(entry) : $0 == entry || $0.hasPrefix(entry + "(") }
    }

    /// What was noted since the last time.
    func take() -> String {
        defer { entries = [] }
        return entries.joined(separator: " ")
    }

    /// Of those, only what the letters name.
    func take(_ letters: String) -> String {
        defer { entries = [] }
        return entries.filter { letters.contains($0.prefix(1)) }.joined(separator: " ")
    }

    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor action: WebPageNavigationAction
    ) async -> WebPageNavigationPolicy {
        actions.append(action)
        let type = action.navigationType == .other ? "" : " \(action.navigationType)"
        entries.append("A(\(Self.short(action.request.url))\(type)\(action.isRedirect ? " redirect" : ""))")
        return policy(action)
    }

    func webPage(
        _ page: any WebPageRepresentable, decidePolicyFor response: WebPageNavigationResponse
    ) async -> WebPageNavigationPolicy {
        entries.append(response.statusCode == 200 ? "R" : "R(\(response.statusCode))")
        return responsePolicy(response)
    }

    func webPage(_ page: any WebPageRepresentable, didReceive event: WebPageNavigationEvent) {
        if let navigation = event.navigation { navigations.append(navigation) }
        switch event {
        case .startedProvisional: entries.append("S")
        case .receivedServerRedirect: entries.append("D")
        case .committed: entries.append("C")
        case .finished: entries.append("F")
        case .failedProvisional(_, let error), .failed(_, let error): entries.append("X(\(error.code))")
        case .webContentProcessTerminated: entries.append("T")
        }
        onEvent(event)
    }

    /// How a URL is noted.
    static func short(_ url: URL) -> String {
        let path = url.host() == nil ? url.absoluteString : url.path()
        return path + (url.fragment.map { "#\($0)" } ?? "")
    }
}

func local(_ path: String) -> URL { URL(string: "http://127.0.0.1\(path)") ?? URL(filePath: path) }

/// Where nobody listens.
func unused() -> URL {
    let gone = try? Pages()
    return gone?.url("/") ?? local("/")
}
