internal import Bridgehead
internal import Dispatch
internal import Observation

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A phone and the shells that show it: tells them its state, one for each turn in which it changes, and ends it when no shell
/// has been there for a while.
@MainActor
final class ShownPhone {
    let phone: Phone
    private let patience: Duration
    private let didEnd: @MainActor () -> Void
    private var shells: [BridgePage] = []
    private var told: JSONObject?
    /// Grows from one start of the native side to the next.
    private var revision = Int(Date().timeIntervalSince1970 * 1_000)
    private var leaving: Task<Void, Never>?

    init(_ phone: Phone, _ patience: Duration, didEnd: @escaping @MainActor () -> Void) {
        self.phone = phone
        self.patience = patience
        self.didEnd = didEnd
        observe()
        leaveIfAlone()
    }

    /// Whether any shell has shown it.
    private(set) var hasShell = false

    func show(in shell: BridgePage) {
        hasShell = true
        leaving?.cancel()
        remove(shell, isLeaving: false)
        shells.append(shell)
    }

    func remove(_ shell: BridgePage, isLeaving: Bool = true) {
        shells.removeAll { $0.id == shell.id }
        if isLeaving { leaveIfAlone() }
    }

    /// What it is now.
    var state: JSON {
        var state = phone.state
        state["revision"] = JSON(revision)
        return .object(state)
    }

    private func leaveIfAlone() {
        guard shells.isEmpty else { return }
        leaving?.cancel()
        leaving = Task { [weak self, patience] in
            do { try await Task.sleep(for: patience) } catch { return }
            guard let self, self.shells.isEmpty else { return }
            self.phone.end()
            self.didEnd()
        }
    }

    /// Whatever has changed in a turn of the main queue is told in the next, at once.
    private func observe() {
        let state = withObservationTracking {
            phone.state
        } onChange: { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.observe() } }
        }
        guard state != told else { return }
        told = state
        revision += 1
        let whole = self.state
        for shell in shells { shell.notify("shell.state", whole) }
    }
}
