public import Bridgehead
internal import Dispatch

/// The pages that connect to a bridge's server, from whatever browser, as ``ConnectedWebView``s. Each is followed from
/// document to document, across reloads and lost connections, by the id that the client gives its tab.
///
/// ```swift
/// let pages = ConnectedPages(bridge)
/// let page = WebPage(try await pages.next())
/// ```
@MainActor
public final class ConnectedPages {
    private let table: TabTable
    private let patience: Duration
    private var untaken: [ConnectedWebView] = []
    private var waiting: [UInt64: CheckedContinuation<ConnectedWebView, any Error>] = [:]
    private var lastTicket: UInt64 = 0

    /// - Parameter patience: how long a page may be without a connection until it counts as closed, and a load of this side
    ///   without a document until it has timed out.
    public init(_ bridge: Bridge, patience: Duration = .seconds(30)) {
        self.patience = patience
        table = TabTable(bridge)
        table.follow { [weak self] in self?.begin($0) }
    }

    isolated deinit { for continuation in waiting.values { continuation.resume(throwing: CancellationError()) } }

    /// The page that has been connected for longest of those that nobody has taken; waits while there is none.
    public func next() async throws -> ConnectedWebView {
        untaken.removeAll { $0.connection == .closed }
        if !untaken.isEmpty { return untaken.removeFirst() }
        lastTicket += 1
        let ticket = lastTicket
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                waiting[ticket] = continuation
            }
        } onCancel: {
            Task { @MainActor in self.waiting.removeValue(forKey: ticket)?.resume(throwing: CancellationError()) }
        }
    }

    private func begin(_ tab: ConnectedTab) {
        let view = ConnectedWebView(tab, table, patience)
        tab.view = view
        if let first = waiting.min(by: { $0.key < $1.key }) {
            waiting[first.key] = nil
            first.value.resume(returning: view)
        } else {
            untaken.removeAll { $0.connection == .closed }
            untaken.append(view)
        }
    }
}
