internal import PageModel

/// What is awaited of a stub's page, or of the app on its behalf: each is settled once, when the page ends at the latest.
@MainActor
final class StubWaits {
    private struct Wait {
        let isScripts: Bool
        let fail: @MainActor (WebPageError) -> Void
    }

    private var waits: [UInt64: Wait] = [:]
    private var lastID: UInt64 = 0

    /// Asks, and waits for the first answer.
    ///
    /// - Parameters:
    ///   - last: the answer, should the page end before one has come.
    ///   - isScripts: whether it ends with the document already.
    func answer<Value: Sendable>(
        _ last: @escaping @MainActor (WebPageError) -> Value, isScripts: Bool = false,
        _ ask: (@escaping @MainActor (Value) -> Void) -> Void
    ) async -> Value {
        await withCheckedContinuation { continuation in
            lastID += 1
            let id = lastID
            let settle = { @MainActor (value: Value) in
                guard self.waits.removeValue(forKey: id) != nil else { return }
                continuation.resume(returning: value)
            }
            waits[id] = Wait(isScripts: isScripts) { settle(last($0)) }
            ask(settle)
        }
    }

    func end(_ error: WebPageError, scriptsOnly: Bool = false) {
        for wait in waits.values where wait.isScripts || !scriptsOnly { wait.fail(error) }
    }
}
